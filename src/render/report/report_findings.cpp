// What went wrong, the worst first.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "render/report/report_sections.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using std::string;
using text::count;

/// The findings of one direction of a connection, or one finding of the whole capture: a line of the report.
struct Trouble {
  Severity severity = Severity::kNote;
  std::uint64_t weight = 0;  ///< of the findings of that severity
  std::vector<const Finding*> findings;
};

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

/// Findings come sorted: the first of a trouble tells its severity.
std::vector<Trouble> troubles_of(const Report& report) {
  std::vector<Trouble> troubles;
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> places;
  for (const Finding& finding : report.findings) {
    std::size_t place = troubles.size();
    if (finding.connection != 0)
      place = places.try_emplace({finding.connection, finding.side.value_or(0)}, place).first->second;
    if (place == troubles.size()) troubles.push_back({.severity = finding.info->severity});
    Trouble& trouble = troubles[place];
    if (finding.info->severity == trouble.severity) trouble.weight += finding.weight;
    trouble.findings.push_back(&finding);
  }
  // A line goes from errors to notes, and from causes to effects, as the registry does.
  for (Trouble& trouble : troubles) {
    std::stable_sort(trouble.findings.begin(), trouble.findings.end(), [](const Finding* a, const Finding* b) {
      if (a->info->severity != b->info->severity) return a->info->severity > b->info->severity;
      return a->info->id < b->info->id;
    });
  }
  std::stable_sort(troubles.begin(), troubles.end(), [](const Trouble& a, const Trouble& b) {
    return std::pair(a.severity, a.weight) > std::pair(b.severity, b.weight);
  });
  return troubles;
}

/// `connection 3, 10.0.0.1 > 10.0.0.2: `; nothing for a finding of the whole capture.
string whose(const Finding& finding, bool has_points) {
  string text;
  if (finding.connection != 0) text = fmt::format("connection {}, ", finding.connection);
  if (finding.connection != 0 && has_points) text += fmt::format("point {}, ", finding.capture_point);
  if (finding.path) text += fmt::format("{} > {}: ", to_text(finding.path->from), to_text(finding.path->to));
  return text;
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
  return fmt::format("packet{} {}{}", named == 1 ? "" : "s", list, seen.count > named ? ", ..." : "");
}

void append_details(const Finding& finding, const SecondsSince& since, ReportPage& page) {
  string text = fmt::format("{}: {}", finding.info->name, finding.info->title);
  if (finding.seen.count > 0) {
    text += fmt::format(", {} s", since(finding.seen.first_time));
    if (finding.seen.last_time != finding.seen.first_time)
      text += fmt::format(" to {} s", since(finding.seen.last_time));
  }
  if (const string packets = packet_list(finding.seen); !packets.empty()) text += ", " + packets;
  page.fact("", text);
  if (!finding.filter.empty()) page.fact("", fmt::format("  -Y '{}'", finding.filter));
}

/// `3 notes: qpn_sequential, small_mtu`
string notes_line(const std::vector<Trouble>& troubles) {
  std::map<std::string_view, std::uint64_t> names;
  std::uint64_t notes = 0;
  for (const Trouble& trouble : troubles) {
    for (const Finding* finding : trouble.findings) {
      if (finding->info->severity != Severity::kNote) continue;
      ++names[finding->info->name];
      ++notes;
    }
  }
  if (notes == 0) return {};
  string text = fmt::format("{} note{}: ", count(notes), notes == 1 ? "" : "s");
  bool first = true;
  for (const auto& [name, number] : names) {
    text += fmt::format("{}{}", first ? "" : ", ", name);
    first = false;
  }
  return text + " (-v shows them)";
}

}  // namespace

void append_findings(const Report& report, ReportPage& page) {
  if (report.totals.roce.packets == 0) return;
  const std::vector<Trouble> troubles = troubles_of(report);
  const string notes = page.detail() ? string() : notes_line(troubles);
  const auto told = [&](const Trouble& trouble) { return page.detail() || trouble.severity > Severity::kNote; };
  const auto tellable = static_cast<std::size_t>(std::count_if(troubles.begin(), troubles.end(), told));
  if (tellable == 0) {
    page.fact("Findings", "nothing wrong was seen", Tone::kGood);
    if (!notes.empty()) page.fact("", notes);
    return;
  }
  page.section("Findings");
  const SecondsSince since(report);
  for (std::size_t i = 0; i < page.shown(tellable); ++i) {
    const Trouble& trouble = troubles[i];
    string line = whose(*trouble.findings.front(), report.capture_points.size() > 1);
    bool first = true;
    for (const Finding* finding : trouble.findings) {
      if (!page.detail() && finding->info->severity == Severity::kNote) continue;
      line += (first ? "" : "; ") + finding->what;
      first = false;
    }
    page.fact(to_string(trouble.severity), line, tone_of(trouble.severity));
    if (!page.detail()) continue;
    for (const Finding* finding : trouble.findings) append_details(*finding, since, page);
  }
  page.rest(tellable, "findings");
  if (!notes.empty()) page.fact("", notes);
  if (page.detail()) return;
  const Finding& worst = *troubles.front().findings.front();
  page.note(fmt::format("What they mean and what to do: rocescope explain {}", worst.info->name));
}

}  // namespace rocescope::render
