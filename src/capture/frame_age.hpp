// How long ago frames came, by their times and a clock that may be set meanwhile.
#pragma once

#include <chrono>
#include <cstdint>

namespace rocescope {

/// How long it takes until a frame came `age` ago; not positive: it did. `timestamp` and `now` are nanoseconds since 1970 by the
/// clock that stamps. A time to come is one from before that clock was set back, and nothing tells how old it is: old enough.
[[nodiscard]] constexpr std::chrono::nanoseconds time_until_age(std::int64_t timestamp, std::int64_t now,
                                                                std::chrono::nanoseconds age) noexcept {
  if (timestamp > now) return std::chrono::nanoseconds(0);
  return age - std::chrono::nanoseconds(now - timestamp);
}

/// Whether a frame came `age` ago or sooner than that.
[[nodiscard]] constexpr bool has_age(std::int64_t timestamp, std::int64_t now, std::chrono::nanoseconds age) noexcept {
  return time_until_age(timestamp, now, age).count() <= 0;
}

}  // namespace rocescope
