// UDP source ports that senders of RoCEv2 derive from queue pair numbers: no rule of the standard, so evidence at most.
#pragma once

#include <cstdint>

#include "rocescope/psn.hpp"

namespace rocescope {

/// Of Linux (rdma_get_udp_sport in include/rdma/ib_verbs.h; mlx5, rxe from 5.16 on) for a queue pair without a flow label. The same in
/// both directions.
[[nodiscard]] constexpr std::uint16_t source_port_of(Qpn one, Qpn other) noexcept {
  std::uint64_t label = std::uint64_t{one.value()} * other.value();
  label ^= label >> 20;
  label ^= label >> 40;
  constexpr std::uint32_t kLow = 0x03FFF;
  constexpr std::uint32_t kHigh = 0xFC000;
  const auto bits = static_cast<std::uint32_t>(label);
  return static_cast<std::uint16_t>(((bits & kLow) ^ ((bits & kHigh) >> 14)) | 0xC000U);
}

/// Of older rdma_rxe (hash_32 of the sender's own number to 14 bits, include/linux/hash.h).
[[nodiscard]] constexpr std::uint16_t source_port_of(Qpn own) noexcept {
  constexpr std::uint32_t kGoldenRatio = 0x61C88647;
  constexpr unsigned kBits = 14;
  return static_cast<std::uint16_t>(0xC000U + ((own.value() * kGoldenRatio) >> (32 - kBits)));
}

}  // namespace rocescope
