// The completion script for fish.
#include <fmt/format.h>

#include <string_view>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/program.hpp"
#include "rocescope/finding.hpp"

namespace rocescope::cli {
namespace {

std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + '\'';
}

constexpr std::string_view kFields = "(rocescope fields --names)";
constexpr std::string_view kListInterfaces = "(rocescope interfaces --names)";

std::string command_words() {
  std::string words;
  for (const Command* command : commands()) words += fmt::format("{}{}", words.empty() ? "" : " ", command->name);
  return words;
}

/// `a\t"local time of day" ...`, only `key=` of `key=values`; fish expands it again when it completes.
std::string fish_choices(std::span<const Choice> choices, bool keys) {
  std::string words;
  for (const Choice& choice : choices) {
    if (!words.empty()) words += ' ';
    words += keys ? choice.value.substr(0, choice.value.find('=') + 1) : choice.value;
    if (!choice.meaning.empty()) words += fmt::format("\\t\"{}\"", choice.meaning);
  }
  return words;
}

std::string fish_findings() {
  std::string words;
  for (const FindingInfo& info : finding_infos()) {
    words += fmt::format("{}{}\\t\"{}\"", words.empty() ? "" : " ", info.name, info.title);
  }
  return words;
}

std::string value_flags(const Option& option) {
  switch (option.completion) {
    case Completion::kFiles:
      return " -r -F";
    case Completion::kFields:
      return fmt::format(" -x -a {}", single_quoted(kFields));
    case Completion::kInterfaces:
      return fmt::format(" -x -a {}", single_quoted(kListInterfaces));
    case Completion::kChoices:
    case Completion::kKeys:
      return fmt::format(" -x -a {}",
                         single_quoted(fish_choices(option.choices, option.completion == Completion::kKeys)));
    case Completion::kFindings:
      return fmt::format(" -x -a {}", single_quoted(fish_findings()));
    default:
      return " -x";
  }
}

std::string options(std::string_view condition, std::span<const OptionGroup> groups) {
  std::string text;
  for (const OptionGroup& group : groups) {
    for (const Option* option : group.options) {
      text += fmt::format("complete -c rocescope -n {}", single_quoted(condition));
      if (option->letter != '\0') text += fmt::format(" -s {}", option->letter);
      text += fmt::format(" -l {}", option->name);
      if (option->takes_value()) text += value_flags(*option);
      text += fmt::format(" -d {}\n", single_quoted(option->help));
    }
  }
  return text;
}

std::string operands(std::string_view condition, Completion completion) {
  switch (completion) {
    case Completion::kFiles:
      return fmt::format("complete -c rocescope -n {} -F\n", single_quoted(condition));
    case Completion::kFields:
      return fmt::format("complete -c rocescope -n {} -a {}\n", single_quoted(condition), single_quoted(kFields));
    case Completion::kCommands:
      return fmt::format("complete -c rocescope -n {} -a {}\n", single_quoted(condition),
                         single_quoted(command_words()));
    case Completion::kFindings:
      return fmt::format("complete -c rocescope -n {} -a {}\n", single_quoted(condition),
                         single_quoted(fish_findings()));
    default:
      return "";
  }
}

}  // namespace

std::string fish_completion() {
  std::string script = "# fish completion for rocescope; made by the build from its option tables\n";
  script += "complete -c rocescope -f\n";
  script += options("__fish_use_subcommand", program_options());
  for (const Command* command : commands()) {
    script += fmt::format("complete -c rocescope -n __fish_use_subcommand -a {} -d {}\n", command->name,
                          single_quoted(command->summary));
  }
  for (const Command* command : commands()) {
    const std::string condition = fmt::format("__fish_seen_subcommand_from {}", command->name);
    script += options(condition, command->options) + operands(condition, command->operand_completion);
  }
  return script;
}

}  // namespace rocescope::cli
