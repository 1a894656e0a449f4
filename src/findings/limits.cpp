#include "findings/limits.hpp"

#include <algorithm>
#include <cmath>

namespace rocescope::findings {

Limits::Limits(const Evidence& evidence)
    : dropped_(evidence.dropped), hides_damage_(evidence.totals.cut_packets > 0 || !evidence.verifies_icrc) {
  for (const Connection& connection : evidence.tracking.connections) {
    if (connection.transport == Transport::kUc) continue;  // nothing shows that its packets arrived
    Place& place = places_[connection.capture_point];
    for (const ConnectionSide& side : connection.sides) {
      place.seen += side.new_packets();
      place.missed += side.capture_lost() + side.arrived_unseen() + side.read_responses_not_captured();
    }
  }
  const bool evicted_show_gaps = evidence.evicted != nullptr &&
                                 evidence.evicted->sides.capture_lost() + evidence.evicted->sides.arrived_unseen() > 0;
  misses_somewhere_ = dropped_ > 0 || evicted_show_gaps;
  misses_ = misses_somewhere_ || std::ranges::any_of(places_, [](const auto& each) { return each.second.missed > 0; });
}

const Limits::Place& Limits::place_of(const Connection& connection) const {
  static constexpr Place kUnknown;
  const auto place = places_.find(connection.capture_point);
  return place == places_.end() ? kUnknown : place->second;
}

bool Limits::misses_packets_of(const Connection& connection) const {
  return misses_somewhere_ || shows_gaps_of(connection);
}

bool Limits::is_known_to_be_whole(const Connection& connection) const {
  constexpr std::uint64_t kEnough = 1'000;
  return !misses_packets_of(connection) && place_of(connection).seen >= kEnough;
}

/// Three standard deviations above what the share of the missed packets lets one expect.
std::uint64_t Limits::most_missed(const Connection& connection, std::uint64_t packets) const {
  const Place& place = place_of(connection);
  if (place.missed == 0) return 0;
  const auto missed = static_cast<double>(place.missed);
  const double expected = static_cast<double>(packets) * missed / (missed + static_cast<double>(place.seen));
  return static_cast<std::uint64_t>(std::ceil(expected + 3.0 * std::sqrt(expected)));
}

}  // namespace rocescope::findings
