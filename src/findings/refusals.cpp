// Requests that the responder refused or put off.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "findings/filters.hpp"
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
std::string refused_text(const Direction& direction, Amount naks, std::string_view why) {
  const std::vector<Message>& refused = *direction.sender().refused;
  if (refused.empty()) return fmt::format("{} refused: {}", count(naks, "request"), why);
  const std::string others =
      naks.value > 1 ? fmt::format(" and {} more", count({naks.value - 1, naks.strength}, "request")) : std::string();
  return fmt::format("{}{} refused: {}", request_text(refused.front()), others, why);
}

/// `once`, `at least 3 times`
std::string times(Amount amount) {
  return fmt::format("{}{}", in_words(amount.strength), amount.value == 1 ? "once" : text::count(amount.value, "time"));
}

/// Where the capture has packets twice, a NAK that comes again behind what was sent for it may be a copy, or one more.
Amount of_mirror(Amount naks, const Direction& direction) {
  const bool has_copies = direction.sender().verdicts(VerdictKind::kCaptureDuplicate) > 0 ||
                          direction.receiver().verdicts(VerdictKind::kCaptureDuplicate) > 0;
  return has_copies && naks.value > 1 ? Amount{naks.value, Strength::kEstimated} : naks;
}

/// Whether the requester answered the last RNR NAK is only known where the capture goes on: `, and nothing was sent again since the last
/// one, 2.30 s before the capture ends`
std::string silence_after_rnr(const Direction& direction, const Sighting& naks, const Evidence& evidence) {
  constexpr std::int64_t kLong = 1'000'000'000;  // ns: longer than any RNR timer
  const std::optional<std::int64_t> end = end_of(direction.connection, evidence);
  if (!end || direction.connection.last_time != naks.seen.last_time) return {};
  // Elsewhere it is said that the requester gave up, or who closed the connection.
  if (direction.sighting(FindingId::kRetryExhausted) != nullptr || direction.connection.handshake != 0) return {};
  const auto silent = static_cast<std::uint64_t>(*end) -
                      static_cast<std::uint64_t>(naks.seen.last_time);  // hostile times may lie far apart
  if (silent < kLong || silent > std::numeric_limits<std::int64_t>::max()) return {};
  return fmt::format(
      ", and nothing was sent again since the last one, {} before the capture ends: it gave up, or its program ended",
      text::duration(static_cast<std::int64_t>(silent)));
}

/// `codes`: `== 2`, `in {1, 4}`
std::string naks_with(std::string_view codes) {
  return fmt::format("{} && infiniband.aeth.syndrome.error_code {}", kNakFilter, codes);
}

}  // namespace

void find_refusals(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const Strength strength = direction.limits.strength_of_answers_at(direction.connection);
  const auto amount_of = [&](const Sighting& sighting) { return Amount{sighting.seen.count, strength}; };
  if (const Sighting* naks = direction.sighting(FindingId::kNakSequence)) {
    Amount amount = of_mirror(amount_of(*naks), direction);
    // Where packets come out of order, nearly all that is sent again is asked for: of a timeout the NAK may have been missed.
    const ConnectionSide& sender = direction.sender();
    if (sender.verdicts(VerdictKind::kOutOfOrder) > 0 && sender.recoveries(ResendCause::kTimeout) > 0)
      amount.strength = std::max(amount.strength, Strength::kAtLeast);
    list.add(FindingId::kNakSequence, direction, naks->seen, amount,
             fmt::format("{} for PSN sequence errors", count(amount, "NAK")), naks_with("== 0"));
  }
  if (const Sighting* naks = direction.sighting(FindingId::kNakInvalidRequest)) {
    list.add(FindingId::kNakInvalidRequest, direction, naks->seen, amount_of(*naks),
             refused_text(direction, amount_of(*naks), "invalid request"), naks_with("in {1, 4}"));
  }
  if (const Sighting* naks = direction.sighting(FindingId::kNakRemoteAccess)) {
    list.add(FindingId::kNakRemoteAccess, direction, naks->seen, amount_of(*naks),
             refused_text(direction, amount_of(*naks), "remote access error"), naks_with("== 2"));
  }
  if (const Sighting* naks = direction.sighting(FindingId::kNakRemoteOperational)) {
    list.add(FindingId::kNakRemoteOperational, direction, naks->seen, amount_of(*naks),
             refused_text(direction, amount_of(*naks), "remote operational error"), naks_with("== 3"));
  }
  if (const Sighting* naks = direction.sighting(FindingId::kRnr)) {
    const Amount unready = of_mirror(amount_of(*naks), direction);
    list.add(FindingId::kRnr, direction, naks->seen, unready,
             fmt::format("the receiver was not ready {} (RNR NAK){}", times(unready),
                         silence_after_rnr(direction, *naks, evidence)),
             "infiniband.aeth.syndrome.opcode == 1");
    // After an RNR NAK that was missed, the requester seems to wait too short a time for the next one.
    const bool may_lack_naks =
        direction.limits.may_miss_packets_of(direction.connection) || direction.connection.unsure;
    const Amount early = of_mirror(direction.seen(direction.sender().rnr_too_early()), direction);
    if (early.value > 0 && !may_lack_naks) {
      list.add(FindingId::kRnrTimerNotHonoured, direction, naks->seen, early,
               fmt::format("sent again before the RNR NAK allowed it, {}", times(early)),
               "rocescope.verdict.cause == \"rnr\"");
    }
  }
  const Amount stalls = direction.seen(direction.sender().credit_stalls());
  if (const Sighting* acks = direction.sighting(FindingId::kCreditStall); acks != nullptr && stalls.value > 0) {
    list.add(
        FindingId::kCreditStall, direction, acks->seen, stalls,
        fmt::format("out of credits {}, {} in all", times(stalls), text::duration(direction.sender().credit_stalled())),
        "infiniband.aeth.syndrome.opcode == 0 && infiniband.aeth.syndrome.credit_count == 0");
  }
}

}  // namespace rocescope::findings
