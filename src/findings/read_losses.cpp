// Responses to READs that did not arrive.
#include <fmt/format.h>

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

/// Of a READ that was never answered nobody knows whether its request or all responses were lost: at least so many. What the
/// capture may have missed may have been lost behind the capture point.
void find_lost_before(const Direction& direction, FindingList& list) {
  const std::uint64_t not_seen = direction.sender().read_responses_lost_before();
  if (not_seen == 0) return;
  constexpr const char* kFilter = "rocescope.verdict.lost_response == \"before\"";
  const Occurrences seen = seen_of(direction, FindingId::kReadResponseLossBefore);
  const Limits& limits = direction.limits;
  const std::uint64_t missed = limits.dropped() + limits.most_missed(direction.connection, not_seen);
  if (not_seen <= missed) {
    list.add(FindingId::kCaptureLoss, direction, seen, {not_seen, Strength::kEstimated},
             fmt::format("{} not seen, lost before the capture point or missed by the capture",
                         text::count(not_seen, "READ response")),
             kFilter);
    return;
  }
  const Amount lost{not_seen - missed, Strength::kAtLeast};
  list.add(FindingId::kReadResponseLossBefore, direction, seen, lost,
           fmt::format("{} lost before the capture point", count(lost, "READ response")), kFilter);
}

}  // namespace

void find_read_losses(const Direction& direction, FindingList& list) {
  find_lost_before(direction, list);
  if (const Amount lost{direction.sender().read_responses_lost_after(), Strength::kAtLeast}; lost.value > 0) {
    list.add(FindingId::kReadResponseLossAfter, direction, seen_of(direction, FindingId::kReadResponseLossAfter), lost,
             fmt::format("{} lost after the capture point", count(lost, "READ response")),
             "rocescope.verdict.lost_response == \"after\"");
  }
  if (const Amount missed{direction.sender().read_responses_not_captured(), Strength::kAtLeast}; missed.value > 0) {
    list.add(FindingId::kCaptureLoss, direction, {}, missed,
             fmt::format("the capture missed {} that arrived", count(missed, "READ response")),
             "rocescope.verdict.read_response_gap");
  }
}

}  // namespace rocescope::findings
