// What was sent again, and what that cost.
#include <fmt/format.h>

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

}  // namespace

void find_recoveries(const Direction& direction, FindingList& list) {
  const ConnectionSide& sender = direction.sender();
  if (const Sighting* resent = direction.sighting(FindingId::kRetransmissions)) {
    list.add(FindingId::kRetransmissions, direction, resent->seen, resent->seen.count,
             fmt::format("{} sent again in {} {}{}", text::count(resent->seen.count, "packet"),
                         text::count(sender.recoveries()), text::plural(sender.recoveries(), "recovery", "recoveries"),
                         stalls_text(sender)),
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
  if (const Sighting* silent = direction.sighting(FindingId::kTimeoutRecovery)) {
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
