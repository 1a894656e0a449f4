#include "live_monitor.hpp"

#include <algorithm>
#include <utility>

#include "findings.hpp"
#include "rocescope/headers/aeth.hpp"

namespace rocescope {
namespace {

Traffic since(const Traffic& now, const Traffic& before) noexcept {
  return {.packets = now.packets - before.packets, .bytes = now.bytes - before.bytes};
}

bool is_retransmission(VerdictKind kind) noexcept {
  return kind == VerdictKind::kRetransmission || kind == VerdictKind::kReadResponseRetransmission;
}

}  // namespace

LiveTotals LiveTotals::since(const LiveTotals& before) const noexcept {
  return {.traffic = rocescope::since(traffic, before.traffic),
          .roce = rocescope::since(roce, before.roce),
          .retransmitted_packets = retransmitted_packets - before.retransmitted_packets,
          .naks = naks - before.naks,
          .cnps = cnps - before.cnps,
          .ce_packets = ce_packets - before.ce_packets};
}

void LiveMonitor::add(const PacketRecord& record) {
  counter_.add(record);
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return;
  if (is_retransmission(record.verdict.kind)) ++counted_.retransmitted_packets;
  if (packet.roce.opcode->operation == Operation::kCnp) ++counted_.cnps;
  constexpr unsigned kEcnMask = 3;
  if ((packet.traffic_class & kEcnMask) == kEcnMask) ++counted_.ce_packets;
  if (const auto aeth = packet.header<Aeth>()) {
    if (aeth->kind() == AethKind::kNak || aeth->kind() == AethKind::kRnrNak) ++counted_.naks;
  }
  const std::uint32_t connection = record.verdict.connection;
  if (connection == 0) return;
  if (connection >= is_changed_.size()) is_changed_.resize(connection + 1U);
  if (is_changed_[connection]) return;
  is_changed_[connection] = true;
  changed_.push_back(connection);
}

LiveTotals LiveMonitor::totals() const {
  LiveTotals totals = counted_;
  totals.traffic = counter_.totals().traffic;
  totals.roce = counter_.totals().roce;
  return totals;
}

LiveUpdate LiveMonitor::look(std::int64_t time, const Tracker& tracker, const CaptureInfo& capture,
                             std::span<const LiveCounters> counters) {
  LiveUpdate update;
  update.time = time;
  update.duration = time - std::exchange(last_look_, time);
  update.total = totals();
  update.interval = update.total.since(std::exchange(before_, update.total));
  for (const CaptureInterface& interface : capture.interfaces) update.interfaces.push_back(interface.name);
  update.counters.assign(counters.begin(), counters.end());
  std::sort(changed_.begin(), changed_.end());
  Tracking tracking = tracker.snapshot(changed_);
  for (const std::uint32_t number : std::exchange(changed_, {})) is_changed_[number] = false;

  Report report;  // of what changed: what was found in the rest was found before
  report.captures.push_back({capture, counter_.totals()});
  report.totals = counter_.totals();
  report.connections = std::move(tracking.connections);
  report.handshakes = std::move(tracking.handshakes);
  report.sightings = std::move(tracking.sightings);
  report.breaches = std::move(tracking.breaches);
  report.congestion = std::move(tracking.congestion);
  report.pauses = std::move(tracking.pauses);
  find_new(report, update);
  update.connections = std::move(report.connections);
  find_gone(update);
  return update;
}

/// The packet that shows two directions to belong together is a packet of the connection that stays.
void LiveMonitor::find_gone(LiveUpdate& update) {
  is_told_.resize(is_changed_.size());
  for (const Connection& connection : update.connections) {
    is_told_[connection.number] = true;
    if (!is_told_[connection.joined]) continue;
    is_told_[connection.joined] = false;
    update.gone.push_back({.number = connection.joined, .part_of = connection.number});
  }
}

void LiveMonitor::find_new(const Report& report, LiveUpdate& update) {
  for (Finding& finding : find_findings(report)) {
    const Key key{finding.info->id, finding.connection, finding.side.value_or(2), finding.handshake};
    if (told_.insert(key).second) update.findings.push_back(std::move(finding));
  }
}

}  // namespace rocescope
