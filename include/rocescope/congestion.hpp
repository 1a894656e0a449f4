// Congestion and flow control: marks, notifications, and what a sender did about them; PFC and PAUSE.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rocescope/bytes.hpp"

namespace rocescope {

// Congestion: marks (ECN, RFC 3168), the notifications that they cause (CNP, IBTA A17.9.3), and what a sender did about them.

/// What a RoCEv2 packet is for.
enum class PacketRole : std::uint8_t {
  kData,  ///< requests and READ responses; datagrams
  kAck,   ///< Acknowledge and ATOMIC Acknowledge
  kCnp,
  kCm,  ///< to queue pair 1
};
inline constexpr std::size_t kPacketRoles = static_cast<std::size_t>(PacketRole::kCm) + 1;

[[nodiscard]] constexpr std::string_view to_string(PacketRole role) noexcept {
  constexpr std::string_view kNames[kPacketRoles] = {"data", "ack", "cnp", "cm"};
  return kNames[static_cast<std::size_t>(role)];
}

/// The last two bits of the IPv4 TOS or the IPv6 traffic class.
enum class Ecn : std::uint8_t { kNotEct, kEct1, kEct0, kCe };
inline constexpr std::size_t kEcnCodes = 4;

[[nodiscard]] constexpr std::string_view to_string(Ecn ecn) noexcept {
  constexpr std::string_view kNames[kEcnCodes] = {"not_ect", "ect1", "ect0", "ce"};
  return kNames[static_cast<std::size_t>(ecn)];
}

/// Packets by their mark. Copies that the capture made are left out.
struct EcnCounts {
  std::array<std::uint64_t, kEcnCodes> packets{};

  void add(Ecn ecn) noexcept { ++packets[static_cast<std::size_t>(ecn)]; }
  [[nodiscard]] std::uint64_t of(Ecn ecn) const noexcept { return packets[static_cast<std::size_t>(ecn)]; }
  [[nodiscard]] std::uint64_t all() const noexcept { return packets[0] + packets[1] + packets[2] + packets[3]; }
};

/// Where a packet queues: its DSCP, and the priority code point of its VLAN tag where it has one.
struct TrafficClass {
  std::uint8_t dscp = 0;  ///< 0 to 63
  std::optional<std::uint8_t> pcp;
  friend bool operator==(const TrafficClass&, const TrafficClass&) noexcept = default;
};

/// RoCEv2 packets of one class, by their role.
struct ClassTraffic {
  TrafficClass traffic_class;
  std::array<std::uint64_t, kPacketRoles> packets{};

  [[nodiscard]] std::uint64_t of(PacketRole role) const noexcept { return packets[static_cast<std::size_t>(role)]; }
};

/// What the CNPs to one sender of data did. The window is TrackOptions::cnp_window.
struct CnpReaction {
  std::uint64_t looked_at = 0;   ///< CNPs where a whole window before and after was seen; windows after do not overlap
  std::uint64_t not_slower = 0;  ///< of these: after which the sender sent no less than before, to a sixteenth
  std::uint64_t bytes_before = 0;  ///< data on the wire in the windows before, to a sixteenth of a window
  std::uint64_t bytes_after = 0;
};

/// A sender of data: its marked packets, and the CNPs that came for it. A CNP answers all marked packets since the one before.
struct Congestion {
  std::uint64_t marked = 0;             ///< data packets with CE
  std::uint64_t marked_unnotified = 0;  ///< of these: no CNP came within a window of the first of them
  std::uint64_t cnps = 0;               ///< to this sender
  std::uint64_t cnps_without_mark =
      0;                        ///< no marked packet was seen in the window before: marked behind the capture point
  std::uint64_t most_cnps = 0;  ///< in one window
  CnpReaction reaction;
};

/// Of a whole capture, and of packets of no connection too.
struct CongestionTotals {
  std::array<EcnCounts, kPacketRoles> ecn{};  ///< by PacketRole
  std::vector<ClassTraffic> classes;          ///< by DSCP, then by PCP
  std::uint64_t cnps = 0;
  std::uint64_t untracked_cnps = 0;  ///< of these: to a queue pair of no connection

  [[nodiscard]] const EcnCounts& of(PacketRole role) const noexcept { return ecn[static_cast<std::size_t>(role)]; }
};

// Flow control of Ethernet: PFC (IEEE 802.1Qbb) and PAUSE (IEEE 802.3 31B).

/// What one port asked its neighbour to do with one class of traffic. An XOFF asks for silence for a number of quanta of 512
/// bit times, which a further one renews; an XON (0 quanta) ends it.
struct PauseTotals {
  ByteArray<6> source{};                 ///< MAC address of the port that asked
  std::optional<std::uint8_t> priority;  ///< 0 to 7; none: PAUSE, the whole link

  std::uint64_t xoff = 0;    ///< frames with a time above 0 for the class
  std::uint64_t xon = 0;     ///< frames with the time 0
  std::uint64_t quanta = 0;  ///< that the XOFFs asked for, added up
  std::uint64_t pauses = 0;  ///< runs of XOFFs that renew each other
  std::uint64_t ended = 0;   ///< pauses that an XON ended
  /// Nanoseconds that the class was asked to be silent. Without TrackOptions::link_speed only of pauses that an XON ended,
  /// taken to last until then.
  std::uint64_t paused = 0;
  std::uint64_t longest = 0;  ///< the same, of one pause
  std::uint64_t first_packet = 0;
  std::int64_t first_time = 0;  ///< nanoseconds since 1970
  std::int64_t last_time = 0;
};

}  // namespace rocescope
