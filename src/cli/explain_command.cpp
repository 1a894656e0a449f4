// `rocescope explain`: what a finding means, how sure it is and what to do.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/finding_name.hpp"
#include "cli/general_options.hpp"
#include "cli/text_layout.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/times.hpp"
#include "text/wrap.hpp"

namespace rocescope::cli {
namespace {

/// Every finding, a line each.
std::string finding_list() {
  std::size_t width = 0;
  for (const FindingInfo& info : finding_infos()) width = std::max(width, info.name.size());
  std::string list;
  for (const FindingInfo& info : finding_infos()) {
    list += fmt::format("{:{}}  {:8} {}\n", info.name, width, to_string(info.severity), info.title);
  }
  return list;
}

std::string explanation(const FindingInfo& info) {
  constexpr std::size_t kColumn = 14;
  std::string text = fmt::format("{} ({}): {}\n\n", info.name, to_string(info.severity), info.title);
  text += two_columns("Meaning", info.meaning, kColumn);
  text += two_columns("How sure", info.sureness, kColumn);
  text += two_columns("Why", info.why, kColumn);
  text += two_columns("What to do", info.what_to_do, kColumn);
  return text;
}

/// Empty: `name` is no kind of time.
std::string explanation_of_time(std::string_view name) {
  for (std::size_t i = 0; i < kTimeKinds; ++i) {
    const auto kind = static_cast<TimeKind>(i);
    if (to_string(kind) != name) continue;
    std::string lines = fmt::format("{} (a kind of time)\n\n", name);
    for (const std::string& line : text::wrap(definition_of(kind), kTerminalWidth - 2)) lines += "  " + line + '\n';
    return lines;
  }
  return {};
}

/// Each finding, with what it means and how sure it is.
std::string findings_text() {
  std::string text = R"(
The numbers of a finding are exact, or as they say: at least so many, or about so many. What lies behind the capture
point was not seen: claims about it are conclusions.)";
  for (const FindingInfo& info : finding_infos()) {
    text += fmt::format("\n\n{} ({}): {}\n\nHow sure: {}", info.name, to_string(info.severity), info.meaning,
                        info.sureness);
  }
  return text;
}

std::span<const Section> explain_sections() {
  static const std::string kFindings = findings_text();
  static const Section kSections[] = {{"FINDINGS", kFindings}};
  return kSections;
}

Result<ExitCode> run_explain(Invocation& invocation) {
  const std::vector<std::string>& names = invocation.arguments.operands();
  std::string text;
  for (const std::string& name : names) {
    if (const std::string time = explanation_of_time(name); !time.empty()) {
      text += (text.empty() ? "" : "\n") + time;
      continue;
    }
    const Result<const FindingInfo*> info = finding_named(name);
    if (!info) return info.error();
    if (!text.empty()) text += '\n';
    text += explanation(**info);
  }
  invocation.output.write(names.empty() ? finding_list() : text);
  return ExitCode::kDone;
}

constexpr Example kExplainExamples[] = {
    {"rocescope explain", "every finding that analyze may report"},
    {"rocescope explain nak_sequence", "what it means, how sure it is, why it matters, what to do"},
    {"rocescope explain message_time", "what the report measures under this name"},
};
constexpr const Option* kExplainGeneral[] = {&kHelp};
constexpr OptionGroup kExplainOptions[] = {{"Options", kExplainGeneral}};

}  // namespace

const Command& explain_command() {
  static const Command kCommand{
      .name = "explain",
      .summary = "explain a finding: what it means, how sure it is, what to do",
      .operands = "[FINDING]...",
      .operand_completion = Completion::kFindings,
      .examples = kExplainExamples,
      .options = kExplainOptions,
      .sections = explain_sections(),
      .run = run_explain,
  };
  return kCommand;
}

}  // namespace rocescope::cli
