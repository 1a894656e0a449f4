// `rocescope help [COMMAND]`.
#include "cli/commands.hpp"
#include "cli/general_options.hpp"
#include "cli/help.hpp"

namespace rocescope::cli {
namespace {

Result<ExitCode> run_help(Invocation& invocation) {
  const std::vector<std::string>& names = invocation.arguments.operands();
  if (names.size() > 1) return Error{"'help' is about one command at a time"};
  const Result<std::string> page = page_about(names.empty() ? std::string_view() : names.front(), help_text);
  if (!page) return page.error();
  invocation.output.write(*page);
  return ExitCode::kDone;
}

constexpr Example kHelpExamples[] = {
    {"rocescope help", "the commands"},
    {"rocescope help dissect", "the options of dissect"},
    {"man rocescope-dissect", "all of it"},
};
constexpr const Option* kHelpGeneral[] = {&kHelp};
constexpr OptionGroup kHelpOptions[] = {{"Options", kHelpGeneral}};

constexpr Command kHelpCommand{
    .name = "help",
    .summary = "explain a command",
    .operands = "[COMMAND]",
    .operand_completion = Completion::kCommands,
    .examples = kHelpExamples,
    .options = kHelpOptions,
    .run = run_help,
};

}  // namespace

const Command& help_command() { return kHelpCommand; }

}  // namespace rocescope::cli
