// The checksum of the IPv4 header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/transport.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Whether that of a RoCE packet over IPv4 shows damage (RFC 791 3.1). A sender that leaves the checksum to its NIC writes 0, which shows
/// nothing.
[[nodiscard]] inline bool has_wrong_checksum(const RocePacket& roce, Bytes frame) noexcept {
  if (roce.encapsulation != Encapsulation::kRoceV2Ipv4) return false;
  const std::size_t end = roce.bth_offset - Udp::kSize;
  std::uint32_t sum = 0;
  for (std::size_t at = roce.network_offset; at + 1 < end; at += 2) {
    sum += static_cast<std::uint32_t>(load_bits(frame.data() + at, 0, 16));
  }
  constexpr std::uint32_t kOnes = 0xFFFF;
  while (sum > kOnes) sum = (sum >> 16) + (sum & kOnes);
  const Ipv4 header(frame.data() + roce.network_offset);
  return sum != kOnes && header.get<"ip.checksum">() != 0;
}

}  // namespace rocescope
