#include "report_builder.hpp"

#include <algorithm>
#include <utility>

#include "connection_rank.hpp"
#include "findings.hpp"

namespace rocescope {

void ReportBuilder::add(const PacketRecord& record) {
  const std::uint32_t capture = record.packet->frame.capture_id;
  if (capture >= by_capture_.size()) by_capture_.resize(capture + 1U);
  by_capture_[capture].add(record);
  all_.add(record);
  start_ = std::min(start_.value_or(record.first_timestamp), record.packet->frame.timestamp);
  protocols_.add(record);
  operations_.add(record);
  flows_.add(record);
  ud_flows_.add(record);
  cm_.add(record);
  icrc_.add(record);
  stops_.add(record);
  const std::uint32_t connection = record.verdict.connection;
  if (connection >= connections_.size()) connections_.resize(connection + 1U);
  connections_[connection] = true;
}

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
  std::stable_sort(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) {
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

}  // namespace

bool ReportBuilder::is_told(const Handshake& handshake) const {
  if (handshake.connection != 0 && is_told(handshake.connection)) return true;
  return std::any_of(handshake.steps.begin(), handshake.steps.end(), [this](const HandshakeStep& step) {
    return std::ranges::binary_search(cm_.events(), step.packet, {}, &CmEvent::packet);
  });
}

void ReportBuilder::tell_evidence(Report& report) const {
  report.flows = FlowTable(flows_).flows();
  report.cm_events = cm_.events();
  report.stops = stops_.counts();
}

Report ReportBuilder::finish(const ReadFacts& facts) && {
  Report report;
  for (std::size_t i = 0; i < facts.captures.size(); ++i) {
    report.captures.push_back({facts.captures[i], i < by_capture_.size() ? by_capture_[i].totals() : CaptureTotals{}});
  }
  report.totals = all_.totals();
  report.packets_read = facts.packets_read;
  report.start = start_;
  report.protocols = protocols_.protocols();
  report.untracked_protocols = protocols_.untracked();
  report.other_packets = protocols_.other_packets();
  report.operations = operations_.counts();
  report.ud_flows = ud_flows_.flows();
  report.untracked_ud_flows = ud_flows_.untracked();
  if (facts.tracker != nullptr) {
    Tracking tracking = std::move(*facts.tracker).finish();
    report.connections = std::move(tracking.connections);
    std::erase_if(report.connections, [this](const Connection& connection) { return !is_told(connection.number); });
    sort_by_trouble(report.connections);
    report.untracked_connection_packets = tracking.untracked_packets;
    report.memory_regions = std::move(tracking.memory_regions);
    std::erase_if(report.memory_regions, [this](const MemoryRegion& region) {
      return !region.more_users && std::none_of(region.users.begin(), region.users.end(),
                                                [this](std::uint32_t number) { return is_told(number); });
    });
    for (const Connection& connection : report.connections) {
      for (const ConnectionSide& side : connection.sides) report.times.merge(side.times);
    }
    report.rates = std::move(tracking.rates);
    report.host_rates = std::move(tracking.host_rates);
    report.hosts = std::move(tracking.hosts);
    report.untracked_host_packets = tracking.untracked_host_packets;
    report.congestion = std::move(tracking.congestion);
    report.pauses = std::move(tracking.pauses);
    report.untracked_pause_frames = tracking.untracked_pause_frames;
    report.untracked_region_requests = tracking.untracked_region_requests;
    report.sightings = std::move(tracking.sightings);
    report.breaches = std::move(tracking.breaches);
    report.handshakes = std::move(tracking.handshakes);
    const bool narrowed = all_.totals().traffic.packets != facts.packets_read;
    std::erase_if(report.handshakes, [&](const Handshake& handshake) { return narrowed && !is_told(handshake); });
    report.unlisted_handshakes = tracking.unlisted_handshakes;
  }
  report.flows = std::move(flows_).flows();  // in what connections gave back
  report.untracked_flows = flows_.untracked();
  report.cm_events = cm_.events();
  report.unlisted_cm_events = cm_.unlisted();
  report.icrc = icrc_.totals();
  report.icrc.verified = facts.icrc_verified;
  report.icrc.unsearched = facts.icrc_unsearched;
  report.stops = stops_.counts();
  report.findings = find_findings(report);
  return report;
}

}  // namespace rocescope
