// Lengths of time between the times of any capture, hostile ones as well.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rocescope {

/// Nanoseconds from one time to another. Times in a hostile capture may lie further apart than 63 bits can express.
[[nodiscard]] constexpr std::int64_t elapsed(std::int64_t from, std::int64_t to) noexcept {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t passed = 0;
  if (__builtin_sub_overflow(to, from, &passed)) return to < from ? -kMost : kMost;
  return std::max(passed, -kMost);
}

}  // namespace rocescope
