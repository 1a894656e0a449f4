// Responses to READs that did not arrive.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

Occurrences seen_of(const Direction& direction, FindingId id) {
  const Sighting* const sighting = direction.sighting(id);
  return sighting == nullptr ? Occurrences{} : sighting->seen;
}

/// READ responses that were seen.
std::uint64_t count_answers(const ConnectionSide& sender) {
  const auto verdicts = sender.verdicts();
  const auto behind = static_cast<std::ptrdiff_t>(VerdictKind::kUsedPsn) + 1;
  const std::uint64_t responses = std::accumulate(verdicts.begin() + behind, verdicts.end(), std::uint64_t{0});
  return responses - std::min(responses, sender.acks() + sender.naks());
}

/// READ responses that the capture may have missed: so many at most. They look lost before the capture point where the requester asks
/// for them again, since they or others before them were lost behind it.
std::uint64_t most_missed(const Direction& direction) {
  const ConnectionSide& sender = direction.sender();
  const Limits& limits = direction.limits;
  const std::uint64_t not_seen = sender.read_responses_lost_before();
  // Where the stream itself shows gaps, of each recovery only the one counts that it began with.
  const bool shows_gaps = sender.capture_lost() + sender.arrived_unseen() + sender.read_responses_not_captured() > 0;
  const std::uint64_t chances = shows_gaps ? sender.recoveries() : count_answers(sender) + not_seen;
  const bool may_miss = limits.shows_gaps_of(direction.connection) || sender.read_responses_lost_after() > 0;
  return limits.dropped() + (may_miss ? limits.most_missed_answers(direction.connection, chances) : 0);
}

/// Where a READ was never answered, nobody knows whether its request or all responses were lost: the number is a lower
/// bound. Responses that the requester did not ask for first, it asks for again whatever became of them: the capture
/// may have missed them, and nothing shows it. What the capture may have missed may have been lost behind the capture
/// point.
void find_lost_before(const Direction& direction, FindingList& list) {
  const std::uint64_t not_seen = direction.sender().read_responses_lost_before();
  if (not_seen == 0) return;
  constexpr const char* kFilter = "rocescope.verdict.lost_response == \"before\"";
  const Occurrences seen = seen_of(direction, FindingId::kReadResponseLossBefore);
  const std::uint64_t missed = most_missed(direction);
  if (not_seen <= missed) {
    list.add(FindingId::kCaptureLoss, direction, seen, {not_seen, Strength::kEstimated},
             fmt::format("{} not seen, lost before the capture point or missed by the capture",
                         text::count(not_seen, "READ response")),
             kFilter);
    return;
  }
  const std::uint64_t awaited = direction.sender().read_responses_lost_awaited();
  Amount lost{not_seen - missed, Strength::kAtLeast};
  std::string least;
  if (lost.value > awaited) {
    lost.strength = Strength::kEstimated;
    if (awaited > 0) least = fmt::format(", at least {}", text::count(awaited));
  }
  list.add(FindingId::kReadResponseLossBefore, direction, seen, lost,
           fmt::format("{} lost before the capture point{}", count(lost, "READ response"), least), kFilter);
}

/// Responses that were seen, and that the requester asked for again: at least so many were lost. Not where the capture misses packets:
/// then one that was not seen may be the reason why it asked. Where responses were lost before the capture point as well, the capture
/// may miss packets without a gap.
void find_lost_after(const Direction& direction, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  const Limits& limits = direction.limits;
  if (limits.misses_packets_of(direction.connection)) return;
  const std::uint64_t asked_for = sender.read_responses_lost_after();
  const std::uint64_t doubtful = sender.read_responses_lost_before() == 0
                                     ? 0
                                     : limits.most_missed_answers(direction.connection, sender.recoveries());
  if (asked_for <= doubtful) return;
  const Amount lost{asked_for - doubtful, Strength::kAtLeast};
  list.add(FindingId::kReadResponseLossAfter, direction, seen_of(direction, FindingId::kReadResponseLossAfter), lost,
           fmt::format("{} lost after the capture point", count(lost, "READ response")),
           "rocescope.verdict.lost_response == \"after\"");
}

}  // namespace

void find_read_losses(const Direction& direction, FindingList& list) {
  find_lost_before(direction, list);
  find_lost_after(direction, list);
  if (const Amount missed{direction.sender().read_responses_not_captured(), Strength::kAtLeast}; missed.value > 0) {
    list.add(FindingId::kCaptureLoss, direction, {}, missed,
             fmt::format("the capture missed {} that arrived", count(missed, "READ response")),
             "rocescope.verdict.read_response_gap");
  }
}

}  // namespace rocescope::findings
