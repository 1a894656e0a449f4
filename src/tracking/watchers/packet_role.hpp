// What a RoCEv2 packet is for, and in which class it travels.
#pragma once

#include <optional>

#include "rocescope/congestion.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// ECN and DSCP are of IP: RoCEv1 and InfiniBand have none.
[[nodiscard]] inline bool is_roce_v2(const Packet& packet) noexcept {
  return packet.roce.encapsulation == Encapsulation::kRoceV2Ipv4 ||
         packet.roce.encapsulation == Encapsulation::kRoceV2Ipv6;
}

[[nodiscard]] inline PacketRole role_of(const RocePacket& roce) noexcept {
  switch (roce.opcode->operation) {
    case Operation::kCnp:
      return PacketRole::kCnp;
    case Operation::kAcknowledge:
    case Operation::kAtomicAcknowledge:
      return PacketRole::kAck;
    default:
      return roce.opcode->transport == Transport::kUd && roce.dest_qp == kGsiQp ? PacketRole::kCm : PacketRole::kData;
  }
}

/// The ECN field is the low two bits of the traffic class (RFC 3168).
[[nodiscard]] constexpr Ecn ecn_of(unsigned traffic_class) noexcept { return static_cast<Ecn>(traffic_class & 3U); }
[[nodiscard]] inline Ecn ecn_of(const Packet& packet) noexcept { return ecn_of(packet.traffic_class); }

/// Whether a switch marked it: CE, congestion experienced.
[[nodiscard]] inline bool is_ce_marked(const Packet& packet) noexcept {
  return is_roce_v2(packet) && ecn_of(packet) == Ecn::kCe;
}

[[nodiscard]] inline TrafficClass class_of(const Packet& packet) noexcept {
  TrafficClass result{static_cast<std::uint8_t>(packet.traffic_class >> 2), std::nullopt};
  if (const auto tag = packet.header<Vlan>()) result.pcp = tag->priority();
  return result;
}

}  // namespace rocescope
