// Packets that did not arrive, or arrived out of order.
#include <fmt/format.h>

#include <algorithm>
#include <span>
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

/// Whether `is_it` is true of what compares its packets at two capture points.
template <class Predicate>
bool any_comparison(const Direction& direction, const Evidence& evidence, Predicate is_it) {
  const Connection& connection = direction.connection;
  return std::ranges::any_of(evidence.compared->of(connection.number), [&](const FlowComparison* compared) {
    const FlowComparison& row = *compared;
    const bool is_from = row.from == connection.capture_point && row.from_connection == connection.number;
    const bool is_to = row.to == connection.capture_point && row.to_connection == connection.number;
    return (is_from || is_to) && row.source == direction.sender().address && row.dest_qp == direction.receiver().qpn &&
           is_it(row);
  });
}

/// Whether one analysis saw its packets at several points.
bool has_comparison(const Direction& direction, const Evidence& evidence) {
  return any_comparison(direction, evidence, [](const FlowComparison& row) { return !row.by_messages; });
}

/// Those at the end of a burst left no trace.
void find_lost_before(const Direction& direction, const Occurrences& seen, bool may_be_elsewhere, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  std::uint64_t lost = sender.lost_before();
  if (lost == 0) return;
  constexpr const char* kFilter = "rocescope.verdict.lost == \"before\"";
  // Where their RETH was cut off, the PSNs that READs take look like packets that were not seen.
  const OperationTotals reads = sender.operations.of(Operation::kReadRequest);
  if (reads.messages > 0 && reads.bytes == 0) return;
  // Without the answers, a packet that is overtaken by its own copy looks lost.
  const bool has_answers = direction.receiver().first_packet != 0;
  if (!has_answers && sender.verdicts(VerdictKind::kOutOfOrder) >= lost) return;
  const std::uint64_t seen_missing =
      std::exchange(lost, direction.limits.least_lost_before(direction.connection, direction.side));
  if (lost == 0) {
    const std::uint64_t copies = direction.sender_counts() ? 0 : sender.verdicts(VerdictKind::kCaptureDuplicate);
    if (sender.verdicts(VerdictKind::kOutOfOrder) + copies > 0) return;  // or only overtaken
    if (may_be_elsewhere) return;
    list.add(FindingId::kCaptureLoss, direction, seen, {seen_missing, Strength::kEstimated},
             fmt::format("{} not seen, lost before the capture point or missed by the capture",
                         text::count(seen_missing, "packet")),
             kFilter);
    return;
  }
  std::string others;
  if (seen_missing > lost) {
    others = fmt::format("; {} more lost there or missed by the capture", text::count(seen_missing - lost));
  }
  const Amount amount{lost, Strength::kAtLeast};
  list.add(FindingId::kPacketLossBefore, direction, seen, amount,
           fmt::format("{} lost before the capture point ({}){}", count(amount, "packet"),
                       percent(lost, sent_packets(sender)), others),
           kFilter);
}

/// What its packets to the next capture point show; null: nothing.
const FlowComparison* comparison_of(const Direction& direction, const Evidence& evidence) {
  const std::span<const FlowComparison* const> rows = evidence.compared->of(direction.connection.number);
  const auto found = std::ranges::find_if(rows, [&](const FlowComparison* compared) {
    const FlowComparison& row = *compared;
    return row.ordered && row.from == direction.connection.capture_point &&
           row.from_connection == direction.connection.number && row.source == direction.sender().address &&
           row.dest_qp == direction.receiver().qpn;
  });
  return found == rows.end() ? nullptr : *found;
}

/// Whether several capture points saw packets, and the network duplicated about as many as came late. On one interface only the order
/// says which copy belongs to which point. A duplicate in the place of another copy makes the few packets between them look late.
bool may_be_duplicates(const Direction& direction, const Evidence& evidence, std::uint64_t late) {
  constexpr std::uint64_t kBetween = 4;  // packets
  return any_comparison(direction, evidence,
                        [&](const FlowComparison& row) { return row.duplicated * kBetween >= late; });
}

/// The connection at the second point; null: it is not there any more.
const Connection* connection_there(const FlowComparison& seen, const Evidence& evidence) {
  const auto& connections = evidence.tracking.connections;
  const auto there = std::ranges::find(connections, seen.to_connection, &Connection::number);
  return there == connections.end() ? nullptr : &*there;
}

std::size_t sender_there(const FlowComparison& seen, const Connection& there) {
  return there.sides[0].address == seen.source && there.sides[1].qpn == seen.dest_qp ? 0 : 1;
}

/// How many packets were lost at least, among those that did not come to the second point, as the connection at that
/// point shows.
std::uint64_t least_lost_between(const Direction& direction, const FlowComparison& seen, const Evidence& evidence) {
  const Connection* const there = connection_there(seen, evidence);
  if (there == nullptr) return 0;
  const std::size_t side = sender_there(seen, *there);
  const std::uint64_t lost = direction.limits.least_lost_before(*there, side);
  return std::min(lost - std::min(lost, direction.sender().lost_before()), seen.only_from);
}

/// How many of the packets that the second point did not see may be answers that the capture there missed, though
/// nothing shows that it did: a requester asks again for READ responses only. The capture missed some where the
/// requester does what nothing seen asked for.
std::uint64_t most_answers_missed(const Direction& direction, const FlowComparison& seen, const Evidence& evidence) {
  if (direction.sender().new_packets() > 0 || seen.by_messages) return 0;
  const Connection* const there = connection_there(seen, evidence);
  if (there == nullptr) return seen.only_from;
  const Limits& limits = direction.limits;
  const std::uint64_t awaited = there->sides[sender_there(seen, *there)].read_responses_lost_awaited();
  const std::uint64_t most =
      std::max(limits.unexplained_at(seen.to), limits.most_unnoticed(*there, seen.both + seen.only_from));
  return std::min(most, seen.only_from - std::min(seen.only_from, awaited));
}

/// Where the capture at the second point missed packets, those that it did not see may be such; and where it did not see many in a row, these.
void find_lost_between(const Direction& direction, const FlowComparison& seen, const Evidence& evidence,
                       FindingList& list) {
  if (seen.only_from == 0) return;
  const bool misses = direction.limits.misses_packets_at(seen.to);
  const bool is_least = misses || seen.in_rows > 0 || seen.uncompared > 0 || seen.by_messages;
  Amount lost{seen.only_from, is_least ? Strength::kAtLeast : Strength::kExact};
  if (misses || seen.in_rows > 0) lost.value = least_lost_between(direction, seen, evidence);
  if (!misses) lost.value = std::max(lost.value, seen.only_from - std::min(seen.only_from, seen.in_rows));
  const std::uint64_t came = most_answers_missed(direction, seen, evidence);
  if (came > 0) lost = {lost.value - std::min(lost.value, came), Strength::kAtLeast};
  const std::uint64_t doubtful = seen.only_from - lost.value;
  if (lost.value == 0) {
    list.add(FindingId::kCaptureLoss, direction, seen.lost, {doubtful, Strength::kEstimated},
             fmt::format("{} seen at capture point {} and not at {}, lost between or missed by the capture at {}",
                         text::count(doubtful, "packet"), seen.from, seen.to, seen.to),
             frames(seen.lost));
    return;
  }
  const std::string others =
      doubtful == 0 ? "" : fmt::format("; {} more lost there or missed by the capture", text::count(doubtful));
  list.add(FindingId::kPacketLossBetween, direction, seen.lost, lost,
           fmt::format("{} lost between the capture points {} and {} ({}){}", count(lost, "packet"), seen.from, seen.to,
                       percent(lost.value, seen.both + seen.only_from), others),
           frames(seen.lost));
}

/// Whether packets were overtaken behind the capture point: then the responder asks for packets that come later.
bool is_overtaken_after(const Direction& direction, const FlowComparison* between) {
  return direction.sender().overtaken_after() > 0 || (between != nullptr && between->reordered > 0);
}

/// A NAK for a packet that was seen. It names only the first of those that were lost. Where packets are overtaken behind the
/// capture point, it shows no loss.
void find_lost_after(const Direction& direction, const Occurrences& seen, const FlowComparison* between,
                     FindingList& list) {
  const Amount lost{direction.sender().lost_after(), Strength::kAtLeast};
  if (lost.value == 0 || is_overtaken_after(direction, between)) return;
  const Limits& limits = direction.limits;
  if (limits.may_be_unready(direction.connection, direction.sender())) return;
  // A packet that came out of order may be one that the responder asked for before.
  const bool disordered = direction.sender().verdicts(VerdictKind::kOutOfOrder) > 0;
  if (disordered && limits.may_miss_packets_of(direction.connection)) return;
  if (disordered && lost.value <= limits.most_unnoticed(direction.connection, direction.sender().sequence_naks()))
    return;
  // Without ICRCs damage does not show, and where packets are damaged some are so beyond recognition.
  const bool may_be_damaged = direction.limits.hides_damage() || direction.sender().corrupt() > 0;
  const bool further = between != nullptr && between->only_from == 0 && !between->by_messages;
  list.add(FindingId::kPacketLossAfter, direction, seen, lost,
           fmt::format("{} lost after {}{}", count(lost, "packet"),
                       further ? fmt::format("capture point {}", between->to) : "the capture point",
                       may_be_damaged ? ", or damaged before it" : ""),
           "rocescope.verdict.lost == \"after\"");
}

/// Whether the receiver answered enough of the copies. Of those that the network made it answers most, of those that the capture made
/// none. Where the capture misses packets, it may miss most of the answers; but a mirror copies more than few packets.
bool are_of_network(const Direction& direction, std::uint64_t copies, std::uint64_t answered) {
  if (answered * 2 >= copies) return true;
  const bool has_gaps = direction.limits.shows_gaps_of(direction.connection);
  return answered > 1 && has_gaps && copies * 2 < direction.sender().new_packets();
}

/// Whether nothing distinguishes the copies from packets that were sent again soon: the sender does not count its
/// packets, and nothing was captured of the receiver, which may have asked for them. What has nearly all of many
/// packets twice is a mirror.
bool may_be_sent_again(const Direction& direction, std::uint64_t copies) {
  const std::uint64_t packets = direction.sender().new_packets();
  constexpr std::uint64_t kMany = 64;
  const bool is_mirror = packets >= kMany && copies <= packets && packets - copies <= packets / kMany;
  return !direction.sender_counts() && direction.receiver().first_packet == 0 && !is_mirror;
}

void find_copies(const Direction& direction, FindingList& list) {
  const Sighting* const copies = direction.sighting(FindingId::kCaptureDuplicates);
  if (copies == nullptr) return;
  // An original that comes behind its retransmission looks like a copy of that.
  if (!direction.sender_counts() && direction.sender().recoveries() > 0) return;
  Amount packets = direction.seen(copies->seen.count);
  const bool may_be_resent = may_be_sent_again(direction, packets.value);
  if (may_be_resent) packets.strength = Strength::kEstimated;
  const Amount answered{direction.sender().answered_copies(), Strength::kAtLeast};
  const bool hears_receiver = direction.receiver().first_packet != 0;
  // A mirror copies nearly all packets.
  const bool are_few = packets.value * 8 < direction.sender().new_packets() * 7;
  constexpr std::string_view kFilter = "rocescope.verdict.capture_duplicate";
  if (are_of_network(direction, packets.value, answered.value)) {
    list.add(FindingId::kNetworkDuplicates, direction, copies->seen, answered,
             fmt::format("{} duplicated by the network: the receiver answered {} of {} copies",
                         count(answered, "packet"), text::count(answered.value), text::count(packets.value)),
             kFilter);
  } else {
    list.add(FindingId::kCaptureDuplicates, direction, copies->seen, packets,
             fmt::format("{} captured twice{}", count(packets, "packet"),
                         may_be_resent ? ", duplicated by the network or sent again"
                         : answered.value > 0 || are_few || !hears_receiver ? ", or duplicated by the network"
                                                                            : ""),
             kFilter);
  }
}

/// Requests that the capture missed. PSNs that are missing may be those of one READ, whose responses came by before it was known that
/// they belong to the connection.
Amount missed_of(const Direction& direction) {
  const ConnectionSide& sender = direction.sender();
  const bool may_be_reads =
      direction.connection.joined != 0 && sender.operations.of(Operation::kReadRequest).messages > 0;
  const std::uint64_t most = may_be_reads ? sender.verdicts(VerdictKind::kGap) : sender.capture_lost();
  return {std::min(sender.capture_lost(), most), Strength::kAtLeast};
}

void find_late(const Direction& direction, const Sighting& late, const Evidence& evidence, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  // Each recovery may show a packet that was lost, sent again, and looks late.
  const bool may_be_resent =
      !direction.sender_counts() && (direction.receiver().first_packet == 0 || late.seen.count <= sender.recoveries());
  if (may_be_resent || may_be_duplicates(direction, evidence, late.seen.count)) return;
  // Beside what the capture missed and came only once may be as much that was sent again: these copies look late.
  Occurrences seen = late.seen;
  seen.count -= std::min(seen.count, sender.capture_lost() + sender.arrived_unseen());
  if (seen.count == 0) return;
  for (std::size_t i = seen.count; i < seen.packets.size(); ++i) seen.packets[i] = 0;
  const Amount overtaken{seen.count, Strength::kAtLeast};
  list.add(FindingId::kReordering, direction, seen, overtaken,
           fmt::format("{} arrived out of order", count(overtaken, "packet")), "rocescope.verdict.out_of_order");
}

}  // namespace

void find_losses(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  const auto sighting_or_none = [&](FindingId id) {
    const Sighting* sighting = direction.sighting(id);
    return sighting == nullptr ? Occurrences{} : sighting->seen;
  };
  // If the sender does not count its packets, a retransmission at one point may count as the copy of an original at another.
  const bool may_be_elsewhere = !direction.sender_counts() && has_comparison(direction, evidence);
  find_lost_before(direction, sighting_or_none(FindingId::kPacketLossBefore), may_be_elsewhere, list);
  const FlowComparison* const between = comparison_of(direction, evidence);
  if (between != nullptr) find_lost_between(direction, *between, evidence, list);
  find_lost_after(direction, sighting_or_none(FindingId::kPacketLossAfter), between, list);
  if (const Sighting* const late = direction.sighting(FindingId::kReordering)) {
    find_late(direction, *late, evidence, list);
  }
  // Where the capture has one direction only, the absence of the other says it.
  const bool is_here = sender.first_packet != 0;
  if (const Amount missed = missed_of(direction); missed.value > 0 && is_here && !may_be_elsewhere) {
    list.add(FindingId::kCaptureLoss, direction, sighting_or_none(FindingId::kCaptureLoss), missed,
             fmt::format("the capture missed {} that arrived", count(missed, "packet")), {});
  }
  find_copies(direction, list);
}

}  // namespace rocescope::findings
