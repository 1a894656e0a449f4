// The completion script for zsh.
#include <fmt/format.h>

#include <string_view>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/program.hpp"
#include "rocescope/finding.hpp"

namespace rocescope::cli {
namespace {

constexpr std::string_view kZshHead = R"zsh(#compdef rocescope
# zsh completion for rocescope; made by the build from its option tables

_rocescope_fields() {
  local -a names
  names=(${(f)"$(_call_program fields rocescope fields --names)"})
  compadd "$@" -a names
}

_rocescope_interfaces() {
  local -a names
  names=(${(f)"$(_call_program interfaces rocescope interfaces --names)"})
  compadd "$@" -a names
}

_rocescope_commands() {
  local -a names
  names=(
)zsh";

constexpr std::string_view kMiddle = R"zsh(  )
  _describe command names
}

_rocescope() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C \
)zsh";

constexpr std::string_view kZshTail = R"zsh(  esac
}

_rocescope "$@"
)zsh";

/// `text` for use in single quotes, with special characters escaped.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// `a\:"local time of day" ...`, only `key=` of `key=values`.
std::string zsh_choices(std::span<const Choice> choices, bool keys) {
  std::string words;
  for (const Choice& choice : choices) {
    if (!words.empty()) words += ' ';
    words += escaped(keys ? choice.value.substr(0, choice.value.find('=') + 1) : choice.value, "\\ :()");
    if (!choice.meaning.empty()) words += fmt::format("\\:{}", escaped(choice.meaning, "\\ :()\"'"));
  }
  return words;
}

std::string zsh_findings() {
  std::string words;
  for (const FindingInfo& info : finding_infos()) {
    words += fmt::format("{}{}\\:{}", words.empty() ? "" : " ", info.name, escaped(info.title, "\\ :()\"'"));
  }
  return words;
}

std::string action(Completion completion, std::span<const Choice> choices) {
  switch (completion) {
    case Completion::kFiles:
      return "_files";
    case Completion::kFields:
      return "_rocescope_fields";
    case Completion::kInterfaces:
      return "_rocescope_interfaces";
    case Completion::kCommands:
      return "_rocescope_commands";
    case Completion::kFindings:
      return fmt::format("(({}))", zsh_findings());
    case Completion::kChoices:
      return fmt::format("(({}))", zsh_choices(choices, false));
    case Completion::kKeys:
      return fmt::format("(({}))", zsh_choices(choices, true));
    default:
      return " ";
  }
}

/// One word of _arguments, or two names of one option in braces.
std::string option_spec(const Option& option, std::string_view indent) {
  std::string about = fmt::format("[{}]", escaped(option.help, "\\[]:"));
  if (option.takes_value()) {
    about += fmt::format(":{}:{}", escaped(option.argument, "\\:"), action(option.completion, option.choices));
  }
  const std::string_view value_short = option.takes_value() ? "+" : "";
  const std::string_view value_long = option.takes_value() ? "=" : "";
  const std::string long_name = fmt::format("--{}{}", option.name, value_long);
  if (option.letter == '\0') {
    return fmt::format("{}'{}{}{}' \\\n", indent, option.repeatable ? "*" : "", long_name, about);
  }
  const std::string excluded = option.repeatable ? "*" : fmt::format("(-{} --{})", option.letter, option.name);
  return fmt::format("{}'{}'{{-{}{},{}}}'{}' \\\n", indent, excluded, option.letter, value_short, long_name, about);
}

std::string option_specs(std::span<const OptionGroup> groups, std::string_view indent) {
  std::string text;
  for (const OptionGroup& group : groups) {
    for (const Option* option : group.options) text += option_spec(*option, indent);
  }
  return text;
}

std::string operand_spec(const Command& command) {
  if (command.operands.empty()) return "        && return\n";
  return fmt::format("        '*:{}:{}'\n", escaped(command.operands, "\\:[]"), action(command.operand_completion, {}));
}

}  // namespace

std::string zsh_completion() {
  std::string script(kZshHead);
  for (const Command* command : commands()) {
    script += fmt::format("    '{}:{}'\n", command->name, escaped(command->summary, ":"));
  }
  script += kMiddle;
  script += option_specs(program_options(), "    ");
  script += "    '1:command:_rocescope_commands' \\\n    '*::argument:->arguments'\n";
  script += "  [[ $state == arguments ]] || return\n  case $line[1] in\n";
  for (const Command* command : commands()) {
    script += fmt::format("    {})\n      _arguments -s -S \\\n{}{}      ;;\n", command->name,
                          option_specs(command->options, "        "), operand_spec(*command));
  }
  return script + std::string(kZshTail);
}

}  // namespace rocescope::cli
