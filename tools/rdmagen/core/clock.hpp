// The time of day that facts carry.
#pragma once

#include <cstdint>

namespace rocescope::rdmagen {

/// CLOCK_REALTIME in nanoseconds: comparable with a capture made on the same machine.
[[nodiscard]] std::uint64_t now_ns() noexcept;

}  // namespace rocescope::rdmagen
