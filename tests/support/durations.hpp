// Lengths of time in nanoseconds.
#pragma once

#include <cstdint>

namespace rocescope {

inline constexpr std::int64_t kMicrosecond = 1'000;
inline constexpr std::int64_t kMillisecond = 1'000'000;
inline constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace rocescope
