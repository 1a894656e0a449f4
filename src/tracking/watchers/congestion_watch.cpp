#include "tracking/watchers/congestion_watch.hpp"

#include <algorithm>
#include <utility>

#include "tracking/elapsed.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope {

/// Whether a window has passed, or the clock went back by one.
bool CongestionWatch::is_over(std::int64_t from, std::int64_t to) const noexcept {
  const std::int64_t passed = elapsed(from, to);
  return passed >= window_ || passed <= -window_;
}

void CongestionWatch::observe(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  if (!is_roce_v2(packet) || tracked.verdict.kind == VerdictKind::kCaptureDuplicate) return;
  const PacketRole role = role_of(packet.roce);
  const Ecn ecn = ecn_of(packet);
  const TrafficClass traffic_class = class_of(packet);
  if (tracked.counts) {
    ecn_[static_cast<std::size_t>(role)].add(ecn);
    ++classes_[traffic_class.dscp][traffic_class.pcp.value_or(kPcps - 1)][static_cast<std::size_t>(role)];
  }
  if (role == PacketRole::kData) {
    if (ecn == Ecn::kNotEct) others_.add(FindingId::kNotEct, packet.frame.number, packet.frame.timestamp);
    if (tracked.connection != nullptr) observe_data(tracked, ecn, traffic_class);
  } else if (role == PacketRole::kCnp) {
    if (tracked.counts) ++cnps_;
    if (tracked.connection == nullptr) {
      if (tracked.counts) ++untracked_cnps_;
    } else {
      observe_cnp(tracked);
    }
  }
}

void CongestionWatch::observe_data(const TrackedPacket& tracked, Ecn ecn, const TrafficClass& traffic_class) {
  const Packet& packet = tracked.packet();
  const std::int64_t now = packet.frame.timestamp;
  ConnectionSide& side = tracked.connection->sides[tracked.sender];
  const bool busy = side.data_class && !is_over(side.last_data_time, now);
  if (side.data_class && !(*side.data_class == traffic_class)) ++side.class_changes;
  side.data_class = traffic_class;
  side.last_data_time = now;
  side.ecn.add(ecn);
  if (busy || ecn == Ecn::kCe) static_cast<void>(side.congestion.make());  // idle queue pairs are many
  Congestion* congestion = side.congestion.get();
  if (congestion == nullptr) return;

  auto& after = congestion->running.after;
  if (after && is_over(after->cnp_time, now)) end_after(side);
  const std::uint64_t bytes = packet.wire_length;
  if (after) after->bytes_after += bytes;
  congestion->running.sent.add(now, bytes, window_);
  if (ecn == Ecn::kCe) {
    side.sightings.add(FindingId::kEcnMarked, packet.frame.number, now, bytes);
    count_marked(tracked, *congestion);
  }
}

void CongestionWatch::count_marked(const TrackedPacket& tracked, Congestion& congestion) const {
  const std::int64_t now = tracked.packet().frame.timestamp;
  Congestion::Running& running = congestion.running;
  ++congestion.marked;
  if (running.unnotified > 0 && is_over(running.first_marked, now)) {
    congestion.marked_unnotified += running.unnotified;
    running.unnotified = 0;
  }
  if (running.unnotified++ == 0) running.first_marked = now;
  running.last_marked = now;
}

void CongestionWatch::observe_cnp(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  const std::int64_t now = packet.frame.timestamp;
  ConnectionSide& notifier = tracked.connection->sides[tracked.sender];
  ConnectionSide& side = tracked.connection->sides[1 - tracked.sender];
  Congestion& congestion = side.congestion.make();
  Congestion::Running& running = congestion.running;
  ++congestion.cnps;
  if (side.data_class && *side.data_class == class_of(packet)) {
    notifier.sightings.add(FindingId::kCnpClass, packet.frame.number, now);
  }

  if (running.unnotified == 0 || is_over(running.last_marked, now)) {
    ++congestion.cnps_without_mark;
    congestion.marked_unnotified += running.unnotified;
  } else if (const std::int64_t delay = elapsed(running.first_marked, now); delay >= 0) {
    notifier.times.add(TimeKind::kCnpDelay, delay);
  }
  running.unnotified = 0;
  if (running.last_cnp) {
    const std::int64_t interval = elapsed(*running.last_cnp, now);
    if (interval >= 0) notifier.times.add(TimeKind::kCnpInterval, interval);
  }
  running.last_cnp = now;

  if (running.cnps_in_window == 0 || is_over(running.cnp_window, now)) {
    running.cnp_window = now;
    running.cnps_in_window = 0;
  }
  ++running.cnps_in_window;
  congestion.most_cnps = std::max(congestion.most_cnps, running.cnps_in_window);
  if (running.cnps_in_window > kStorm) {
    notifier.sightings.add(FindingId::kCnpStorm, packet.frame.number, now);
  }

  if (running.after && is_over(running.after->cnp_time, now)) end_after(side);
  if (!running.after) look_before(packet, congestion);
}

/// Begins to compare, where a whole window before the CNP was seen and something was sent in it.
void CongestionWatch::look_before(const Packet& cnp, Congestion& congestion) const {
  const std::int64_t now = cnp.frame.timestamp;
  const RateMeter& sent = congestion.running.sent;
  const std::uint64_t bytes = sent.before(now, window_);
  if (bytes == 0 || elapsed(sent.since(), now) < window_) return;
  congestion.running.after = {cnp.frame.number, now, bytes, 0};
}

void CongestionWatch::end_after(ConnectionSide& side) const {
  Congestion& congestion = side.congestion.make();
  const Congestion::Running::After after = *congestion.running.after;
  congestion.running.after.reset();
  CnpReaction& reaction = congestion.reaction;
  ++reaction.looked_at;
  reaction.bytes_before += after.bytes_before;
  reaction.bytes_after += after.bytes_after;
  constexpr std::uint64_t kAccuracy = 16;  // of bytes_before
  if (after.bytes_after < after.bytes_before - after.bytes_before / kAccuracy) return;
  ++reaction.not_slower;
  side.sightings.add(FindingId::kCnpWithoutReaction, after.cnp_packet, after.cnp_time, after.bytes_after);
}

void CongestionWatch::settle(Connection& connection) const {
  for (ConnectionSide& side : connection.sides) {
    Congestion* congestion = side.congestion.get();
    if (congestion == nullptr) continue;
    congestion->marked_unnotified += std::exchange(congestion->running.unnotified, 0);
    if (connection.partial) congestion->marked_unnotified = std::min(congestion->marked_unnotified, congestion->marked);
    if (congestion->running.after && is_over(congestion->running.after->cnp_time, connection.last_time))
      end_after(side);
  }
}

CongestionTotals CongestionWatch::totals() const {
  CongestionTotals totals{.ecn = ecn_, .classes = {}, .cnps = cnps_, .untracked_cnps = untracked_cnps_};
  for (std::size_t dscp = 0; dscp < kDscps; ++dscp) {
    for (std::size_t pcp = 0; pcp < kPcps; ++pcp) {
      const auto& packets = classes_[dscp][pcp];
      if (std::all_of(packets.begin(), packets.end(), [](std::uint64_t count) { return count == 0; })) continue;
      const auto priority = pcp + 1 < kPcps ? std::optional(static_cast<std::uint8_t>(pcp)) : std::nullopt;
      totals.classes.push_back({{static_cast<std::uint8_t>(dscp), priority}, packets});
    }
  }
  return totals;
}

}  // namespace rocescope
