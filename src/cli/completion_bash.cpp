// The completion script for bash.
#include <fmt/format.h>

#include <string_view>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/program.hpp"
#include "rocescope/finding.hpp"

namespace rocescope::cli {
namespace {

// COMP_WORDBREAKS splits words at `=`: bash passes `--color=auto` as `--color`, `=`, `auto`.
constexpr std::string_view kBashHead = R"bash(# bash completion for rocescope; made by the build from its option tables

_rocescope_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }

_rocescope_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# Keys, after which a value is to be typed.
_rocescope_keys() {
  compopt -o nospace 2>/dev/null
  _rocescope_words "$1" "$2"
}

# What the command $1 lists.
_rocescope_names() {
  _rocescope_words "$("${COMP_WORDS[0]}" "$1" --names 2>/dev/null)" "$2"
}

_rocescope() {
  local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) prev
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=
  elif [[ ${COMP_WORDS[at]} == = ]]; then
    at=$((at - 1))
  fi
  prev=${COMP_WORDS[at]}
  if ((COMP_CWORD == 1)); then
)bash";

constexpr std::string_view kBashTail = R"bash(}

complete -F _rocescope rocescope
)bash";

/// The choices of an option; only `key=` of `key=values`.
std::string bash_choices(const Option& option) {
  std::string words;
  for (const Choice& choice : option.choices) {
    if (!words.empty()) words += ' ';
    words += option.completion == Completion::kKeys ? choice.value.substr(0, choice.value.find('=') + 1) : choice.value;
  }
  return words;
}

std::string finding_names() {
  std::string names;
  for (const FindingInfo& info : finding_infos()) names += fmt::format("{}{}", names.empty() ? "" : " ", info.name);
  return names;
}

std::string action(const Option& option) {
  switch (option.completion) {
    case Completion::kFiles:
      return "_rocescope_files \"$cur\"";
    case Completion::kFields:
      return "_rocescope_names fields \"$cur\"";
    case Completion::kInterfaces:
      return "_rocescope_names interfaces \"$cur\"";
    case Completion::kChoices:
      return fmt::format("_rocescope_words '{}' \"$cur\"", bash_choices(option));
    case Completion::kKeys:
      return fmt::format("_rocescope_keys '{}' \"$cur\"", bash_choices(option));
    case Completion::kFindings:
      return fmt::format("_rocescope_words '{}' \"$cur\"", finding_names());
    default:
      return ":";
  }
}

std::string command_names() {
  std::string names;
  for (const Command* command : commands()) names += fmt::format("{}{}", names.empty() ? "" : " ", command->name);
  return names;
}

std::string option_names(std::span<const OptionGroup> groups) {
  std::string names;
  for (const OptionGroup& group : groups) {
    for (const Option* option : group.options) {
      if (!names.empty()) names += ' ';
      if (option->letter != '\0') names += fmt::format("-{} ", option->letter);
      names += fmt::format("--{}", option->name);
    }
  }
  return names;
}

std::string operand_action(const Command& command) {
  switch (command.operand_completion) {
    case Completion::kFiles:
      return "_rocescope_files \"$cur\"";
    case Completion::kFields:
      return "_rocescope_names fields \"$cur\"";
    case Completion::kCommands:
      return fmt::format("_rocescope_words '{}' \"$cur\"", command_names());
    case Completion::kFindings:
      return fmt::format("_rocescope_words '{}' \"$cur\"", finding_names());
    default:
      return ":";
  }
}

std::string command_case(const Command& command) {
  std::string text = fmt::format("    {})\n      case $prev in\n", command.name);
  for (const OptionGroup& group : command.options) {
    for (const Option* option : group.options) {
      if (!option->takes_value()) continue;
      const std::string letter = option->letter == '\0' ? "" : fmt::format("-{} | ", option->letter);
      text += fmt::format("        {}--{}) {}; return ;;\n", letter, option->name, action(*option));
    }
  }
  text += "      esac\n";
  text +=
      fmt::format("      if [[ $cur == -* ]]; then _rocescope_words '{}' \"$cur\"\n", option_names(command.options));
  text += fmt::format("      else {}\n      fi\n      ;;\n", operand_action(command));
  return text;
}

}  // namespace

std::string bash_completion() {
  std::string script(kBashHead);
  script += fmt::format("    _rocescope_words '{} {}' \"$cur\"\n    return\n  fi\n  case ${{COMP_WORDS[1]}} in\n",
                        command_names(), option_names(program_options()));
  for (const Command* command : commands()) script += command_case(*command);
  script += "  esac\n";
  return script + std::string(kBashTail);
}

}  // namespace rocescope::cli
