// Marks, notifications and classes of a capture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/congestion.hpp"
#include "rocescope/detail/congestion_state.hpp"
#include "rocescope/finding.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Counts into the sides of connections what is theirs, and the rest here.
class CongestionWatch {
 public:
  /// More CNPs to one sender in one window than this are a storm: DCQCN's receivers send one in 50 us.
  static constexpr std::uint64_t kStorm = 100;

  /// `window` in nanoseconds, at least 1. `others` is for packets of no connection.
  CongestionWatch(std::int64_t window, Sightings& others) : window_(window), others_(others) {}

  static constexpr unsigned kWants = traits::kRoce;
  void observe(const TrackedPacket& tracked);
  /// `packets` of one kind from the express lane.
  void count(PacketRole role, Ecn ecn, const TrafficClass& traffic_class, std::uint64_t packets) noexcept {
    ecn_[static_cast<std::size_t>(role)].packets[static_cast<std::size_t>(ecn)] += packets;
    classes_[traffic_class.dscp][traffic_class.pcp.value_or(kPcps - 1)][static_cast<std::size_t>(role)] += packets;
  }
  /// Counts data of a connection in its facts alone.
  void observe_apart(const TrackedPacket& tracked);

  [[nodiscard]] CongestionTotals totals() const;
  /// Ends what goes on in a connection at the end of the capture.
  void settle(Connection& connection) const;

 private:
  friend struct StateMembers;
  static constexpr std::size_t kDscps = 64;
  static constexpr std::size_t kPcps = 9;  // the last one: no VLAN tag

  void observe_data(const TrackedPacket& tracked, Ecn ecn, const TrafficClass& traffic_class);
  void count_marked(const TrackedPacket& tracked, CongestionState& congestion) const;
  void observe_cnp(const TrackedPacket& tracked);
  void look_before(const TrackedPacket& cnp, CongestionState& congestion) const;
  static void end_after(const TrackedPacket& tracked, std::size_t side);
  [[nodiscard]] bool is_over(std::int64_t from, std::int64_t to) const noexcept;

  std::int64_t window_;
  Sightings& others_;
  std::array<EcnCounts, kPacketRoles> ecn_{};
  std::array<std::array<std::array<std::uint64_t, kPacketRoles>, kPcps>, kDscps> classes_{};
  std::uint64_t cnps_ = 0;
  std::uint64_t untracked_cnps_ = 0;
};

}  // namespace rocescope
