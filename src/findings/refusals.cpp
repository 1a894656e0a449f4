// Requests that the responder refused or put off.
#include <fmt/format.h>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

/// `RDMA WRITE of 4096 bytes at 0x7f0000001000 with R_Key 0x00001234`
std::string request_text(const Message& message) {
  std::string text = fmt::format("{} of {} bytes", to_string(message.operation), message.bytes);
  if (message.address) text += fmt::format(" at 0x{:x}", *message.address);
  if (message.r_key) text += fmt::format(" with R_Key 0x{:08x}", *message.r_key);
  return text;
}

/// The first refused request, and how many more there were.
std::string refused_text(const Direction& direction, const Sighting& naks, std::string_view why) {
  const std::vector<Message>& refused = *direction.sender().refused;
  if (refused.empty()) return fmt::format("{} refused: {}", text::count(naks.seen.count, "request"), why);
  const std::string others =
      naks.seen.count > 1 ? fmt::format(" and {} more", text::count(naks.seen.count - 1, "request")) : std::string();
  return fmt::format("{}{} refused: {}", request_text(refused.front()), others, why);
}

/// `once`, `3 times`
std::string times(std::uint64_t number) { return number == 1 ? "once" : text::count(number, "time"); }

constexpr std::string_view kFatal = "infiniband.aeth.syndrome.opcode == 3 && infiniband.aeth.syndrome.error_code == ";

}  // namespace

void find_refusals(const Direction& direction, FindingList& list) {
  if (const Sighting* naks = direction.sighting(FindingId::kNakSequence)) {
    list.add(FindingId::kNakSequence, direction, naks->seen, naks->seen.count,
             fmt::format("{} for PSN sequence errors", text::count(naks->seen.count, "NAK")),
             fmt::format("{}0", kFatal));
  }
  if (const Sighting* naks = direction.sighting(FindingId::kNakInvalidRequest)) {
    list.add(FindingId::kNakInvalidRequest, direction, naks->seen, naks->seen.count,
             refused_text(direction, *naks, "invalid request"),
             "infiniband.aeth.syndrome.opcode == 3 && infiniband.aeth.syndrome.error_code in {1, 4}");
  }
  if (const Sighting* naks = direction.sighting(FindingId::kNakRemoteAccess)) {
    list.add(FindingId::kNakRemoteAccess, direction, naks->seen, naks->seen.count,
             refused_text(direction, *naks, "remote access error"), fmt::format("{}2", kFatal));
  }
  if (const Sighting* naks = direction.sighting(FindingId::kNakRemoteOperational)) {
    list.add(FindingId::kNakRemoteOperational, direction, naks->seen, naks->seen.count,
             refused_text(direction, *naks, "remote operational error"), fmt::format("{}3", kFatal));
  }
  if (const Sighting* naks = direction.sighting(FindingId::kRnr)) {
    list.add(FindingId::kRnr, direction, naks->seen, naks->seen.count,
             fmt::format("the receiver was not ready {} (RNR NAK)", times(naks->seen.count)),
             "infiniband.aeth.syndrome.opcode == 1");
    if (const std::uint64_t early = direction.sender().rnr_too_early(); early > 0) {
      list.add(FindingId::kRnrTimerNotHonoured, direction, naks->seen, early,
               fmt::format("sent again before the RNR NAK allowed it, {}", times(early)),
               "rocescope.verdict.cause == \"rnr\"");
    }
  }
  const ConnectionSide& sender = direction.sender();
  if (const Sighting* acks = direction.sighting(FindingId::kCreditStall);
      acks != nullptr && sender.credit_stalls() > 0) {
    list.add(FindingId::kCreditStall, direction, acks->seen, sender.credit_stalls(),
             fmt::format("out of credits {}, {} in all", times(sender.credit_stalls()),
                         text::duration(sender.credit_stalled())),
             "infiniband.aeth.syndrome.opcode == 0 && infiniband.aeth.syndrome.credit_count == 0");
  }
}

}  // namespace rocescope::findings
