// Lengths of time between the times of any capture, hostile ones as well.
#pragma once

#include <cstdint>
#include <limits>

namespace rocescope {

/// Nanoseconds from one time to another. Times of hostile captures may lie further apart than 63 bits can tell.
[[nodiscard]] constexpr std::int64_t elapsed(std::int64_t from, std::int64_t to) noexcept {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (from < 0 && to > kMost + from) return kMost;
  if (from > 0 && to < -kMost + from) return -kMost;
  return to - from;
}

}  // namespace rocescope
