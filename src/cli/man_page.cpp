// Writing roff.
#include "cli/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/capture_page.hpp"
#include "cli/commands.hpp"
#include "cli/program.hpp"
#include "text/wrap.hpp"

namespace rocescope::cli {
namespace {

/// Text in which nothing is markup.
std::string escaped(std::string_view text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '-') {
      result += "\\-";
    } else if (c == '\\') {
      result += "\\e";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '^') {
      result += "\\(ha";
    } else if (c == '~') {
      result += "\\(ti";
    } else {
      result += c;
    }
    line_start = c == '\n';
  }
  return result;
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return result;
}

std::string sentence(std::string_view text) { return upper(text.substr(0, 1)) + std::string(text.substr(1)); }

std::string page_name(const Command* command) {
  return command == nullptr ? std::string(kProgramName) : fmt::format("{}-{}", kProgramName, command->name);
}

std::string tagged(std::string_view bold_tag, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(bold_tag), escaped(text));
}

std::string synopsis(const Command* command) {
  if (command == nullptr) return ".B rocescope\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n";
  std::string text = fmt::format(".B rocescope {}\n[\\fIOPTION\\fR]...", command->name);
  if (!command->operands.empty()) text += fmt::format(" {}", escaped(command->operands));
  return text + '\n';
}

std::string examples(std::span<const Example> list) {
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : list) text += tagged(example.command, example.meaning);
  return text;
}

std::string option_entry(const Option& option) {
  std::string text = ".TP\n";
  if (option.letter != '\0') text += fmt::format("\\fB\\-{}\\fR, ", option.letter);
  text += fmt::format("\\fB\\-\\-{}\\fR", escaped(option.name));
  if (option.takes_value()) text += fmt::format(" \\fI{}\\fR", escaped(option.argument));
  text += '\n';
  if (option.completion != Completion::kChoices) text += fmt::format("{}.\n", escaped(sentence(option.help)));
  if (!option.more.empty()) text += fmt::format("{}\n", escaped(text::folded(option.more)));
  if (option.choices.empty()) return text;
  text += ".RS\n";
  for (const Choice& choice : option.choices) {
    text += choice.meaning.empty() ? fmt::format(".TP\n\\fB{}\\fR\n", escaped(choice.value))
                                   : tagged(choice.value, choice.meaning);
  }
  return text + ".RE\n";
}

std::string options(std::span<const OptionGroup> groups) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionGroup& group : groups) {
    if (groups.size() > 1) text += fmt::format(".SS {}\n", escaped(group.title));
    for (const Option* option : group.options) text += option_entry(*option);
  }
  return text;
}

/// The section's paragraphs. One that starts with two spaces keeps its lines.
std::string section(const Section& source) {
  std::string text = fmt::format(".SH {}\n", source.title);
  std::string_view rest = source.text;
  if (rest.starts_with('\n')) rest.remove_prefix(1);
  bool first = true;
  while (!rest.empty()) {
    const std::size_t end = rest.find("\n\n");
    const std::string_view paragraph = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
    const bool verbatim = paragraph.starts_with("  ");
    if (!first) text += ".PP\n";
    text += verbatim ? fmt::format(".EX\n{}\n.EE\n", escaped(paragraph))
                     : fmt::format("{}\n", escaped(text::folded(paragraph)));
    first = false;
  }
  return text;
}

std::string command_list() {
  std::string text = ".SH COMMANDS\n";
  for (const Command* command : commands()) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fB{}\\fR(1).\n", command->name, escaped(sentence(command->summary)),
                        escaped(page_name(command)));
  }
  return text;
}

std::string see_also(const Command* command) {
  std::string text = ".SH SEE ALSO\n";
  if (command != nullptr) text += ".BR rocescope (1),\n";
  for (const Command* other : commands()) {
    if (other != command) text += fmt::format(".BR {} (1),\n", escaped(page_name(other)));
  }
  return text + ".BR rocescope\\-capture (7),\n.BR tshark (1),\n.BR tcpdump (1)\n";
}

}  // namespace

std::string man_page(const Command* command) {
  const std::string name = page_name(command);
  std::string page = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", upper(name), kProgramName, version());
  page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name),
                      escaped(command == nullptr ? kProgramSummary : command->summary));
  page += ".SH SYNOPSIS\n" + synopsis(command);
  page += examples(command == nullptr ? program_examples() : command->examples);
  if (command == nullptr) page += command_list();
  page += options(command == nullptr ? program_options() : command->options);
  for (const Section& each : command == nullptr ? program_sections() : command->sections) page += section(each);
  page += ".SH EXIT STATUS\n";
  for (const Choice& code : exit_codes()) page += tagged(code.value, code.meaning);
  return page + see_also(command);
}

std::string capture_man_page() {
  const std::string name = fmt::format("{}-{}", kProgramName, kCapturePageName);
  std::string page = fmt::format(".TH {} 7 \"\" \"{} {}\" \"Miscellaneous\"\n", upper(name), kProgramName, version());
  page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(kCapturePageSummary));
  for (const Section& each : capture_sections()) page += section(each);
  return page +
         ".SH SEE ALSO\n.BR rocescope (1),\n.BR rocescope\\-interfaces (1),\n.BR rocescope\\-live (1),\n"
         ".BR ethtool (8),\n.BR pcap\\-tstamp (7)\n";
}

}  // namespace rocescope::cli
