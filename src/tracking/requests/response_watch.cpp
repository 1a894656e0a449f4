#include "tracking/requests/response_watch.hpp"

#include <algorithm>
#include <limits>

#include "rocescope/headers/extended_transport.hpp"

namespace rocescope {

void ResponseWatch::observe(const ResponsePacket& packet, const StreamLog& log) {
  heard_ = true;
  course_.psn = packet.psn;
  switch (packet.kind) {
    case ResponsePacket::Kind::kAck:
    case ResponsePacket::Kind::kAtomicAck:
      ++log.totals.sums.acks;
      return;
    case ResponsePacket::Kind::kRnrNak:
      ++log.troubles().rnr_naks;
      return;
    case ResponsePacket::Kind::kSequenceNak:
      ++log.troubles().sequence_naks;
      return;
    case ResponsePacket::Kind::kFatalNak:
      ++log.troubles().fatal_naks;
      return;
    case ResponsePacket::Kind::kRead:
      return;
  }
}

/// The message sequence number counts the responder's messages (IBTA 9.7.7.1).
void ResponseWatch::observe_aeth(const ResponsePacket& packet, VerdictKind verdict, const StreamLog& log) {
  if (!packet.msn || (verdict != VerdictKind::kResponse && verdict != VerdictKind::kAckOfUnseen &&
                      verdict != VerdictKind::kDuplicateAck)) {
    return;
  }
  if (!packet.is_negative()) observe_credits(credits_of(packet.value) == 0U, packet.time);
  if (verdict == VerdictKind::kDuplicateAck) return;
  const Psn msn(*packet.msn);
  if (has_msn_ && msn.before(course_.msn)) ++log.troubles().msn_backwards;
  course_.msn = msn;
  has_msn_ = true;
}

/// An ACK without credits stops the requester until another ACK, even a duplicate, gives some (IBTA 9.7.7.2.5).
void ResponseWatch::observe_credits(bool none, std::int64_t time) {
  if (none) {
    if (!out_of_credits_) out_of_credits_ = std::make_unique<OutOfCredits>(OutOfCredits{.since = time});
    out_of_credits_->given.reset();
  } else if (out_of_credits_ && !out_of_credits_->given) {
    out_of_credits_->given = time;
  }
}

/// Whether a requester without credits waits for them shows when it gets some: if it sends at once, it waited.
void ResponseWatch::end_wait_for_credits(std::int64_t time, const StreamLog& log) {
  const OutOfCredits wait = *out_of_credits_;
  out_of_credits_.reset();
  if (!wait.given) return;
  const std::int64_t ns = elapsed(wait.since, *wait.given);
  constexpr std::int64_t kAtOnce = 8;  // that part of the wait
  if (ns < kShortestStall || elapsed(*wait.given, time) > ns / kAtOnce) return;
  StreamTroubles& troubles = log.troubles();
  ++troubles.credit_stalls;
  troubles.credit_stalled += std::min(ns, std::numeric_limits<std::int64_t>::max() - troubles.credit_stalled);
}

/// The requester drops what follows a gap, so that comes again: the gap moves only with the response that it wants.
void ResponseWatch::observe_read(const ResponsePacket& packet, Psn wanted, Psn next) {
  if (hole_ && hole_->psn == packet.psn) {
    hole_->psn = packet.psn + 1;
  } else if (hole_ && hole_->psn.before(packet.psn)) {
    hole_->time = packet.time;
  } else if (!hole_ && wanted.before(packet.psn)) {
    hole_ = std::make_unique<Hole>(Hole{wanted, packet.time});
  }
  if (hole_ && !hole_->psn.before(next)) hole_.reset();
}

void ResponseWatch::acknowledge(const ResponsePacket& by, std::int64_t last_request, const StreamLog& log) {
  const std::int64_t ns = silence(last_request, by.time);
  if (course_.is_stall(ns)) log.measure_stall(ns);
  course_.acknowledged_at = course_.progress_at = by.time;
  by_ack_ = by.kind == ResponsePacket::Kind::kAck;
}

void ResponseWatch::Course::measure_wait(std::int64_t ns) noexcept {
  constexpr std::int64_t kSmoothing = 8;
  if (ns < 0) return;
  longest_wait = std::max(longest_wait, ns);
  usual_wait = usual_wait == 0 ? ns : usual_wait + (ns - usual_wait) / kSmoothing;
}

std::int64_t ResponseWatch::shortest_timeout() const noexcept {
  constexpr std::int64_t kUsual = 10'000'000;  // what is configured in practice is longer
  return ack_timeout_ > 0 ? ack_timeout_ / 2 : kUsual;
}

std::int64_t ResponseWatch::slowest_answer() const noexcept {
  constexpr std::int64_t kUsual = 50'000'000;  // 14, which most applications set, is 67 ms
  return ack_timeout_ > 0 ? ack_timeout_ - ack_timeout_ / 8 : kUsual;
}

/// The timer starts with the oldest request that is not acknowledged, and again with each response that brings the stream
/// on (IBTA 9.7.6.1.3).
std::int64_t ResponseWatch::waiting_since(RequestOrder& order) const noexcept {
  std::int64_t since = order.last_request();  // the only thing to go by where no responses come by
  if (const SentPacket* oldest = heard_ ? order.sent().find(order.unacknowledged()) : nullptr) {
    since = oldest->last_time;
  }
  return std::max(since, course_.progress_at);
}

bool ResponseWatch::timed_out(std::int64_t now, RequestOrder& order) const noexcept {
  const std::int64_t ns = elapsed(waiting_since(order), now);
  if (ack_timeout_ > 0) return ns >= ack_timeout_ - ack_timeout_ / 8;  // clocks and time stamps are not exact
  constexpr std::int64_t kShortest = 500'000;
  return ns >= kShortest && ns / 4 >= course_.longest_wait;
}

/// A READ with a moved address, or whatever follows a hole in the responses (IBTA 9.7.5.2.8).
bool ResponseWatch::misses_response(const RequestPacket& packet, RequestOrder& order) const noexcept {
  constexpr std::int64_t kLately = 1'000'000'000;
  const SentPacket* original = order.sent().find(packet.psn);
  if (packet.opcode->operation == Operation::kReadRequest && original != nullptr && original->psn != packet.psn) {
    return true;
  }
  const Psn last = packet.psn + (order.span_of(packet) - 1);
  return hole_ && !last.before(hole_->psn) && elapsed(hole_->time, packet.time) <= kLately;
}

}  // namespace rocescope
