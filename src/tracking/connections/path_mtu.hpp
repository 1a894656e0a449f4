// The path MTUs that there are (IBTA 9.7, Table 35).
#pragma once

#include <cstdint>

#include "rocescope/psn.hpp"

namespace rocescope {

inline constexpr std::uint32_t kSmallestMtu = 256;
inline constexpr std::uint32_t kLargestMtu = 4096;

[[nodiscard]] constexpr bool is_mtu(std::uint32_t bytes) noexcept {
  return bytes >= kSmallestMtu && bytes <= kLargestMtu && (bytes & (bytes - 1)) == 0;
}

/// Of a handshake, which may say anything: 0 where there is no such path MTU.
[[nodiscard]] constexpr std::uint16_t announced_mtu(std::uint32_t bytes) noexcept {
  return is_mtu(bytes) ? static_cast<std::uint16_t>(bytes) : 0;
}

/// How many packets a message of `bytes` takes, or how many PSNs a READ: at least 1.
[[nodiscard]] constexpr std::uint32_t packets_for(std::uint32_t bytes, std::uint32_t mtu) noexcept {
  return bytes == 0 ? 1 : (bytes - 1) / mtu + 1;
}

/// The packets of a WRITE of `bytes` whose First packet has `payload`: at least 2; 0: it has no length that a First may have, or more
/// packets than half of all PSNs.
[[nodiscard]] constexpr std::uint32_t span_of_write(std::uint32_t bytes, std::uint32_t payload) noexcept {
  if (!is_mtu(payload) || bytes <= payload) return 0;
  const std::uint32_t packets = packets_for(bytes, payload);
  return packets < Psn::kHalf ? packets : 0;
}

}  // namespace rocescope
