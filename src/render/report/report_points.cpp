// Capture points, and what became of packets between two of them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
using text::count;

namespace {

using std::string;

bool has_unordered(const Report& report) {
  return std::ranges::any_of(report.comparisons, [](const FlowComparison& row) { return !row.ordered; });
}

}  // namespace

/// What became of all packets between two points, where it is known which they pass first.
struct Between {
  std::uint64_t packets = 0;
  std::uint64_t lost = 0;
  std::uint64_t missed = 0;  // may be lost, or the capture missed them
  bool by_messages = false;
};

/// How many packets of a row may have been missed, among those that only the first point saw: the finding of the row
/// says how many were lost.
std::uint64_t missed_of(const FlowComparison& row, const Report& report) {
  for (const Finding& finding : report.findings) {
    const bool is_of_row = row.from_connection != 0 && finding.connection == row.from_connection && finding.path &&
                           finding.path->from == row.source && finding.seen.packets == row.lost.packets;
    if (!is_of_row) continue;
    if (finding.info->id == FindingId::kPacketLossBetween)
      return row.only_from - std::min(row.only_from, finding.weight);
    if (finding.info->id == FindingId::kCaptureLoss) return row.only_from;
  }
  return std::min(row.only_from, row.in_rows);  // it has none: another row has it, or there is no connection
}

std::map<std::pair<std::uint16_t, std::uint16_t>, Between> lost_between(const Report& report) {
  std::map<std::pair<std::uint16_t, std::uint16_t>, Between> between;
  for (const FlowComparison& row : report.comparisons) {
    if (!row.ordered) continue;
    Between& its = between[std::minmax({row.from, row.to})];
    const std::uint64_t missed = row.only_from == 0 ? 0 : missed_of(row, report);
    its.packets += row.both + row.only_from;
    its.lost += row.only_from - missed;
    its.missed += missed;
    its.by_messages = its.by_messages || row.by_messages;
  }
  return between;
}

/// `point 1: 5,047 packets at eth0`, `points 1 and 2: lost between: 0 of 5,047 packets`
void append_points(const Report& report, ReportPage& page) {
  if (report.capture_points.size() < 2) return;
  std::string_view label = "Points";
  for (const CapturePoint& point : report.capture_points) {
    string places;
    for (const string& place : point.places) places += (places.empty() ? "" : "; ") + safe_text(place);
    page.fact(std::exchange(label, ""),
              fmt::format("{}: {} RoCE packets at {}", point.number, count(point.roce.packets), places));
  }
  for (const auto& [points, its] : lost_between(report)) {
    const string packets = count(its.packets, "packet");
    const string points_text = fmt::format("{} and {}: ", points.first, points.second);
    if (its.lost == 0 && its.missed > 0) {
      page.fact("",
                fmt::format("{}{} of {} lost between or missed by a capture", points_text, count(its.missed), packets));
      continue;
    }
    if (its.lost == 0 && its.by_messages) {
      page.fact("", fmt::format("{}none of {}, ACKs left out, is known to be lost between", points_text, packets));
      continue;
    }
    const bool is_least = its.by_messages || its.missed > 0;
    page.fact(
        "", fmt::format(
                "{}lost between: {}{} of {}{}{}", points_text, is_least ? "at least " : "", count(its.lost), packets,
                its.by_messages ? ", ACKs left out" : "",
                its.missed == 0 ? "" : fmt::format("; {} more lost there or missed by a capture", count(its.missed))));
  }
}

void append_comparisons(const Report& report, ReportPage& page) {
  if (report.comparisons.empty()) return;
  page.section("Between capture points");
  std::vector<TextColumn<FlowComparison>> columns{
      {"source", [](const FlowComparison& row) { return to_text(row.source); }},
      {"destination", [](const FlowComparison& row) { return to_text(row.destination, row.dest_qp); }},
      "from_point",
      "to_point",
      "both_packets",
      "only_from_packets",
      {"only_to_packets", Cells::kUnlessZero},
      {"uncompared_packets", Cells::kUnlessZero},
      {"duplicated_packets", Cells::kUnlessZero},
      {"reordered_packets", Cells::kUnlessZero},
      {"damaged_packets", Cells::kUnlessZero},
      "delay_p50",
      "delay_p99",
      "delay_max"};
  RowTable<FlowComparison> table(report, schema::kComparison, std::move(columns));
  table.rows(report.comparisons, "flows", page);
  if (has_unordered(report)) {
    page.note(
        "where only one direction passed two files, nothing shows which point comes first: \"lost\" may be \"missed\"");
  }
  if (std::ranges::any_of(report.comparisons, &FlowComparison::by_messages)) {
    page.note(
        "points of different results are compared by their messages: requests and READ responses, at least so many "
        "lost");
  }
  std::optional<std::int64_t> difference;
  for (const FlowComparison& row : report.comparisons) {
    if (row.one_clock || !row.clock_difference) continue;
    difference = row.clock_difference;
    page.note(
        fmt::format("the clock of point {} is about {} {} that of point {}, if both directions take the same time; "
                    "the delays are by the clocks as they are",
                    row.to, text::duration(std::abs(*difference)), *difference < 0 ? "behind" : "ahead of", row.from));
    break;
  }
  if (report.uncompared_packets > 0) {
    page.note(
        fmt::format("{} packets of further flows, beyond the limit of this table", count(report.uncompared_packets)));
  }
}

}  // namespace rocescope::render
