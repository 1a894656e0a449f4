#include "analysis/live_monitor.hpp"

#include <algorithm>
#include <utility>

#include "analysis/analysis.hpp"
#include "findings/findings.hpp"
#include "model/counters.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope {
namespace {

/// How long what a finding misses may still come. The CM tries 15 times with four seconds each.
constexpr std::int64_t kPatience = 60'000'000'000;

bool rests_on_silence(FindingId id) noexcept {
  return id == FindingId::kCmIncomplete || id == FindingId::kCmTimeout || id == FindingId::kOneSided;
}

bool is_retransmission(VerdictKind kind) noexcept {
  return kind == VerdictKind::kRetransmission || kind == VerdictKind::kReadResponseRetransmission;
}

}  // namespace

LiveTotals LiveTotals::since(const LiveTotals& before) const noexcept {
  LiveTotals since = *this;
  for_each_counter(
      since, [](std::uint64_t& now, std::uint64_t then) { now -= then; }, before);
  return since;
}

void LiveMonitor::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return;
  if (record.verdict.damaged) return add_change(record.verdict.connection);
  if (is_retransmission(record.verdict.kind)) ++counted_.retransmitted_packets;
  if (packet.roce.opcode->operation == Operation::kCnp) ++counted_.cnps;
  if (is_ce_marked(packet)) ++counted_.ce_packets;
  if (const auto aeth = packet.header<Aeth>()) {
    if (aeth->kind() == AethKind::kNak || aeth->kind() == AethKind::kRnrNak) ++counted_.naks;
  }
  const std::uint32_t connection = record.verdict.connection;
  if (record.icrc.status == IcrcStatus::kBad && connection != 0 && !was_reported(FindingId::kIcrcBadAllTx)) {
    with_bad_icrc_.insert(connection);
  }
  add_change(connection);
}

void LiveMonitor::add_change(std::uint32_t connection) {
  if (connection != 0 && is_changed_.add(connection)) changed_.push_back(connection);
}

void LiveMonitor::evict(const Tracking& evicted, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (reported_.insert(key_of(finding)).second) next_.findings.push_back(finding);
  }
  for (const Connection& connection : evicted.connections) forget(connection);
  for (const Handshake& handshake : evicted.handshakes) {
    forget(first_key(0, handshake.number), first_key(0, handshake.number + 1));
    forget(first_key(handshake.connection, handshake.number), first_key(handshake.connection, handshake.number + 1));
  }
}

void LiveMonitor::forget(const Connection& connection) {
  for (const std::uint32_t number : {connection.number, connection.joined}) {
    if (number == 0) continue;
    is_changed_.erase(number);
    with_bad_icrc_.erase(number);
    is_unsure_.erase(number);
    forget(first_key(number, 0), first_key(number + 1, 0));
    if (!is_reported_.contains(number)) continue;
    is_reported_.erase(number);
    next_.gone.push_back({.number = number});
  }
}

void LiveMonitor::forget(const Key& first, const Key& end) {
  for (std::set<Key>* keys : {&reported_, &waiting_}) keys->erase(keys->lower_bound(first), keys->lower_bound(end));
}

LiveTotals LiveMonitor::totals(const Analysis& analysis) const {
  LiveTotals totals = counted_;
  totals.traffic = analysis.counters().totals().traffic;
  totals.roce = analysis.counters().totals().roce;
  totals.evicted_crowded = analysis.evicted().crowded;
  totals.evicted_idle = analysis.evicted().connections - analysis.evicted().crowded;
  return totals;
}

LiveMonitor::Extent LiveMonitor::extent_of_look(std::int64_t time, const Analysis& analysis, LookKind kind) {
  constexpr std::size_t kFew = 1000;
  constexpr std::int64_t kSeldom = 10'000'000'000;
  // The end shows something of connections that did not change: that nobody answered a command, say.
  if (kind == LookKind::kLast || analysis.counters().evidence() <= kFew) return Extent::kAll;
  if (time < last_wide_look_ + kSeldom) return Extent::kChanges;
  last_wide_look_ = time;
  return Extent::kEvidence;
}

/// Connections that a finding may concern whose evidence lies in several connections.
std::vector<std::uint32_t> LiveMonitor::connections_with_evidence(Extent extent, const Analysis& analysis,
                                                                  std::span<const MemoryRegion> regions) const {
  if (extent == Extent::kChanges) return {};
  if (extent == Extent::kAll) return analysis.tracker().counted_numbers();
  std::vector<std::uint32_t> numbers;
  numbers.assign(with_bad_icrc_.begin(), with_bad_icrc_.end());
  for (const MemoryRegion& region : regions) {
    if (region.refused > 0 && !region.users.empty()) numbers.push_back(region.users.front());
  }
  return numbers;
}

/// Besides, those that changed, and those in which something was waited for.
std::vector<std::uint32_t> LiveMonitor::connections_to_look_at(std::vector<std::uint32_t> numbers, std::int64_t time,
                                                               LookKind kind) {
  numbers.insert(numbers.end(), changed_.begin(), changed_.end());
  for (; !again_.empty() && (again_.front().first <= time || kind == LookKind::kLast); again_.pop_front()) {
    numbers.push_back(again_.front().second);
    is_unsure_.erase(again_.front().second);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

LiveUpdate LiveMonitor::look(std::int64_t time, Analysis& analysis, std::span<const LiveCounters> counters,
                             LookKind kind) {
  LiveUpdate update = std::exchange(next_, {});
  update.time = time;
  update.duration = time - std::exchange(last_look_, time);
  update.total = totals(analysis);
  update.interval = update.total.since(std::exchange(before_, update.total));
  for (const CaptureInterface& interface : analysis.captures().front().interfaces) {
    update.interfaces.push_back(interface.name);
  }
  update.counters.assign(counters.begin(), counters.end());
  update.followed = analysis.tracker().followed();
  for (Finding& finding : find_new(time, analysis, kind, update)) {
    const Key key = key_of(finding);
    if (reported_.contains(key) || !is_due(finding, key, time, kind)) continue;
    reported_.insert(key);
    update.findings.push_back(std::move(finding));
  }
  sort_findings(update.findings);
  if (was_reported(FindingId::kIcrcBadAllTx)) with_bad_icrc_.clear();
  std::erase_if(update.connections, [this](const Connection& each) { return !is_changed_.contains(each.number); });
  for (const std::uint32_t number : std::exchange(changed_, {})) is_changed_.erase(number);
  find_gone(update);
  return update;
}

std::vector<LiveCommands> LiveMonitor::since_last(const std::vector<LiveCommands>& total) {
  std::vector<LiveCommands> since;
  for (const LiveCommands& now : total) {
    const auto before = std::ranges::find_if(commands_before_, [&](const LiveCommands& each) {
      return each.protocol == now.protocol && each.operation == now.operation;
    });
    LiveCommands row = now.since(before == commands_before_.end() ? LiveCommands() : *before);
    if (row.over > 0 || row.outstanding > 0) since.push_back(std::move(row));
  }
  commands_before_ = total;
  return since;
}

/// In what changed: what was found in the rest was found before. Leaves what it looked at in `update`.
std::vector<Finding> LiveMonitor::find_new(std::int64_t time, Analysis& analysis, LookKind kind, LiveUpdate& update) {
  const Tracker& tracker = analysis.tracker();
  const PacketCounters& counted = analysis.counters();
  const Extent extent = extent_of_look(time, analysis, kind);
  const bool wide = extent != Extent::kChanges;
  std::vector<MemoryRegion> regions = wide ? tracker.memory_regions() : std::vector<MemoryRegion>();
  Tracking tracking =
      tracker.snapshot(connections_to_look_at(connections_with_evidence(extent, analysis, regions), time, kind));
  tracking.memory_regions = std::move(regions);
  analysis.narrow(tracking);
  // Only the end shows which packets never came to another capture point.
  std::vector<FlowComparison> comparisons =
      kind == LookKind::kLast ? analysis.comparisons(tracking.connections) : std::vector<FlowComparison>();
  analysis.mark_unsure(tracking.connections, comparisons);
  for (const Connection& connection : tracking.connections) {
    if (connection.unsure && is_unsure_.add(connection.number))
      again_.emplace_back(time + kPatience, connection.number);
  }
  EvictedTotals evicted = wide ? analysis.evicted() : EvictedTotals();
  if (wide) evicted.flows = counted.evicted_flows();
  const std::deque<Flow> flows = wide ? counted.flows() : std::deque<Flow>();
  const std::deque<Flow> other_flows = wide ? counted.other_flows() : std::deque<Flow>();
  const std::vector<StopCount> stops = wide ? counted.stops() : std::vector<StopCount>();
  std::vector<Finding> found = find_findings({.tracking = tracking,
                                              .dropped = analysis.dropped(),
                                              .totals = counted.totals(),
                                              .stops = stops,
                                              .flows = &flows,
                                              .other_flows = &other_flows,
                                              .cm_events = wide ? counted.cm_events() : std::span<const CmEvent>(),
                                              .evicted = &evicted,
                                              .comparisons = comparisons,
                                              .commands = &analysis.command_troubles()});
  update.connections = std::move(tracking.connections);
  return found;
}

/// The packet that shows two directions to belong together is a packet of the connection that stays.
void LiveMonitor::find_gone(LiveUpdate& update) {
  for (const Connection& connection : update.connections) {
    is_reported_.add(connection.number);
    if (!is_reported_.contains(connection.joined)) continue;
    is_reported_.erase(connection.joined);
    forget(first_key(connection.joined, 0), first_key(connection.joined + 1, 0));
    update.gone.push_back({.number = connection.joined, .part_of = connection.number});
  }
}

bool LiveMonitor::is_due(const Finding& finding, const Key& key, std::int64_t time, LookKind kind) {
  if (!rests_on_silence(finding.info->id)) return true;
  if (kind == LookKind::kLast || time - finding.seen.first_time >= kPatience) {
    waiting_.erase(key);
    return true;
  }
  // Handshakes are looked at each time.
  if (finding.connection != 0 && waiting_.insert(key).second) again_.emplace_back(time + kPatience, finding.connection);
  return false;
}

}  // namespace rocescope
