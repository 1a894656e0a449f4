#include "analysis/points/capture_faults.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rocescope {

namespace {

/// Times in ns. The capture may not show everything of messages that were sent by `begin`, or answered from `end` on.
struct Edges {
  std::int64_t begin = std::numeric_limits<std::int64_t>::min();  // sent by then
  std::int64_t end = std::numeric_limits<std::int64_t>::max();    // answered from then on
};

/// The next edges: the earliest answer to a message sent after `outer.begin`, and the latest sending of a message
/// answered before `outer.end`.
Edges edges_within(const Edges& outer, SeenMessages messages) noexcept {
  Edges inner{.begin = outer.end, .end = outer.begin};
  for (const SeenMessage& seen : messages) {
    if (seen.answered == 0) continue;
    if (seen.sent() > outer.begin) inner.begin = std::min(inner.begin, seen.answered);
    if (seen.answered < outer.end) inner.end = std::max(inner.end, seen.sent());
  }
  return inner;
}

}  // namespace

/// Packets of a message that was sent before the capture began, or responses to it, may have passed before as well, even if some of them
/// come again later. What a READ lacks at the end of the capture may come when its requester asks again. So `misses` goes only by
/// messages between the second edges: sent after one was answered that was sent after the first answer, and likewise at the end.
///
/// A responder sends responses again when it is asked for them again, and as often. Responses to a READ from before the capture began may
/// come after its beginning, twice, although only one request was seen.
CaptureFaults find_faults(SeenMessages messages) noexcept {
  const Edges first = edges_within({}, messages);
  const Edges second = edges_within(first, messages);
  CaptureFaults faults;
  for (const SeenMessage& seen : messages) {
    if (!seen.counts || !seen.completed) continue;
    if (seen.packets < seen.span && seen.sent() > second.begin && seen.answered < second.end) faults.misses = true;
    const std::uint64_t asked_again = std::uint64_t{seen.requested} * seen.span;
    if (seen.responses && seen.again > asked_again && seen.sent() > first.begin) faults.unasked = true;
  }
  return faults;
}

}  // namespace rocescope
