#include "core/clock.hpp"

#include <ctime>

namespace rocescope::rdmagen {

std::uint64_t now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace rocescope::rdmagen
