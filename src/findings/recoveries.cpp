// What was sent again, and what that cost.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

/// A larger share of the payload bytes, sent again, is reported as waste.
constexpr double kMuchWaste = 0.05;
constexpr std::uint64_t kEnoughPackets = 8;

/// `; 12 stalls, longest 67 ms`; nothing without stalls.
std::string stalls_text(const ConnectionSide& sender) {
  if (sender.stalls() == 0) return {};
  if (sender.stalls() == 1) return fmt::format("; 1 stall of {}", text::duration(sender.longest_stall()));
  return fmt::format("; {}, longest {}", text::count(sender.stalls(), "stall"), text::duration(sender.longest_stall()));
}

/// Whether anything of the receiver was captured. A NAK or an ACK that the capture lacks explains as well why packets were sent
/// again.
bool is_receiver_captured(const Direction& direction, const Evidence& evidence) {
  const ConnectionSide& receiver = direction.receiver();
  if (receiver.first_packet != 0) return true;
  const Handshake* const handshake = handshake_of(direction.connection, evidence);
  return handshake != nullptr && std::ranges::any_of(handshake->steps, [&](const HandshakeStep& step) {
           return handshake->sides[step.sender].address == receiver.address;
         });
}

/// Where packets were lost before the capture point, copies may have been lost as well. Where they came out of order, a late
/// original and a copy look much the same.
Amount resent_of(const Direction& direction, std::uint64_t packets) {
  Amount resent = direction.seen(packets);
  const ConnectionSide& sender = direction.sender();
  const bool disordered = sender.verdicts(VerdictKind::kOutOfOrder) > 0;
  if (sender.lost_before() > 0 || sender.recoveries(ResendCause::kTimeout) > 0) resent.strength = Strength::kAtLeast;
  // Why some were sent again was not seen: nor may copies have been.
  if (resent.strength == Strength::kExact && direction.receiver().first_packet != 0)
    resent.strength = direction.limits.strength_of_answers_at(direction.connection);
  // Only their order distinguishes some of them from copies; where the capture has packets twice, nothing does.
  const bool has_copies = sender.verdicts(VerdictKind::kCaptureDuplicate) > 0;
  const bool may_be_copies = !direction.sender_counts() && (has_copies || direction.receiver().first_packet == 0);
  if (disordered || may_be_copies) resent.strength = Strength::kEstimated;
  return resent;
}

/// Where the capture missed packets, it may have missed the NAKs that packets were sent again for; and RNR NAKs, which ask for as long
/// a silence as a timeout takes. How long the requester waits, only a handshake shows.
void find_timeouts(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const Sighting* const silent = direction.sighting(FindingId::kTimeoutRecovery);
  const ConnectionSide& sender = direction.sender();
  Amount timeouts = resent_of(direction, sender.recoveries(ResendCause::kTimeout));
  if (silent == nullptr || timeouts.value == 0) return;
  const bool has_gaps = direction.limits.may_miss_packets_of(direction.connection);
  if (sender.rnr_naks() > 0 && !direction.limits.is_known_to_be_whole(direction.connection)) return;
  const Handshake* const handshake = handshake_of(direction.connection, evidence);
  if (has_gaps || handshake == nullptr || !handshake->ack_timeout) timeouts.strength = Strength::kEstimated;
  const Amount packets{sender.resends(ResendCause::kTimeout), timeouts.strength};
  const bool gave_up = direction.sighting(FindingId::kRetryExhausted) != nullptr;  // which says it
  const std::string silence = gave_up ? std::string() : silence_text(direction);
  list.add(FindingId::kTimeoutRecovery, direction, silent->seen, packets,
           fmt::format("{}{}{} sent again after {}", silence, silence.empty() ? "" : ": ", count(packets, "packet"),
                       count(timeouts, "timeout")),
           "rocescope.verdict.cause == \"timeout\"");
}

/// Whether nothing distinguishes what was sent again from copies that the network made: single packets, for no reason that was seen, of a
/// sender that does not count its packets. A network may delay its copy by milliseconds: only a longer silence is a timeout.
bool may_be_duplicates(const Direction& direction, std::uint64_t resent) {
  constexpr std::int64_t kLongestDelay = 5'000'000;  // ns
  const ConnectionSide& sender = direction.sender();
  const bool timed_out = sender.longest_stall() > kLongestDelay;
  const std::uint64_t explained = sender.recoveries(ResendCause::kNak) + sender.recoveries(ResendCause::kRnr) +
                                  (timed_out ? sender.recoveries(ResendCause::kTimeout) : 0) +
                                  sender.recoveries(ResendCause::kImpliedNak);
  return !direction.sender_counts() && explained == 0 && resent <= sender.recoveries();
}

}  // namespace

void find_lost_acks(const Direction& direction, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  const auto add = [&](FindingId id, std::uint64_t acks, std::string_view where) {
    const Sighting* const seen = direction.sighting(id);
    if (acks == 0 || seen == nullptr) return;
    const Amount lost{acks, Strength::kAtLeast};
    list.add(id, direction, seen->seen, lost, fmt::format("{} lost {} the capture point", count(lost, "ACK"), where),
             frames(seen->seen));
  };
  // The requester may have got an ACK that the capture lacks, and a NAK may be what it followed.
  const bool has_gaps = direction.limits.misses_packets_of(direction.connection);
  if (!has_gaps) add(FindingId::kAckLossBefore, sender.acks_lost_before(), "before");
  // What was sent before its ACK and overtaken looks sent again after it, where the capture lacks the first copies.
  const bool disordered = sender.overtaken_after() + sender.verdicts(VerdictKind::kOutOfOrder) > 0;
  const bool are_few =
      sender.acks_lost_after() <= direction.limits.most_unnoticed(direction.connection, sender.recoveries());
  const bool may_be_late = sender.answered_early() > 0 || (disordered && (has_gaps || are_few));
  if (!may_be_late) add(FindingId::kAckLossAfter, sender.acks_lost_after(), "after");
}

std::string silence_text(const Direction& direction) {
  const ConnectionSide& sender = direction.sender();
  if (sender.silences() == 0 || direction.limits.misses_packets_of(direction.connection)) return {};
  std::string text = "unanswered ";
  if (sender.silences() > 1) text += fmt::format("{} times, the longest ", text::count(sender.silences()));
  text += fmt::format("for {} through {} tries", text::duration(sender.longest_silence()),
                      text::count(sender.most_tries_in_silence()));
  if (sender.silences_ended() == sender.silences()) text += ", then answered again";
  return text;
}

void find_recoveries(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  const bool has_answers = is_receiver_captured(direction, evidence);
  if (const Sighting* resent = direction.sighting(FindingId::kRetransmissions)) {
    if (may_be_duplicates(direction, resent->seen.count)) return;
    const Amount packets = resent_of(direction, resent->seen.count);
    list.add(FindingId::kRetransmissions, direction, resent->seen, packets,
             fmt::format("{} sent again in {} {}{}{}", count(packets, "packet"), text::count(sender.recoveries()),
                         text::plural(sender.recoveries(), "recovery", "recoveries"), stalls_text(sender),
                         has_answers ? "" : "; why is not known: the answers were not captured"),
             "rocescope.verdict.retransmission");
    const auto sent = static_cast<double>(sender.payload_bytes());
    const bool much = static_cast<double>(sender.resent_bytes()) > kMuchWaste * sent;
    if (much && resent->seen.count >= kEnoughPackets) {
      list.add(FindingId::kGoBackNWaste, direction, resent->seen, packets,
               fmt::format("go-back-N resent {}{}, {} of what it sent", in_words(packets.strength),
                           text::quantity(static_cast<double>(sender.resent_bytes()), "B"),
                           percent(sender.resent_bytes(), sender.payload_bytes())),
               "rocescope.verdict.retransmission");
    }
  }
  if (has_answers) find_timeouts(direction, evidence, list);
  const Sighting* const needless = direction.sighting(FindingId::kSpuriousRetransmission);
  if (needless != nullptr && sender.answered_early() == 0) {  // else an ACK may have passed after what it stands before
    const Amount packets{needless->seen.count, Strength::kAtLeast};
    const std::uint64_t answered = needless->amount;  // no verdict says so of these
    const std::string why =
        answered == 0 ? "although acknowledged"
        : answered < packets.value
            ? fmt::format("needlessly: of {} the receiver answered both copies, others had been acknowledged",
                          text::count(answered))
            : "needlessly: the receiver answered both copies";
    list.add(FindingId::kSpuriousRetransmission, direction, needless->seen, packets,
             fmt::format("{} sent again {}", count(packets, "packet"), why),
             answered > 0 ? "rocescope.verdict.retransmission" : "rocescope.verdict.acknowledged");
  }
}

}  // namespace rocescope::findings
