// Runs a command line and maps its result to an exit code.
#include "cli/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <new>

#include "cli/capture_page.hpp"
#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/general_options.hpp"
#include "cli/help.hpp"
#include "cli/man_page.hpp"
#include "cli/signals.hpp"
#include "render/report/json_schema.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kVersion{.name = "version", .help = "show the version"};
constexpr const Option* kGeneral[] = {&kHelp, &kVersion};
constexpr OptionGroup kOptions[] = {{"Options", kGeneral}};

/// Prints man pages, completion scripts and the JSON Schema for the build; not in any help.
Result<std::string> generated_file(std::string_view kind, std::string_view argument) {
  if (kind == "__man" && argument == kCapturePageName) return capture_man_page();
  if (kind == "__man") return page_about(argument, man_page);
  if (kind == "__schema") {
    std::string schema;
    render::append_report_schema(schema);
    return schema;
  }
  if (argument == "bash") return bash_completion();
  if (argument == "zsh") return zsh_completion();
  if (argument == "fish") return fish_completion();
  return Error{fmt::format("no completion for '{}'. There is: bash, zsh, fish", argument)};
}

Result<ExitCode> run_command(const Command& command, std::span<const std::string> words, Output& output,
                             Messages& messages) {
  Result<Arguments> arguments = parse_arguments(command.options, words);
  if (!arguments) return arguments.error();
  if (arguments->has(kHelp)) {
    output.write(help_text(&command));
    return ExitCode::kDone;
  }
  if (command.operands.empty() && !arguments->operands().empty()) {
    return Error{fmt::format("'{}' takes no arguments, but got '{}'", command.name, arguments->operands().front())};
  }
  if (arguments->has(kQuiet)) messages.quiet();
  Invocation invocation{*arguments, output, messages};
  return command.run(invocation);
}

Result<ExitCode> run_program_options(std::span<const std::string> words, Output& output) {
  // The options of a command stand after it.
  Result<Arguments> arguments = parse_arguments(kOptions, words.first(1));
  if (!arguments) {
    return Error{fmt::format("no command before '{}'. Usage: {}", words.front(), usage_line(nullptr))};
  }
  output.write(arguments->has(kVersion) ? fmt::format("{} {}\n", kProgramName, version()) : help_text(nullptr));
  return ExitCode::kDone;
}

Result<ExitCode> dispatch(std::span<const std::string> words, Output& output, Messages& messages) {
  if (words.empty()) {
    messages.plain(help_text(nullptr));
    return ExitCode::kError;
  }
  const std::string& first = words.front();
  if (first == "__man" || first == "__complete" || first == "__schema") {
    const Result<std::string> text = generated_file(first, words.size() > 1 ? words[1] : std::string());
    if (!text) return text.error();
    output.write(*text);
    return ExitCode::kDone;
  }
  if (first.starts_with('-')) return run_program_options(words, output);
  const Command* command = find_command(first);
  if (command == nullptr) return unknown_command(first);
  return run_command(*command, words.subspan(1), output, messages);
}

/// Catches the one exception that may come from anywhere.
Result<ExitCode> dispatch_within_memory(std::span<const std::string> words, Output& output, Messages& messages) {
  try {
    return dispatch(words, output, messages);
  } catch (const std::bad_alloc&) {
    return Error{"out of memory"};
  }
}

}  // namespace

std::string_view version() noexcept { return ROCESCOPE_VERSION; }

std::span<const OptionGroup> program_options() { return kOptions; }

ExitCode run_program(std::span<const std::string> words) {
  install_signal_handlers();
  Output output(STDOUT_FILENO);
  Messages messages;
  const Result<ExitCode> result = dispatch_within_memory(words, output, messages);
  output.flush();
  // After Ctrl-C, errors come from the interrupted work.
  if (interrupted()) return ExitCode::kInterrupted;
  if (!result) {
    messages.error(result.error().message);
    return ExitCode::kError;
  }
  if (output.error()) {
    messages.error(output.error()->message);
    return ExitCode::kError;
  }
  return *result;
}

}  // namespace rocescope::cli
