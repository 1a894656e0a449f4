// Help texts from the tables.
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/program.hpp"
#include "cli/text_layout.hpp"

namespace rocescope::cli {
namespace {

constexpr std::size_t kOptionColumn = 29;
constexpr std::size_t kCommandColumn = 12;

/// Meanings beside their commands where all fit, each below its command otherwise.
std::string examples_text(std::span<const Example> examples) {
  std::size_t command_width = 0;
  std::size_t meaning_width = 0;
  for (const Example& example : examples) {
    command_width = std::max(command_width, example.command.size());
    meaning_width = std::max(meaning_width, example.meaning.size());
  }
  const bool beside = 2 + command_width + 2 + meaning_width <= kTerminalWidth;
  std::string text = "Examples:\n";
  for (const Example& example : examples) {
    text += beside ? fmt::format("  {:{}}  {}\n", example.command, command_width, example.meaning)
                   : fmt::format("  {}\n      {}\n", example.command, example.meaning);
  }
  return text;
}

std::string option_label(const Option& option) {
  std::string label = option.letter == '\0' ? "    " : fmt::format("-{}, ", option.letter);
  label += fmt::format("--{}", option.name);
  if (option.takes_value()) label += fmt::format(" {}", option.argument);
  return label;
}

std::string options_text(std::span<const OptionGroup> groups) {
  std::string text;
  for (const OptionGroup& group : groups) {
    text += fmt::format("\n{}:\n", group.title);
    for (const Option* option : group.options) text += two_columns(option_label(*option), option->help, kOptionColumn);
  }
  return text;
}

std::string program_help() {
  std::string text = examples_text(program_examples());
  text += fmt::format("\nUsage: {}\n\nCommands:\n", usage_line(nullptr));
  for (const Command* command : commands()) text += two_columns(command->name, command->summary, kCommandColumn);
  return text + options_text(program_options());
}

}  // namespace

std::string usage_line(const Command* command) {
  if (command == nullptr) return fmt::format("{} COMMAND [OPTION]... [ARGUMENT]...", kProgramName);
  return fmt::format("{} {} [OPTION]...{}{}", kProgramName, command->name, command->operands.empty() ? "" : " ",
                     command->operands);
}

std::string help_text(const Command* command) {
  if (command == nullptr) return program_help();
  return examples_text(command->examples) + fmt::format("\nUsage: {}\n", usage_line(command)) +
         options_text(command->options);
}

}  // namespace rocescope::cli
