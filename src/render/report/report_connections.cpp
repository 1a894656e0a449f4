// The table of connections.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
using text::count;

namespace {

using std::string;

/// Counts of both sides together; of evicted connections, those of all their sides.
struct SideCount {
  const char* path;
  std::string_view heading = {};
  std::optional<FindingId> judged_by = {};  ///< the finding that says how many of them are certain
};
constexpr std::string_view kSidesOf = "sides.";
constexpr SideCount kSideCounts[] = {
    {"sides.requests.messages"},
    {"sides.requests.verdicts.retransmission", "resent"},
    {"sides.requests.lost_before", {}, FindingId::kPacketLossBefore},
    {"sides.requests.lost_after", {}, FindingId::kPacketLossAfter},
    {"sides.requests.verdicts.out_of_order", "out of order"},
    {"sides.requests.capture_lost"},
    {"sides.requests.read_responses_lost_before", {}, FindingId::kReadResponseLossBefore},
    {"sides.requests.read_responses_lost_after", {}, FindingId::kReadResponseLossAfter},
    {"sides.requests.read_responses_not_captured"},
    {"sides.requests.sequence_naks"},
    {"sides.requests.rnr_naks"},
    {"sides.requests.fatal_naks"},
    {"sides.ce_packets"},
    {"sides.cnp_packets"}};

/// What was counted on the way is not certain before the whole capture was seen: `18`, `18+` for at least 18, `~18` for about 18.
class JudgedCounts {
 public:
  explicit JudgedCounts(const Report& report) {
    for (const Finding& finding : report.findings) {
      if (finding.connection == 0 || !is_judged(finding.info->id)) continue;
      Amount& amount = amounts_[{finding.connection, finding.info->id}];
      amount.packets += finding.weight;
      amount.strength = std::max(amount.strength, finding.strength);
    }
  }
  [[nodiscard]] string of(const Connection& row, FindingId id) const {
    const auto found = amounts_.find({row.number, id});
    if (found == amounts_.end()) return {};
    const auto& [packets, strength] = found->second;
    return fmt::format("{}{}{}", strength == Strength::kEstimated ? "~" : "", count(packets),
                       strength == Strength::kAtLeast ? "+" : "");
  }

 private:
  struct Amount {
    std::uint64_t packets = 0;
    Strength strength = Strength::kExact;
  };
  [[nodiscard]] static bool is_judged(FindingId id) {
    return std::ranges::any_of(kSideCounts, [&](const SideCount& count) { return count.judged_by == id; });
  }

  std::map<std::pair<std::uint32_t, FindingId>, Amount> amounts_;
};

/// `3 connections evicted, 2 idle, 1 to make room: 12 packets, 1.2 kB, 4 messages, 1 resent`
string evicted_text(const EvictedTotals& evicted) {
  string text = count(evicted.connections, "connection") + " evicted";
  const std::uint64_t idle = evicted.connections - evicted.crowded;
  if (idle > 0) text += fmt::format(", {} idle", count(idle));
  if (evicted.crowded > 0) text += fmt::format(", {} to make room", count(evicted.crowded));
  text += fmt::format(": {} packets, {}", count(evicted.sides.traffic.packets), bytes(evicted.sides.traffic.bytes));
  for (const auto& [path, heading, judged_by] : kSideCounts) {
    if (judged_by) continue;
    const schema::ColumnPath way(schema::kSide, std::string_view(path).substr(kSidesOf.size()));
    schema::Value value;
    way.read(&evicted.sides, value);
    if (value.is_zero()) continue;
    text += fmt::format(", {} {}", count(value.number()), heading.empty() ? way.column().heading : heading);
  }
  return text;
}

}  // namespace

void append_connections(const Report& report, ReportPage& page) {
  if (report.connections.empty() && report.evicted.connections == 0) return;
  page.section("Connections");
  std::vector<TextColumn<Connection>> columns{
      "number",
      {"side", [](const Connection& row) { return to_text(row.sides[0].address, row.sides[0].qpn); }},
      {"peer", [](const Connection& row) { return to_text(row.sides[1].address, row.sides[1].qpn); }},
      "transport",
      "paired_by",
      "path_mtu",
      "sides.packets",
      "sides.bytes"};
  if (report.capture_points.size() > 1) columns.insert(columns.begin() + 1, "capture_point");
  const JudgedCounts judged(report);
  const bool some_unsure = std::ranges::any_of(report.connections, [](const Connection& row) { return row.unsure; });
  for (const auto& [path, heading, judged_by] : kSideCounts) {
    if (!judged_by && !some_unsure) {
      columns.emplace_back(path, Cells::kUnlessZero, heading);
      continue;
    }
    const schema::ColumnPath way(schema::kConnection, path);
    const std::string_view title = heading.empty() ? way.column().heading : heading;
    if (!judged_by) {
      columns.emplace_back(
          title,
          [way](const Connection& row) {
            schema::Value value;
            way.read(&row, value);
            if (value.is_zero()) return string();
            return row.unsure ? string("?") : count(value.number());
          },
          Align::kRight);
      continue;
    }
    columns.emplace_back(
        title, [&judged, id = *judged_by](const Connection& row) { return judged.of(row, id); }, Align::kRight);
  }
  RowTable<Connection> table(report, schema::kConnection, std::move(columns));
  table.rows(report.connections, "connections", page);
  if (some_unsure) page.note("? is not known: copies of these packets are not known from packets that were sent again");
  if (report.evicted.connections > 0) page.note(evicted_text(report.evicted));
  if (report.untracked_connection_packets > 0) {
    page.note(fmt::format("{} packets of further connections, beyond the limit of this table",
                          count(report.untracked_connection_packets)));
  }
}

}  // namespace rocescope::render
