// Rates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rocescope::schema {

/// 0 where no time passed.
[[nodiscard]] inline double per_second(std::uint64_t value, std::int64_t nanoseconds) noexcept {
  constexpr double kSecond = 1e9;
  return nanoseconds <= 0 ? 0 : static_cast<double>(value) * kSecond / static_cast<double>(nanoseconds);
}

/// The same as a whole number, rounded.
[[nodiscard]] inline std::uint64_t whole_per_second(std::uint64_t value, std::int64_t nanoseconds) {
  constexpr double kMost = 9e18;
  return static_cast<std::uint64_t>(std::llround(std::min(per_second(value, nanoseconds), kMost)));
}

}  // namespace rocescope::schema
