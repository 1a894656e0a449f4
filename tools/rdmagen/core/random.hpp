// Pseudo-random numbers that are the same on every machine (those of <random>'s distributions are not).
#pragma once

#include <cstdint>

namespace rocescope::rdmagen {

/// SplitMix64's output function: a well-mixed 64-bit number of any other.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111eb;
  return value ^ (value >> 31U);
}

/// The sequence of those numbers that `seed` begins.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) noexcept : state_(mixed(seed)) {}

  constexpr std::uint64_t next() noexcept { return mixed(state_++); }
  /// From 0 to `limit` - 1; limit > 0.
  constexpr std::uint64_t below(std::uint64_t limit) noexcept { return next() % limit; }

 private:
  std::uint64_t state_;
};

}  // namespace rocescope::rdmagen
