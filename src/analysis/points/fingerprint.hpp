// What is the same in all copies of one packet, wherever they are seen.
#pragma once

#include <cstdint>
#include <limits>

#include "rocescope/packet.hpp"

namespace rocescope {

struct Fingerprint {
  std::uint64_t hash = 0;  ///< 0: the packet has none
  /// Of IPv4; where the sender counts its packets, one that it sends again has another. 0: none.
  std::uint16_t identification = 0;
};

/// A length of RoCE packets, from the BTH to the end of the ICRC. Captures cut packets at different lengths, and one
/// capture does so with packets in tunnels. If a packet is longer than this length, some of its copies may be cut, and
/// all copies have at least this much.
class UncutLength {
 public:
  static constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();

  /// The packet may be cut.
  void learn(const Packet& packet) noexcept;
  [[nodiscard]] std::uint32_t value() const noexcept { return value_; }
  [[nodiscard]] static std::uint32_t of(const RocePacket& roce) noexcept { return roce.end_offset - roce.bth_offset; }

 private:
  friend struct StateMembers;
  std::uint32_t value_ = kAny;
};

/// Of a RoCE packet and of a TCP segment. It does not depend on what the network changes: MAC addresses, VLAN tags, tunnels, ECN, TTL; nor on
/// where the packet was cut, if that is not before the `uncut` length: then the ICRC is no part of it.
[[nodiscard]] Fingerprint fingerprint_of(const Packet& packet, std::uint32_t uncut) noexcept;

/// Both hosts and the IPv4 identification: what is left of the fingerprint where the rest is damaged. 0: the sender does not count
/// its IP packets.
[[nodiscard]] std::uint64_t identification_hash(const Packet& packet) noexcept;

/// What a response says of the request that it answers, and the request of itself: the pair of hosts, in the direction of the
/// request, and the PSN.
[[nodiscard]] std::uint64_t request_hash(const Packet& packet) noexcept;

}  // namespace rocescope
