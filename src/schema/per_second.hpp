// Rates as whole numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rocescope::schema {

/// Rounded; 0 of no time.
[[nodiscard]] inline std::uint64_t per_second(std::uint64_t value, std::int64_t nanoseconds) {
  constexpr double kSecond = 1e9;
  constexpr double kMost = 9e18;
  if (nanoseconds <= 0) return 0;
  const double rate = static_cast<double>(value) * kSecond / static_cast<double>(nanoseconds);
  return static_cast<std::uint64_t>(std::llround(std::min(rate, kMost)));
}

}  // namespace rocescope::schema
