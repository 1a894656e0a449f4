#include "analysis/report_builder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/connection_rank.hpp"
#include "findings/findings.hpp"

namespace rocescope {

void ReportBuilder::count(const PacketRecord& record) {
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
}

void ReportBuilder::tell(const PacketRecord& record) { connections_.add(record.verdict.connection); }

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
  report.evicted = evicted_;
  report.evicted.flows = flows_.evicted();
}

bool ReportBuilder::is_narrowed(const ReadFacts& facts) const {
  return all_.totals().traffic.packets != facts.packets_read;
}

void ReportBuilder::narrow(Report& report, const ReadFacts& facts) const {
  std::erase_if(report.connections, [this](const Connection& connection) { return !is_told(connection.number); });
  if (!is_narrowed(facts)) return;
  std::erase_if(report.memory_regions, [this](const MemoryRegion& region) {
    return !region.more_users &&
           std::ranges::none_of(region.users, [this](std::uint32_t number) { return is_told(number); });
  });
  std::erase_if(report.handshakes, [this](const Handshake& handshake) { return !is_told(handshake); });
}

void ReportBuilder::evict(const Eviction& eviction, const ReadFacts& facts) {
  Report evicted;
  for (const CaptureInfo& capture : facts.captures) evicted.captures.push_back({capture, {}});
  evicted.handshakes = eviction.handshakes;
  evicted.memory_regions = eviction.memory_regions;
  for (const EvictedConnection& each : eviction.connections) {
    if (is_told(each.connection.number)) evicted_.add(each.connection, each.crowded);
    evicted.connections.push_back(each.connection);
  }
  narrow(evicted, facts);
  evicted_.handshakes += evicted.handshakes.size();
  for (const MemoryRegion& region : std::exchange(evicted.memory_regions, {})) evicted_.regions.add(region);
  if (eviction.idle_since) {
    flows_.evict(*eviction.idle_since);
    ud_flows_.evict(*eviction.idle_since);
  }
  keep_findings(evicted);
}

/// Of each connection and handshake alone: what is told of many together is told of those that are here at the end.
void ReportBuilder::keep_findings(const Report& evicted) {
  for (Finding& finding : find_findings(evicted)) {
    if (finding.connection != 0 || finding.handshake != 0) evicted_findings_.push_back(std::move(finding));
  }
  if (evicted_findings_.size() >= 2 * kMostFindings) trim_findings();
}

void ReportBuilder::trim_findings() {
  if (evicted_findings_.size() <= kMostFindings) return;
  sort_findings(evicted_findings_);
  evicted_.unlisted_findings += evicted_findings_.size() - kMostFindings;
  evicted_findings_.resize(kMostFindings);
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
    report.memory_regions = std::move(tracking.memory_regions);
    report.handshakes = std::move(tracking.handshakes);
    narrow(report, facts);
    sort_by_trouble(report.connections);
    report.untracked_connection_packets = tracking.untracked_packets;
    for (const Connection& connection : report.connections) {
      for (const ConnectionSide& side : connection.sides) report.times.merge(side.times);
    }
    report.times.merge(evicted_.sides.times);
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
  trim_findings();
  evicted_.flows = flows_.evicted();
  evicted_.ud_flows = ud_flows_.evicted();
  report.evicted = std::move(evicted_);
  report.findings = find_findings(report);
  if (evicted_findings_.empty()) return report;
  std::ranges::move(evicted_findings_, std::back_inserter(report.findings));
  sort_findings(report.findings);
  return report;
}

}  // namespace rocescope
