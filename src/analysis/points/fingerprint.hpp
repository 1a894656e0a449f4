// What is the same in all copies of one packet, wherever they are seen.
#pragma once

#include <cstdint>

#include "rocescope/packet.hpp"

namespace rocescope {

struct Fingerprint {
  std::uint64_t hash = 0;  ///< 0: the packet has none
  /// Of IPv4; where the sender counts its packets, one that it sends again has another. 0: none.
  std::uint16_t identification = 0;
};

/// Of a RoCE packet and of a TCP segment. It does not depend on what the network changes: MAC addresses, VLAN tags, tunnels, ECN, TTL.
[[nodiscard]] Fingerprint fingerprint_of(const Packet& packet) noexcept;

/// Both hosts and the IPv4 identification: what is left of the fingerprint where the rest is damaged. 0: the sender does not count
/// its IP packets.
[[nodiscard]] std::uint64_t identification_hash(const Packet& packet) noexcept;

/// What a response says of the request that it answers, and the request of itself: the pair of hosts, in the direction of the
/// request, and the PSN.
[[nodiscard]] std::uint64_t request_hash(const Packet& packet) noexcept;

}  // namespace rocescope
