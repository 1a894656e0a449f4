// What went wrong, the worst first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "render/report/finding_blocks.hpp"
#include "render/report/finding_text.hpp"
#include "render/report/report_sections.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;

Tone tone_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return Tone::kError;
    case Severity::kWarning:
      return Tone::kWarning;
    case Severity::kNote:
      return Tone::kPlain;
  }
  return Tone::kPlain;
}

/// `0.104 to 2.310 s`, `0.104 s`; nothing where it has no time.
string when(const Occurrences& seen, const SecondsSince& since) {
  if (seen.count == 0) return {};
  const string first = since(seen.first_time);
  const string last = since(seen.last_time);
  return first == last ? first + " s" : fmt::format("{} to {} s", first, last);
}

/// What follows from a cause comes after a dash.
string line_text(const FindingLine& line, const FindingBlock& block) {
  const string text = text_of(line, block);
  return line.finding->cause != nullptr ? "- " + text : text;
}

string packet_list(const Occurrences& seen) {
  string list;
  std::size_t named = 0;
  for (const std::uint64_t packet : seen.packets) {
    if (packet == 0) continue;
    list += fmt::format("{}{}", named > 0 ? ", " : "", packet);
    ++named;
  }
  if (named == 0) return {};
  return fmt::format("{} {}{}", text::plural(named, "packet", "packets"), list, seen.count > named ? ", ..." : "");
}

void append_details(const Finding& finding, ReportPage& page) {
  if (const string packets = packet_list(finding.seen); !packets.empty()) page.fact("", "    " + packets);
  if (!finding.filter.empty()) page.copied(fmt::format("    -Y '{}'", finding.filter));
}

/// `3 notes: qpn_sequential, small_mtu`
string notes_line(const Report& report) {
  std::set<std::string_view> names;
  std::uint64_t notes = 0;
  for (const Finding& finding : report.findings) {
    if (finding.info->severity != Severity::kNote) continue;
    names.insert(finding.info->name);
    ++notes;
  }
  return notes == 0 ? string() : fmt::format("{}: {} (-v shows them)", count(notes, "note"), fmt::join(names, ", "));
}

/// The lines of a page, and where their IDs begin.
class FindingsTable {
 public:
  FindingsTable(const Report& report, std::span<const FindingBlock> blocks, ReportPage& page)
      : since_(report), has_points_(report.capture_points.size() > 1), page_(page) {
    constexpr std::size_t kMost = 80;  // longer texts do not move the IDs of all
    std::size_t times = 0;
    std::size_t texts = 0;
    for (const FindingBlock& block : blocks) {
      for (const FindingLine& line : block.lines) {
        names_ = std::max(names_, line.finding->info->name.size());
        times = std::max(times, when(line.seen, since_).size());
        if (const std::size_t size = line_text(line, block).size(); size <= kMost) texts = std::max(texts, size);
      }
    }
    column_ = texts + kBetween;
    const std::size_t aside = names_ + kBetween + times;
    if (const auto room = page.fact_width()) column_ = std::min(column_, *room - std::min(*room, aside));
  }

  void append(const FindingBlock& block) const {
    std::string_view label = to_string(block.severity);
    if (const string head = whose(block, has_points_); !head.empty()) {
      page_.fact(std::exchange(label, ""), head, tone_of(block.severity));
    }
    for (const FindingLine& line : block.lines) {
      const Finding& finding = *line.finding;
      string aside = fmt::format("{:<{}}  {}", finding.info->name, names_, when(line.seen, since_));
      aside.erase(aside.find_last_not_of(' ') + 1);
      const Tone tone = finding.cause == nullptr ? tone_of(finding.info->severity) : Tone::kPlain;
      page_.fact(std::exchange(label, ""), line_text(line, block), tone, {aside, column_});
      if (page_.detail() && block.owners.size() <= 1) append_details(finding, page_);
    }
  }

 private:
  static constexpr std::size_t kBetween = 2;

  SecondsSince since_;
  bool has_points_;
  ReportPage& page_;
  std::size_t names_ = 0;
  std::size_t column_ = 0;
};

/// What the blocks that are not shown hold.
std::size_t findings_in(std::span<const FindingBlock> blocks) {
  std::size_t findings = 0;
  for (const FindingBlock& block : blocks) {
    for (const FindingLine& line : block.lines) findings += line.number;
  }
  return findings;
}

}  // namespace

void append_findings(const Report& report, ReportPage& page) {
  if (report.totals.roce.packets == 0) return;
  const std::vector<FindingBlock> blocks =
      finding_blocks(report, {.notes = page.detail(), .each = page.all(), .most = kReportRows});
  const string notes = page.detail() ? string() : notes_line(report);
  if (blocks.empty()) {
    switch (silence(report)) {
      case Silence::kGood:
        page.fact("Findings", "nothing wrong was seen", Tone::kGood);
        break;
      case Silence::kOthers:
        page.fact("Findings", "nothing wrong was seen in the other connections", Tone::kGood);
        break;
      case Silence::kUnknown:
        page.fact("Findings", "none, because nothing is known for certain", Tone::kWarning);
        break;
    }
    if (!notes.empty()) page.fact("", notes);
    return;
  }
  page.section("Findings");
  const std::span<const FindingBlock> shown(blocks.data(), page.shown(blocks.size()));
  const FindingsTable table(report, shown, page);
  for (const FindingBlock& block : shown) table.append(block);
  if (shown.size() < blocks.size()) {
    const std::size_t left = findings_in(std::span(blocks).subspan(shown.size()));
    page.note(fmt::format("... and {} (-v shows all)", count(left, "more finding")));
  }
  if (!notes.empty()) page.fact("", notes);
  if (page.detail()) return;
  page.note(fmt::format("What they mean and what to do: rocescope explain {}",
                        blocks.front().lines.front().finding->info->name));
}

}  // namespace rocescope::render
