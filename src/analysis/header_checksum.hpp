// The checksum of the IPv4 header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/transport.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Whether that of a RoCE packet over IPv4 shows damage (RFC 791 3.1). A sender that leaves the checksum to its NIC writes 0, which shows
/// nothing.
[[nodiscard]] inline bool has_wrong_checksum(const RocePacket& roce, Bytes frame) noexcept {
  if (roce.encapsulation != Encapsulation::kRoceV2Ipv4) return false;
  const Ipv4 header(frame.data() + roce.network_offset);
  if (header.get<"ip.checksum">() == 0) return false;
  const std::size_t end = roce.bth_offset - Udp::kSize;
  // The header has whole words of 32 bits, and the sum shows damage in any order of their bytes (RFC 1071 2).
  std::uint64_t sum = 0;
  std::uint32_t word = 0;
  for (std::size_t at = roce.network_offset; at + sizeof word <= end; at += sizeof word) {
    std::memcpy(&word, frame.data() + at, sizeof word);
    sum += word;
  }
  constexpr std::uint64_t kOnes = 0xFFFF;
  while (sum > kOnes) sum = (sum >> 16) + (sum & kOnes);
  return sum != kOnes;
}

}  // namespace rocescope
