// Packets that are followed and do not count: what they change is kept apart from what counts.
#include <cstddef>

#include "tracking/tracker_implementation.hpp"

namespace rocescope {
namespace {

/// Made with the first packet that does not count.
Uncounted& uncounted_of(ConnectionState& connection) {
  if (Uncounted* const known = connection.uncounted.get()) return *known;
  connection.facts.partial = true;
  return connection.uncounted.make();
}

}  // namespace

void Tracker::Implementation::judge_uncounted(TrackedPacket& tracked, StreamNews& news) {
  const bool request = tracked.packet().roce.opcode->request;
  const std::size_t side = tracked.verdict.damaged ? tracked.requester : request ? tracked.sender : 1 - tracked.sender;
  const StreamTotals before = tracked.state->requesters[side]->totals();
  judge(tracked, options_, news);
  const StreamTotals after = tracked.state->requesters[side]->totals();
  add_change(before, after, uncounted_of(*tracked.state).requests[side]);
}

void Tracker::Implementation::swap_counts(const TrackedPacket& tracked) {
  if (tracked.connection == nullptr) return;
  Uncounted& uncounted = uncounted_of(*tracked.state);
  for (std::size_t i = 0; i < 2; ++i) rocescope::swap_counts(tracked.connection->sides[i], uncounted.sides[i]);
}

}  // namespace rocescope
