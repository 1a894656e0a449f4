#include "analysis/observations.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "analysis/connection_rank.hpp"
#include "analysis/damaged_flows.hpp"
#include "findings/findings.hpp"
#include "sorting/sort.hpp"

namespace rocescope {
namespace {

/// Moves each connection once: they are large, and many.
void sort_by_trouble(std::deque<Connection>& connections) {
  struct Rank {
    std::uint64_t trouble = 0;
    std::uint64_t bytes = 0;
    std::size_t from = 0;
  };
  std::vector<Rank> ranks;
  ranks.reserve(connections.size());
  for (const Connection& connection : connections)
    ranks.push_back({trouble_packets(connection), wire_bytes(connection), ranks.size()});
  sorting::stable_sort(ranks, [](const Rank& a, const Rank& b) {
    return std::pair(a.trouble, a.bytes) > std::pair(b.trouble, b.bytes);
  });
  for (std::size_t start = 0; start < ranks.size(); ++start) {
    if (ranks[start].from == start) continue;
    Connection first = std::move(connections[start]);
    std::size_t to = start;
    while (ranks[to].from != start) {
      connections[to] = std::move(connections[ranks[to].from]);
      to = std::exchange(ranks[to].from, to);
    }
    connections[to] = std::move(first);
    ranks[to].from = to;
  }
}

std::uint64_t all_dropped(const Report& report) {
  std::uint64_t dropped = 0;
  for (const CaptureReport& capture : report.captures) {
    dropped += std::min(dropped_packets(capture.info), std::numeric_limits<std::uint64_t>::max() - dropped);
  }
  return dropped;
}

}  // namespace

Report conclude(Observations&& observations) {
  Report report = std::move(observations.report);
  sort_by_trouble(report.connections);
  // A selection may leave them out, or only copies of other packets made them a point.
  std::erase_if(report.capture_points, [](const CapturePoint& point) { return point.roce.packets == 0; });
  if (report.icrc.bad > 0 || !report.icrc.unverifiable.empty()) {
    DamagedFlows(report.flows, observations.other_flows, !report.icrc.unverifiable.empty()).remove_from(report);
  }
  for (const Connection& connection : report.connections) {
    if (connection.repeated) continue;
    for (const ConnectionSide& side : connection.sides) report.times.merge(side.times);
  }
  report.times.merge(report.evicted.sides.times);
  const bool is_whole = report.totals.traffic.packets == report.packets_read;
  report.findings = find_findings({.tracking = report,
                                   .dropped = all_dropped(report),
                                   .verifies_icrc = report.icrc.verified,
                                   .totals = report.totals,
                                   .stops = report.stops,
                                   .flows = &report.flows,
                                   .other_flows = &observations.other_flows,
                                   .cm_events = report.cm_events,
                                   .evicted = &report.evicted,
                                   .comparisons = report.comparisons,
                                   .commands = &observations.command_troubles,
                                   .listed = is_whole ? &report.commands : nullptr});
  if (observations.evicted_findings.empty()) return report;
  std::ranges::move(observations.evicted_findings, std::back_inserter(report.findings));
  sort_findings(report.findings);
  return report;
}

}  // namespace rocescope
