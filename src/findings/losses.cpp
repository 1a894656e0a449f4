// Packets that did not arrive, or arrived out of order.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

/// Request packets that are known to have been sent: those seen, and those lost before the capture point.
std::uint64_t sent_packets(const ConnectionSide& sender) {
  return sender.verdicts(VerdictKind::kInOrder) + sender.verdicts(VerdictKind::kGap) +
         sender.verdicts(VerdictKind::kOutOfOrder) + sender.verdicts(VerdictKind::kRetransmission) +
         sender.lost_before();
}

/// Packets that were not seen before they were sent again. If the capture dropped as many packets, they may be among those.
void find_lost_before(const Direction& direction, std::uint64_t dropped, const Occurrences& seen, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  const std::uint64_t lost = sender.lost_before();
  if (lost == 0) return;
  constexpr const char* kFilter = "rocescope.verdict.lost == \"before\"";
  if (lost <= dropped) {
    list.add(FindingId::kCaptureLoss, direction, seen, lost,
             fmt::format("{} not seen, perhaps dropped while capturing", text::count(lost, "packet")), kFilter);
    return;
  }
  std::string what = fmt::format("{} lost before the capture point ({})", text::count(lost, "packet"),
                                 percent(lost, sent_packets(sender)));
  if (dropped > 0) what += fmt::format(", up to {} of them by the capture", text::count(dropped));
  list.add(FindingId::kPacketLossBefore, direction, seen, lost, std::move(what), kFilter);
}

/// What its packets to the next capture point show; null: nothing.
const FlowComparison* comparison_of(const Direction& direction, const Evidence& evidence) {
  const auto found = std::ranges::find_if(evidence.comparisons, [&](const FlowComparison& row) {
    return row.ordered && row.from_connection == direction.connection.number &&
           row.source == direction.sender().address && row.dest_qp == direction.receiver().qpn;
  });
  return found == evidence.comparisons.end() ? nullptr : &*found;
}

void find_lost_between(const Direction& direction, const FlowComparison& seen, FindingList& list) {
  if (seen.only_from == 0) return;
  list.add(FindingId::kPacketLossBetween, direction, seen.lost, seen.only_from,
           fmt::format("{}{} lost between the capture points {} and {} ({})", seen.uncompared > 0 ? "at least " : "",
                       text::count(seen.only_from, "packet"), seen.from, seen.to,
                       percent(seen.only_from, seen.both + seen.only_from)),
           frames(seen.lost));
}

/// A NAK for a packet that was seen. Where packets are overtaken on the way to the next capture point, it shows no loss.
void find_lost_after(const Direction& direction, const Occurrences& seen, const FlowComparison* between,
                     FindingList& list) {
  const std::uint64_t lost = direction.sender().lost_after();
  if (lost == 0 || (between != nullptr && between->reordered > 0)) return;
  const bool further = between != nullptr && between->only_from == 0;
  list.add(FindingId::kPacketLossAfter, direction, seen, lost,
           fmt::format("{} lost after {}", text::count(lost, "packet"),
                       further ? fmt::format("capture point {}", between->to) : "the capture point"),
           "rocescope.verdict.lost == \"after\"");
}

}  // namespace

void find_losses(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  const auto sighting_or_none = [&](FindingId id) {
    const Sighting* sighting = direction.sighting(id);
    return sighting == nullptr ? Occurrences{} : sighting->seen;
  };
  find_lost_before(direction, evidence.dropped, sighting_or_none(FindingId::kPacketLossBefore), list);
  const FlowComparison* const between = comparison_of(direction, evidence);
  if (between != nullptr) find_lost_between(direction, *between, list);
  find_lost_after(direction, sighting_or_none(FindingId::kPacketLossAfter), between, list);
  if (const Sighting* late = direction.sighting(FindingId::kReordering)) {
    list.add(FindingId::kReordering, direction, late->seen, late->seen.count,
             fmt::format("{} arrived out of order", text::count(late->seen.count, "packet")),
             "rocescope.verdict.out_of_order");
  }
  if (sender.capture_lost() > 0) {
    list.add(FindingId::kCaptureLoss, direction, sighting_or_none(FindingId::kCaptureLoss), sender.capture_lost(),
             fmt::format("the capture missed {} that arrived", text::count(sender.capture_lost(), "packet")), {});
  }
  if (const Sighting* copies = direction.sighting(FindingId::kCaptureDuplicates)) {
    list.add(FindingId::kCaptureDuplicates, direction, copies->seen, copies->seen.count,
             fmt::format("{} captured twice", text::count(copies->seen.count, "packet")),
             "rocescope.verdict.capture_duplicate");
  }
}

}  // namespace rocescope::findings
