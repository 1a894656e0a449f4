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

/// Of a READ that was never answered nobody knows whether its request or all responses were lost: at least so many. If the capture
/// dropped as many packets, they may be among those.
void find_lost_before(const Direction& direction, std::uint64_t dropped, FindingList& list) {
  const std::uint64_t lost = direction.sender().read_responses_lost_before();
  if (lost == 0) return;
  constexpr const char* kFilter = "rocescope.verdict.lost_response == \"before\"";
  const Occurrences seen = seen_of(direction, FindingId::kReadResponseLossBefore);
  const std::string responses = text::count(lost, "READ response");
  if (lost <= dropped) {
    list.add(FindingId::kCaptureLoss, direction, seen, lost,
             fmt::format("{} not seen, perhaps dropped while capturing", responses), kFilter);
    return;
  }
  std::string what = fmt::format("at least {} lost before the capture point", responses);
  if (dropped > 0) what += fmt::format(", up to {} of them by the capture", text::count(dropped));
  list.add(FindingId::kReadResponseLossBefore, direction, seen, lost, std::move(what), kFilter);
}

}  // namespace

void find_read_losses(const Direction& direction, const Evidence& evidence, FindingList& list) {
  find_lost_before(direction, evidence.dropped, list);
  if (const std::uint64_t lost = direction.sender().read_responses_lost_after(); lost > 0) {
    list.add(FindingId::kReadResponseLossAfter, direction, seen_of(direction, FindingId::kReadResponseLossAfter), lost,
             fmt::format("at least {} lost after the capture point", text::count(lost, "READ response")),
             "rocescope.verdict.lost_response == \"after\"");
  }
  if (const std::uint64_t missed = direction.sender().read_responses_not_captured(); missed > 0) {
    list.add(FindingId::kCaptureLoss, direction, {}, missed,
             fmt::format("at least {} arrived, missed by the capture", text::count(missed, "READ response")),
             "rocescope.verdict.read_response_gap");
  }
}

}  // namespace rocescope::findings
