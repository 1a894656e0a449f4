// Connections that could not be set up, or only with repetitions.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dissectors/ulp/srp/srp_message.hpp"
#include "findings/rules.hpp"
#include "model/service_try.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/nvme/names.hpp"
#include "rocescope/headers/smc_clc.hpp"
#include "rocescope/text.hpp"
#include "schema/names/handshake_names.hpp"
#include "sorting/sort.hpp"

namespace rocescope::findings {
namespace {

constexpr std::uint32_t kStaleReason = 10;  // IBTA 12.6.7.2

std::string resent_text(std::uint64_t number) {
  return number == 2 ? "twice" : fmt::format("{} times", text::count(number));
}

/// `; NVMe-oF says No Resources`, `; SRP says limit of channels reached`: the reason in the private data of a consumer's
/// reject; empty where there is none.
std::string consumer_reason(const Handshake& handshake) {
  constexpr std::uint32_t kConsumer = 28;
  const std::vector<std::uint8_t>& data = handshake.sides[handshake.reject->sender].private_data;
  if (handshake.reject->reason != kConsumer || handshake.reject->sender == 0) return {};
  if (handshake.kind != HandshakeKind::kCm || !handshake.service_id) return {};
  if (const auto reason = srp_reject_reason_of(data)) {
    const std::string_view name = name_of(kSrpLoginRejectNames, *reason);
    return name.empty() ? fmt::format("; SRP reason {:#x}", *reason) : fmt::format("; SRP says {}", name);
  }
  const std::uint64_t port = *handshake.service_id & 0xFFFFU;
  constexpr std::uint64_t kTcp = 0x0106;
  const bool is_nvme = *handshake.service_id >> 16U == kTcp && (port == 4420 || port == 8009);
  if (!is_nvme || data.size() < 3 || data.size() > 4 || data[0] != 0 || data[1] != 0) return {};  // without last zeros
  const std::uint64_t status = load_little_endian(data.data() + 2, data.size() - 2);
  const std::string_view name = name_of(kNvmeRejectNames, status);
  return name.empty() ? fmt::format("; NVMe-oF status {}", status) : fmt::format("; NVMe-oF says {}", name);
}

/// `the passive side rejected the REQ: invalid service ID`
std::string reject_text(const Handshake& handshake) {
  const HandshakeReject& reject = *handshake.reject;
  const std::string who = fmt::format("the {} side", schema::side_name(reject.sender));
  if (handshake.kind == HandshakeKind::kExchange) return fmt::format("{} refused with status {}", who, reject.reason);
  if (handshake.kind == HandshakeKind::kOob) {
    const std::string_view name = name_of(kSmcDeclineNames, reject.reason);
    return fmt::format("{} declined SMC-R, and the connection stays one of TCP: {}", who,
                       name.empty() ? fmt::format("diagnosis 0x{:08x}", reject.reason) : std::string(name));
  }
  const bool sidr = handshake.kind == HandshakeKind::kSidr;
  const std::string_view about = sidr ? "SIDR_REQ" : name_of(kRejMessageNames, reject.about);
  const std::string_view name =
      name_of(sidr ? std::span<const ValueName>(kSidrStatusNames) : kRejReasonNames, reject.reason);
  const std::string reason = name.empty() ? fmt::format("reason {}", reject.reason) : std::string(name);
  return fmt::format("{} rejected the {}: {}{}", who, about, reason, consumer_reason(handshake));
}

/// `REQ sent 4 times, REP sent twice`; empty where nothing was repeated.
std::string repeated_text(const Handshake& handshake) {
  std::string text;
  for (const HandshakeStep& step : handshake.steps) {
    if (step.count < 2) continue;
    text += fmt::format("{}{} sent {}", text.empty() ? "" : ", ", to_string(step.message), resent_text(step.count));
  }
  return text;
}

/// How often messages were sent again; the packets are the last repetition of each message.
Occurrences repetitions(const Handshake& handshake) {
  Occurrences all;
  std::uint64_t count = 0;
  for (const HandshakeStep& step : handshake.steps) {
    if (step.count < 2) continue;
    all.add(step.last_packet, step.last_time);
    count += step.count - 1;
  }
  all.count = count;
  return all;
}

/// Handshakes that set up a connection, by who began them with whom, in the order of their first messages.
class AcceptedRequests {
 public:
  explicit AcceptedRequests(const std::vector<Handshake>& handshakes) {
    for (const Handshake& each : handshakes) {
      if (each.outcome == HandshakeOutcome::kEstablished && each.service_id) by_hosts_[hosts_of(each)].push_back(&each);
    }
    for (auto& [hosts, accepted] : by_hosts_) sorting::stable_sort(accepted, {}, &Handshake::first_time);
  }

  /// The one that followed `rejected`, to another service ID; null where there is none.
  [[nodiscard]] const Handshake* behind(const Handshake& rejected) const {
    const auto found = by_hosts_.find(hosts_of(rejected));
    if (found == by_hosts_.end()) return nullptr;
    const std::int64_t time = rejected.reject->time;
    const auto next = std::ranges::lower_bound(found->second, time, {}, &Handshake::first_time);
    if (next == found->second.end()) return nullptr;
    return is_next_try(rejected, **next) ? *next : nullptr;
  }

 private:
  std::map<HandshakeHosts, std::vector<const Handshake*>> by_hosts_;
};

/// The handshake for whose service `handshake` was only a try; null where there is none.
const Handshake* probed_for(const Handshake& handshake, const AcceptedRequests& accepted) {
  return is_unknown_service(handshake) ? accepted.behind(handshake) : nullptr;
}

void find_in(const Handshake& handshake, const AcceptedRequests& accepted, FindingList& list) {
  Occurrences all;
  for (const HandshakeStep& step : handshake.steps) {
    all.add(step.packet, step.time);
    if (step.count > 1) all.add(step.last_packet, step.last_time);
  }
  const auto add_seen = [&](FindingId id, const Occurrences& seen, std::string what) {
    list.add(id, handshake, seen, list.seen(seen.count), std::move(what));
  };
  const auto add = [&](FindingId id, std::string what) { add_seen(id, all, std::move(what)); };
  if (handshake.reject && handshake.outcome != HandshakeOutcome::kTimedOut) {
    const bool stale = handshake.kind == HandshakeKind::kCm && handshake.reject->reason == kStaleReason;
    if (const Handshake* const next = probed_for(handshake, accepted)) {
      add(FindingId::kCmProbe,
          fmt::format("nobody listens at service ID 0x{:016x}; handshake {}, to 0x{:016x}, was accepted",
                      *handshake.service_id, next->number, *next->service_id));
    } else {
      add(stale ? FindingId::kStaleConnection : FindingId::kCmReject, reject_text(handshake));
    }
  }
  const std::string repeated = repeated_text(handshake);
  if (handshake.outcome == HandshakeOutcome::kTimedOut) {
    add(FindingId::kCmTimeout, repeated.empty() ? "no answer" : "no answer: " + repeated);
  } else if (!repeated.empty()) {
    add_seen(FindingId::kCmRetries, repetitions(handshake), repeated);
  }
  if (handshake.outcome == HandshakeOutcome::kIncomplete) {
    add(FindingId::kCmIncomplete,
        fmt::format("the handshake ends after {}", to_string(handshake.steps.back().message)));
  }
}

/// Whether one ACK would answer all messages that are outstanding, as one did before, and no READ among them has several responses.
bool may_lack_one_answer(const ConnectionSide& sender, std::uint64_t bytes) {
  if (sender.in_flight().reads > 0 && bytes > kLargestMtu) return false;
  const std::uint64_t open = sender.in_flight().messages;
  return open <= 1 || (sender.acks() > 0 && open * sender.acks() <= sender.messages_completed());
}

}  // namespace

void find_setup(const Evidence& evidence, FindingList& list) {
  const AcceptedRequests accepted(evidence.tracking.handshakes);
  for (const Handshake& handshake : evidence.tracking.handshakes) {
    if (handshake.repeated) continue;
    const bool is_silent = handshake.kind == HandshakeKind::kOob && !handshake.reject;
    if (!handshake.steps.empty() && !is_silent) find_in(handshake, accepted, list);
  }
}

void find_strays(const Direction& direction, FindingList& list) {
  if (const Sighting* stale = direction.sighting(FindingId::kStaleConnection)) {
    const Amount requests = direction.seen(stale->seen.count);
    list.add(FindingId::kStaleConnection, direction, stale->seen, requests,
             fmt::format("{} after the connection was closed", count(requests, "request")), {});
  }
  const std::string silence = silence_text(direction);
  if (const Sighting* given_up = direction.sighting(FindingId::kRetryExhausted)) {
    list.add(FindingId::kRetryExhausted, direction, given_up->seen, {given_up->amount},
             fmt::format("the requester gave up after its last retry, packet {}{}{}", given_up->seen.packets[0],
                         silence.empty() ? "" : ": ", silence),
             frames(given_up->seen));
  }
}

/// The evidence is the oldest outstanding request and, where no DREQ ended the connection, the last retry.
void find_outstanding(const Direction& direction, const Evidence& evidence, FindingList& list) {
  const Sighting* ended = direction.sighting(FindingId::kTornDownOutstanding);
  if (ended == nullptr) return;
  const std::uint64_t oldest = ended->seen.packets[0];
  const Handshake* const handshake = handshake_of(direction.connection, evidence);
  const HandshakeStep* const dreq = handshake == nullptr ? nullptr : handshake->find(HandshakeMessage::kDreq);
  const std::uint64_t nak = dreq == nullptr ? 0 : ended->seen.packets[1];
  const std::uint64_t last_try = dreq == nullptr ? ended->seen.packets[1] : 0;
  // The capture may lack the last ACKs too.
  if (direction.limits.misses_packets_of(direction.connection)) return;
  const std::uint64_t open = direction.sender().in_flight().messages;
  if (last_try == 0 && open == 1 && direction.sender().in_flight().reads == 0) {
    if (nak == 0) return;  // a side may close without waiting for the ACK of its last message
    list.add(
        FindingId::kCaptureLoss, direction, ended->seen, {1, Strength::kEstimated},
        fmt::format(
            "a message ({}) did not come again after the NAK in packet {}, and the connection was torn down {} later: outstanding, or the capture missed it",
            text::quantity(static_cast<double>(ended->amount), "B"), nak,
            text::duration(elapsed(ended->seen.last_time, dreq->time))),
        frames(ended->seen));
    return;
  }
  if (last_try == 0 && may_lack_one_answer(direction.sender(), ended->amount)) {
    list.add(
        FindingId::kCaptureLoss, direction, ended->seen, {1, Strength::kEstimated},
        fmt::format(
            "no answer seen to {} ({}) before the connection was torn down: outstanding, or the capture missed its ACK",
            text::count(open, "message"), text::quantity(static_cast<double>(ended->amount), "B")),
        frames(ended->seen));
    return;
  }
  std::string how;
  if (dreq != nullptr) {
    how = fmt::format("{} tore the connection down with packet {} (DREQ)",
                      to_text(handshake->sides[dreq->sender].address), dreq->packet);
  }
  if (last_try != 0) {
    how = fmt::format("{} is silent, and packets were sent again up to packet {}",
                      to_text(direction.receiver().address), last_try);
  }
  list.add(FindingId::kTornDownOutstanding, direction, ended->seen, direction.seen(ended->amount),
           fmt::format("{}: {} outstanding ({}), the first from packet {}", how, count(direction.seen(open), "message"),
                       text::quantity(static_cast<double>(ended->amount), "B"), oldest),
           frames(ended->seen));
}

}  // namespace rocescope::findings
