#include "tracking/handshakes/handshake_table.hpp"

#include <algorithm>
#include <limits>

#include "model/service_try.hpp"
#include "rocescope/detail/elapsed.hpp"

namespace rocescope {
namespace {

using enum HandshakeMessage;

constexpr std::uint16_t kRejTimeout = 4;  // IBTA 12.6.7.2

struct Shape {
  HandshakeMessage request = kReq;
  HandshakeMessage answer = kRep;
  HandshakeMessage end = kRtu;
};
Shape shape_of(HandshakeKind kind) noexcept {
  switch (kind) {
    case HandshakeKind::kSidr:
      return {kSidrReq, kSidrRep, kSidrRep};
    case HandshakeKind::kExchange:
      return {kConnectionReq, kConnectionAccept, kConnectionConfirm};
    case HandshakeKind::kOob:
      return {kKeyLine, kKeyLine, kKeyLine};
    case HandshakeKind::kCm:
      break;
  }
  return {};
}

std::optional<std::int64_t> between(const HandshakeStep* from, const HandshakeStep* to) noexcept {
  if (from == nullptr || to == nullptr) return std::nullopt;
  return elapsed(from->time, to->time);
}

/// Of a message of the CM. Its queue pair numbers all that it sends: what has the PSN of the last, or one shortly before, is a copy,
/// whenever it comes.
bool is_copy(const HandshakeStep& last, const Packet& packet, std::uint16_t psn) noexcept {
  constexpr std::uint16_t kShortly = 1'024;
  return packet.is_roce() && static_cast<std::uint16_t>(last.psn - psn) < kShortly;
}

}  // namespace

HandshakeTimes times_of(const Handshake& handshake) noexcept {
  HandshakeTimes times;
  times.dreq_to_drep = between(handshake.find(kDreq), handshake.find(kDrep));
  if (handshake.kind == HandshakeKind::kOob) return times;
  const Shape shape = shape_of(handshake.kind);
  const HandshakeStep* answer = handshake.find(shape.answer);
  times.req_to_rep = between(handshake.find(shape.request), answer);
  if (shape.end == shape.answer) return times;
  const HandshakeStep* end = handshake.find(shape.end);
  times.rep_to_rtu = between(answer, end);
  if (end != nullptr && handshake.first_data_packet != 0) {
    times.rtu_to_data = elapsed(end->time, handshake.first_data_time);
  }
  return times;
}

HandshakeOutcome outcome_of(const Handshake& handshake) noexcept {
  using enum HandshakeOutcome;
  const Shape shape = shape_of(handshake.kind);
  const HandshakeStep* request = handshake.find(shape.request);
  const HandshakeStep* answer = handshake.find(shape.answer);
  const HandshakeStep* end = handshake.find(shape.end);
  const auto& reject = handshake.reject;
  if (handshake.kind == HandshakeKind::kOob && !reject) return handshake.steps.size() >= 2 ? kEstablished : kIncomplete;
  const bool has_data = answer != nullptr && handshake.first_data_packet != 0;
  if (end != nullptr && (!reject || reject->packet > end->packet)) return kEstablished;
  if (has_data && (!reject || reject->packet > handshake.first_data_packet)) return kEstablished;
  if (reject) {
    if (handshake.kind == HandshakeKind::kCm && reject->reason == kRejTimeout) return kTimedOut;
    return reject->sender == 1 || handshake.kind != HandshakeKind::kCm ? kRejected : kAborted;
  }
  if (request == nullptr) return kUnknown;
  const bool unanswered = answer == nullptr && handshake.find(kMra) == nullptr;
  return unanswered && request->count > 1 ? kTimedOut : kIncomplete;
}

std::map<std::uint32_t, std::uint32_t> HandshakeTable::next_tries() const {
  std::map<std::uint32_t, std::uint32_t> tries;
  if (std::ranges::none_of(handshakes_, [](const auto& each) { return is_unknown_service(each.second); })) return tries;
  std::map<HandshakeHosts, const Handshake*> next;
  for (auto each = handshakes_.rbegin(); each != handshakes_.rend(); ++each) {
    const Handshake& handshake = each->second;
    if (handshake.kind != HandshakeKind::kCm || !handshake.service_id) continue;
    const Handshake*& behind = next[hosts_of(handshake)];
    if (behind != nullptr && is_unknown_service(handshake) && is_next_try(handshake, *behind))
      tries.emplace(handshake.number, behind->number);
    behind = &handshake;
  }
  return tries;
}

Handshake* HandshakeTable::add(HandshakeKind kind, const Packet& packet) {
  if (handshakes_.size() >= most_) {
    ++unplaced_.handshake_messages;
    return nullptr;
  }
  Handshake& handshake = handshakes_[++made_];
  handshake.number = made_;
  handshake.kind = kind;
  handshake.overlay_id = packet.overlay_id;
  handshake.capture_point = packet.frame.capture_point;
  handshake.sides[0].address = packet.source;
  handshake.sides[1].address = packet.destination;
  return &handshake;
}

bool HandshakeTable::note(Handshake& handshake, HandshakeMessage message, std::size_t sender, const Packet& packet) {
  const std::uint64_t number = packet.frame.number;
  const std::int64_t time = packet.frame.timestamp;
  const auto psn = static_cast<std::uint16_t>(packet.is_roce() ? packet.roce.psn.value() : 0);
  for (HandshakeStep& step : handshake.steps) {
    if (step.message != message || step.sender != sender) continue;
    if (elapsed(step.last_time, time) < kCopyWindow || is_copy(step, packet, psn)) return false;
    ++step.count;
    step.psn = psn;
    step.last_packet = number;
    step.last_time = time;
    unplaced_.sightings.add(FindingId::kCmRetries, number, time);
    return false;
  }
  handshake.steps.push_back({.message = message,
                             .sender = static_cast<std::uint8_t>(sender),
                             .psn = psn,
                             .count = 1,
                             .packet = number,
                             .time = time,
                             .last_packet = number,
                             .last_time = time});
  return true;
}

void HandshakeTable::add_last_sighting(const Handshake& handshake, Sightings& to) {
  const HandshakeOutcome outcome = outcome_of(handshake);
  const HandshakeStep* first = handshake.steps.empty() ? nullptr : &handshake.steps.front();
  if (first == nullptr || handshake.kind == HandshakeKind::kOob || handshake.repeated) return;
  if (outcome == HandshakeOutcome::kTimedOut) to.add(FindingId::kCmTimeout, first->packet, first->time);
  if (outcome == HandshakeOutcome::kIncomplete) to.add(FindingId::kCmIncomplete, first->packet, first->time);
}

void HandshakeTable::add_last_sightings(Sightings& to) const {
  for (const auto& [number, handshake] : handshakes_) add_last_sighting(handshake, to);
}

std::int64_t HandshakeTable::last_time(const Handshake& handshake) noexcept {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const HandshakeStep& step : handshake.steps) last = std::max(last, step.last_time);
  return last;
}

/// The handshake as it is reported: no more of its packets will come.
Handshake HandshakeTable::close(Handshake&& handshake) {
  add_last_sighting(handshake, unplaced_.sightings);
  handshake.outcome = outcome_of(handshake);
  return std::move(handshake);
}

std::vector<Handshake> HandshakeTable::take_all() {
  std::vector<Handshake> result;
  result.reserve(handshakes_.size());
  for (auto& [number, handshake] : handshakes_) {
    handshake.outcome = outcome_of(handshake);
    result.push_back(std::move(handshake));
  }
  handshakes_.clear();
  return result;
}

std::vector<Handshake> HandshakeTable::handshakes() const {
  std::vector<Handshake> result;
  result.reserve(handshakes_.size());
  for (const auto& [number, handshake] : handshakes_) {
    result.push_back(handshake);
    result.back().outcome = outcome_of(handshake);
  }
  return result;
}

}  // namespace rocescope
