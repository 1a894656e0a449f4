// Shards: several programs read the same captures, and each follows a part of the pairs of hosts.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rocescope/address.hpp"

namespace rocescope {

/// Pairs of hosts fall into so many parts.
inline constexpr std::uint32_t kHostParts = 64;

/// The part that the packets between two hosts fall into, whichever sends them: the same in all programs and on all machines.
[[nodiscard, gnu::always_inline]] inline std::uint32_t host_part(const IpAddress& one,
                                                                 const IpAddress& other) noexcept {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
  const auto fold = [](const IpAddress& address) {
    const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(address.bytes);
    const std::uint64_t mixed = (halves[0] * kFactor) ^ halves[1];
    return (mixed ^ (mixed >> 29U)) * kFactor;
  };
  const std::uint64_t both = (fold(one) + fold(other)) * kFactor;
  return static_cast<std::uint32_t>(both >> 40U) % kHostParts;
}

/// One of the programs.
struct Shard {
  std::uint32_t number = 1;  ///< from 1
  std::uint32_t count = 1;   ///< of all; at most kHostParts

  /// Whether it follows what these two send each other.
  [[nodiscard]] bool has(const IpAddress& one, const IpAddress& other) const noexcept {
    return host_part(one, other) % count == number - 1;
  }
  /// Whether it counts what no two hosts send each other.
  [[nodiscard]] bool is_first() const noexcept { return number == 1; }
};

}  // namespace rocescope
