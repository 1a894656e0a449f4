#include "tracking/watchers/congestion_watch.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/connection_state.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope {
namespace {

/// The counts of a side that packets go to which count, or which do not.
ConnectionSide& counts_of(const TrackedPacket& tracked, std::size_t side, bool counts) {
  return counts == tracked.counts ? tracked.connection->sides[side] : tracked.state->uncounted.make().sides[side];
}

/// The marked packets since the last CNP were not notified of.
void miss(const TrackedPacket& tracked, std::size_t side) {
  CongestionState::Running& running = tracked.connection->sides[side].congestion.make().running;
  counts_of(tracked, side, true).congestion.make().marked_unnotified += running.counted_unnotified;
  running.unnotified = running.counted_unnotified = 0;
}

/// The window behind a CNP is over.
void end(const CongestionState::Running::After& after, ConnectionSide& side) {
  CnpReaction& reaction = side.congestion.make().reaction;
  ++reaction.looked_at;
  reaction.bytes_before += after.bytes_before;
  reaction.bytes_after += after.bytes_after;
  constexpr std::uint64_t kAccuracy = 16;  // of bytes_before
  if (after.bytes_after < after.bytes_before - after.bytes_before / kAccuracy) return;
  ++reaction.not_slower;
  side.sightings.add(FindingId::kCnpWithoutReaction, after.cnp_packet, after.cnp_time, after.bytes_after);
}

}  // namespace

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
  const bool in_totals = tracked.counts && !tracked.record.repeated;
  if (in_totals) count(role, ecn, traffic_class, 1);
  if (role == PacketRole::kData) {
    if (ecn == Ecn::kNotEct) others_.add(FindingId::kNotEct, packet.frame.number, packet.frame.timestamp);
    if (tracked.connection != nullptr) observe_data(tracked, ecn, traffic_class);
  } else if (role == PacketRole::kCnp) {
    if (in_totals) ++cnps_;
    if (tracked.connection == nullptr) {
      if (in_totals) ++untracked_cnps_;
    } else {
      observe_cnp(tracked);
    }
  }
}

void CongestionWatch::observe_apart(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  if (!is_roce_v2(packet) || tracked.verdict.kind == VerdictKind::kCaptureDuplicate) return;
  if (role_of(packet.roce) == PacketRole::kData) observe_data(tracked, ecn_of(packet), class_of(packet));
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
  CongestionState* congestion = side.congestion.get();
  if (congestion == nullptr) return;

  auto& after = congestion->running.after;
  if (after && is_over(after->cnp_time, now)) end_after(tracked, tracked.sender);
  const std::uint64_t bytes = packet.wire_length;
  if (after) after->bytes_after += bytes;
  congestion->running.sent.add(now, bytes, window_);
  if (ecn == Ecn::kCe) {
    side.sightings.add(FindingId::kEcnMarked, packet.frame.number, now, bytes);
    count_marked(tracked, *congestion);
  }
}

void CongestionWatch::count_marked(const TrackedPacket& tracked, CongestionState& congestion) const {
  const std::int64_t now = tracked.packet().frame.timestamp;
  CongestionState::Running& running = congestion.running;
  ++congestion.marked;
  if (running.unnotified > 0 && is_over(running.first_marked, now)) miss(tracked, tracked.sender);
  if (running.unnotified++ == 0) running.first_marked = now;
  if (tracked.counts) ++running.counted_unnotified;
  running.last_marked = now;
}

void CongestionWatch::observe_cnp(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  const std::int64_t now = packet.frame.timestamp;
  ConnectionSide& notifier = tracked.connection->sides[tracked.sender];
  ConnectionSide& side = tracked.connection->sides[1 - tracked.sender];
  CongestionState& congestion = side.congestion.make();
  CongestionState::Running& running = congestion.running;
  ++congestion.cnps;
  if (side.data_class && *side.data_class == class_of(packet)) {
    notifier.sightings.add(FindingId::kCnpClass, packet.frame.number, now);
  }

  if (running.unnotified == 0 || is_over(running.last_marked, now)) {
    ++congestion.cnps_without_mark;
    miss(tracked, 1 - tracked.sender);
  } else if (const std::int64_t delay = elapsed(running.first_marked, now); delay >= 0) {
    notifier.times.add(TimeKind::kCnpDelay, delay);
  }
  running.unnotified = running.counted_unnotified = 0;
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

  if (running.after && is_over(running.after->cnp_time, now)) end_after(tracked, 1 - tracked.sender);
  if (!running.after) look_before(tracked, congestion);
}

/// Begins to compare, where a whole window before the CNP was seen and something was sent in it.
void CongestionWatch::look_before(const TrackedPacket& cnp, CongestionState& congestion) const {
  const Frame& frame = cnp.packet().frame;
  const std::int64_t now = frame.timestamp;
  const RateMeter& sent = congestion.running.sent;
  const std::uint64_t bytes = sent.before(now, window_);
  if (bytes == 0 || elapsed(sent.since(), now) < window_) return;
  congestion.running.after = {frame.number, now, bytes, 0, cnp.counts};
}

void CongestionWatch::end_after(const TrackedPacket& tracked, std::size_t side) {
  auto& running = tracked.connection->sides[side].congestion.make().running;
  const CongestionState::Running::After after = *running.after;
  running.after.reset();
  end(after, counts_of(tracked, side, after.counts));
}

void CongestionWatch::settle(Connection& connection) const {
  for (ConnectionSide& side : connection.sides) {
    CongestionState* congestion = side.congestion.get();
    if (congestion == nullptr) continue;
    CongestionState::Running& running = congestion->running;
    congestion->marked_unnotified += std::exchange(running.counted_unnotified, 0);
    running.unnotified = 0;
    const auto after = std::exchange(running.after, std::nullopt);
    if (after && after->counts && is_over(after->cnp_time, connection.last_time)) end(*after, side);
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
