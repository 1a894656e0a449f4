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
  return std::any_of(evidence.tracking.handshakes.begin(), evidence.tracking.handshakes.end(),
                     [&](const Handshake& each) {
                       return each.number == direction.connection.handshake &&
                              std::any_of(each.steps.begin(), each.steps.end(), [&](const HandshakeStep& step) {
                                return each.sides[step.sender].address == receiver.address;
                              });
                     });
}

}  // namespace

void find_recoveries(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  const bool has_answers = is_receiver_captured(direction, evidence);
  if (const Sighting* resent = direction.sighting(FindingId::kRetransmissions)) {
    list.add(FindingId::kRetransmissions, direction, resent->seen, resent->seen.count,
             fmt::format("{} sent again in {} {}{}{}", text::count(resent->seen.count, "packet"),
                         text::count(sender.recoveries()), text::plural(sender.recoveries(), "recovery", "recoveries"),
                         stalls_text(sender), has_answers ? "" : "; why is not known: the answers were not captured"),
             "rocescope.verdict.retransmission");
    const auto sent = static_cast<double>(sender.payload_bytes());
    const bool much = static_cast<double>(sender.resent_bytes()) > kMuchWaste * sent;
    if (much && resent->seen.count >= kEnoughPackets) {
      list.add(FindingId::kGoBackNWaste, direction, resent->seen, resent->seen.count,
               fmt::format("go-back-N resent {}, {} of what it sent",
                           text::quantity(static_cast<double>(sender.resent_bytes()), "B"),
                           percent(sender.resent_bytes(), sender.payload_bytes())),
               "rocescope.verdict.retransmission");
    }
  }
  if (const Sighting* silent = direction.sighting(FindingId::kTimeoutRecovery); silent != nullptr && has_answers) {
    const std::uint64_t timeouts = sender.recoveries(ResendCause::kTimeout);
    list.add(FindingId::kTimeoutRecovery, direction, silent->seen, silent->seen.count,
             fmt::format("{} sent again after {}", text::count(silent->seen.count, "packet"),
                         text::count(timeouts, "timeout")),
             "rocescope.verdict.cause == \"timeout\"");
  }
  if (const Sighting* needless = direction.sighting(FindingId::kSpuriousRetransmission)) {
    list.add(FindingId::kSpuriousRetransmission, direction, needless->seen, needless->seen.count,
             fmt::format("{} sent again although acknowledged", text::count(needless->seen.count, "packet")),
             "rocescope.verdict.cause in {\"spurious\", \"ack_lost\"}");
  }
}

}  // namespace rocescope::findings
