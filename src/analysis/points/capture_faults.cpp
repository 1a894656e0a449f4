#include "analysis/points/capture_faults.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rocescope {

/// Of a message that was sent before the capture began, its packets, or the responses, may have passed before as well, even if some of it is
/// sent again behind that; and what a READ lacks at the end of the capture may come when its requester asks again. What was sent when such
/// messages had been answered twice over, and answered when others were to be twice over, is neither.
bool misses_packets(SeenMessages messages) noexcept {
  std::int64_t begin = std::numeric_limits<std::int64_t>::min();
  std::int64_t end = std::numeric_limits<std::int64_t>::max();
  for (int round = 0; round < 2; ++round) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const SeenMessage& seen : messages) {
      if (seen.answered == 0) continue;
      if (seen.sent() > begin) first = std::min(first, seen.answered);
      if (seen.answered < end) last = std::max(last, seen.sent());
    }
    begin = first;
    end = last;
  }
  return std::ranges::any_of(messages, [&](const SeenMessage& seen) {
    return seen.counts && seen.completed && seen.packets < seen.span && seen.sent() > begin && seen.answered < end;
  });
}

}  // namespace rocescope
