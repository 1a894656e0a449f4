// The age of frames, by their times and a clock that may be set meanwhile.
#pragma once

#include <chrono>
#include <cstdint>

namespace rocescope {

/// Nanoseconds until a frame is `age` old; 0 or less if it is. `timestamp` and `now` are nanoseconds since 1970 by the clock
/// that stamps. A time in the future was stamped before that clock was set back: its age is unknown and counts as old enough.
[[nodiscard]] constexpr std::chrono::nanoseconds time_until_age(std::int64_t timestamp, std::int64_t now,
                                                                std::chrono::nanoseconds age) noexcept {
  if (timestamp > now) return std::chrono::nanoseconds(0);
  return age - std::chrono::nanoseconds(now - timestamp);
}

/// Whether a frame is `age` old or younger.
[[nodiscard]] constexpr bool has_age(std::int64_t timestamp, std::int64_t now, std::chrono::nanoseconds age) noexcept {
  return time_until_age(timestamp, now, age).count() <= 0;
}

}  // namespace rocescope
