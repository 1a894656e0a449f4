// Requests, and what each shows about those before it.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "tracking/requests/read_spans.hpp"
#include "tracking/requests/requester.hpp"

namespace rocescope {
namespace {

constexpr std::uint32_t microseconds(std::int64_t from, std::int64_t to) noexcept {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(elapsed(from, to) / 1000, 0, kMost));
}

/// The fingerprint of a READ that began `psns` PSNs before this request: of its R_Key and its first address. 0: unknown.
std::uint16_t fingerprint_of(const RequestPacket& read, std::uint32_t psns, std::uint32_t mtu) noexcept {
  if (!read.address) return 0;
  return fingerprint_of_read(*read.address - std::uint64_t{psns} * mtu, read.r_key.value_or(0));
}

constexpr bool is_depth(Operation operation) noexcept {
  return operation == Operation::kReadRequest || operation == Operation::kCompareSwap ||
         operation == Operation::kFetchAdd;
}

}  // namespace

Verdict Requester::request(const RequestPacket& packet, const TrackOptions& options, StreamNews& news) {
  const StreamLog log = begin_packet(news);
  responses_.observe_request(packet.time, log);
  if (!order_.started()) order_.start_with(packet.psn);
  if (packet.psn.before(order_.unacknowledged())) order_.extend_start(packet.psn, packet.time);
  if (recoveries_.has_corrupt()) recoveries_.place_corrupt(packet.psn, order_);
  learn_mtu(packet.payload, packet.opcode->position);
  const bool is_new = order_.next().distance_to(packet.psn) >= 0;
  const MissingRun* missing = is_new ? nullptr : order_.missing().find(packet.psn);
  if (missing != nullptr && missing->of_read) missing = pass_cut_read(packet, *missing);
  const bool was_known = !is_new && missing == nullptr;
  const std::uint32_t hole_us = missing == nullptr ? 0 : microseconds(missing->opened, packet.time);
  Verdict verdict = is_new       ? judge_new(packet, log)
                    : !was_known ? judge_missing(packet, options, log)
                                 : judge_copy(packet, options, log);
  order_.observe(packet);
  totals_.add(verdict.kind);
  if (verdict.kind == VerdictKind::kCaptureDuplicate || verdict.kind == VerdictKind::kUsedPsn) return verdict;

  totals_.sums.payload_bytes += packet.payload;
  const std::uint32_t span = order_.span_of(packet);
  if (!was_known) add_new(packet, span, hole_us, verdict, log);
  order_.pass(packet, span);
  if (packet.opcode->operation == Operation::kReadRequest) ask_for_answers(packet, span, verdict, log);
  if (is_new) order_.leave_loose_end(packet);
  messages_.trim(log);  // one direction only: nothing will ever answer them
  order_.trim();
  messages_.return_memory(log.news);
  return verdict;
}

/// The message of a packet that comes after its own ACK. The message has ended, so it is found by the packets next to this one that were
/// seen before. 0: none.
std::uint64_t Requester::ended_message_of(const RequestPacket& packet) {
  const Position position = packet.opcode->position;
  if (!order_.is_reliable() || position == Position::kOnly || !packet.psn.before(order_.unacknowledged())) return 0;
  constexpr std::uint32_t kNear = 64;  // PSNs
  const SentPacket* before = nullptr;
  const SentPacket* behind = nullptr;
  order_.sent().visit(packet.psn - kNear, kNear, kNear, [&](const SentPacket& sent) { before = &sent; });
  order_.sent().visit(packet.psn + 1, kNear, 1, [&](const SentPacket& sent) { behind = &sent; });
  const auto is_of_same = [&](const SentPacket* sent, Position its_end) {
    if (sent == nullptr || messages_.find(sent->psn) != nullptr) return false;
    const OpcodeInfo& opcode = opcode_info(sent->opcode);
    return opcode.operation == packet.opcode->operation && opcode.position != its_end &&
           opcode.position != Position::kOnly;
  };
  if (position != Position::kFirst && is_of_same(before, Position::kLast)) return before->message;
  if (position != Position::kLast && is_of_same(behind, Position::kFirst)) return behind->message;
  return 0;
}

void Requester::add_to_message(const RequestPacket& packet, std::uint32_t span, Verdict& verdict,
                               const StreamLog& log) {
  Message& message = messages_.add(packet, packet.psn + (span - 1), order_.next(), log);
  if (verdict.kind == VerdictKind::kRetransmission && !message.resent) {
    message.resent = true;
    if (packet.psn == message.first_psn) ++message.attempts;
  }
  verdict.message = message.number;
  // Its ACK was seen before: the capture has the packets of the two directions in another order.
  if (message.has_last && !message.is_read() && message.last_psn.before(order_.unacknowledged())) {
    StreamTroubles& troubles = log.troubles();
    ++troubles.answered_early;
    const std::int64_t ns = elapsed(responses_.acknowledged_at(), packet.time);
    if (!message.resent) troubles.longest.answered_early = std::max(troubles.longest.answered_early, ns);
    messages_.complete_unseen(message, {.frame = packet.frame, .time = packet.time}, log);
  }
}

/// A packet that had not been seen before.
void Requester::add_new(const RequestPacket& packet, std::uint32_t span, std::uint32_t hole_us, Verdict& verdict,
                        const StreamLog& log) {
  ++totals_.sums.new_packets;
  verdict.message = ended_message_of(packet);
  if (verdict.message != 0) {
    messages_.add_late(packet.payload);
  } else {
    add_to_message(packet, span, verdict, log);
  }
  const bool is_read = packet.opcode->operation == Operation::kReadRequest;
  const SentPacket sent{
      .psn = packet.psn,
      .span = span,
      .icrc = packet.icrc,
      .hole_us = hole_us,
      .first_frame = packet.frame,
      .last_time = packet.time,
      .message = verdict.message,
      .lost = static_cast<std::uint16_t>(verdict.lost == LostWhere::kBefore ? 1 : 0),
      .content = is_read ? fingerprint_of(packet, 0, order_.mtu()) : static_cast<std::uint16_t>(packet.payload),
      .identification = packet.identification,
      .opcode = packet.opcode->code,
      .late = verdict.kind == VerdictKind::kOutOfOrder,
      .read = is_read,
      .depth = is_depth(packet.opcode->operation)};
  order_.sent().add(sent);
  if (!sent.psn.before(order_.unacknowledged())) count_in_flight(sent);
}

void Requester::count_in_flight(const SentPacket& packet) {
  InFlight& now = totals_.in_flight;
  ++now.packets;
  now.bytes += packet.payload();
  if (packet.depth) ++now.reads;
  now.messages = static_cast<std::uint32_t>(messages_.outstanding());
  InFlight& most = totals_.most_in_flight;
  most.messages = std::max(most.messages, now.messages);
  most.packets = std::max(most.packets, now.packets);
  most.bytes = std::max(most.bytes, now.bytes);
  most.reads = std::max(most.reads, now.reads);
}

Verdict Requester::judge_new(const RequestPacket& packet, const StreamLog& log) {
  order_.follow(packet);
  Verdict verdict{.kind = VerdictKind::kInOrder};
  const std::uint64_t corrupt = recoveries_.take_corrupt(packet.psn);
  if (recoveries_.current() != nullptr) {
    const auto place = place_of(packet);
    // Not a new packet: its original was seen, damaged.
    if (recoveries_.goes_back() && place && corrupt != 0 && packet.psn == order_.next()) {
      resend(packet, *place, verdict, log);
      verdict.lost = LostWhere::kCorrupt;
      verdict.related = corrupt;
      return verdict;
    }
    recoveries_.end(packet, order_, log);
  }
  const Recoveries::Evidence* const asked = recoveries_.evidence();
  if (asked != nullptr && !asked->followed && asked->psn == packet.psn) {  // its original was not seen
    verdict.lost = asked->lost;
    resend(packet, {.cause = asked->cause, .evidence = asked->frame}, verdict, log);
    if (verdict.lost == LostWhere::kBefore) {
      recoveries_.count_lost(1, log);
      recoveries_.count_awaited(log);
    }
    return verdict;
  }
  if (packet.psn == order_.next()) return verdict;
  const std::uint32_t mtu = order_.mtu();
  if (const auto read = order_.tie_loose_end(packet.psn)) {
    set_span(read);
    if (order_.mtu() != mtu) set_read_spans(messages_, order_);
    return verdict;
  }
  verdict.missing = miss(packet.psn, packet.time);
  if (verdict.missing == 0) return verdict;
  verdict.kind = VerdictKind::kGap;
  log.troubles().missing += verdict.missing;
  return verdict;
}

Verdict Requester::judge_missing(const RequestPacket& packet, const TrackOptions& options, const StreamLog& log) {
  const MissingRun run = *order_.missing().find(packet.psn);
  Verdict verdict{.kind = VerdictKind::kOutOfOrder};
  const std::uint32_t span = order_.span_of(packet);
  const RequestOrder::Sending sending = order_.sending_of(packet);
  const bool again = sending == RequestOrder::Sending::kAgain;
  const bool is_read = packet.opcode->operation == Operation::kReadRequest;
  if (sending == RequestOrder::Sending::kFirst) {
    recoveries_.excuse(packet.psn);
  } else if (const auto place = place_of(packet)) {
    resend(packet, *place, verdict, log);
  } else if (order_.is_reliable() && (again || elapsed(run.opened, packet.time) > options.reorder_window)) {
    if (run.acknowledged && !is_read) {
      resend(packet, {.cause = ResendCause::kAckLost}, verdict, log);
      verdict.acknowledged = true;
    } else if (responses_.timed_out(packet.time, order_)) {
      resend(packet, {.cause = ResendCause::kTimeout}, verdict, log);
    } else if (again || run.acknowledged || !has_all()) {  // whatever asked for it may have been missed
      resend(packet, {.cause = ResendCause::kUnknown}, verdict, log);
    }
  }
  const bool is_late = verdict.kind == VerdictKind::kOutOfOrder;
  if (is_late && sending != RequestOrder::Sending::kFirst && (run.acknowledged || run.unwatched)) {
    // Its ACK was seen before it: the capture has the two directions in another order. Or the capture began in the middle, and
    // whether it was sent before is not known.
    verdict.kind = VerdictKind::kInOrder;
  } else if (is_late) {
    order_.count_late(elapsed(run.opened, packet.time), packet.time);
    order_.learn_order(packet);
  } else if (const std::uint64_t frame = recoveries_.take_corrupt(packet.psn); frame != 0) {
    verdict.lost = LostWhere::kCorrupt;
    verdict.related = frame;
  } else if (run.acknowledged) {
    // A READ that comes again may ask for a response to a READ that was not seen; that response counts already.
    if (!run.unwatched) ++(is_read ? log.troubles().arrived_unseen : log.troubles().capture_lost);
  } else if (!run.unwatched && verdict.cause != ResendCause::kUnknown && !order_.may_be_late(run.opened, packet.time) &&
             !order_.may_be_late(packet.watched_since, run.opened)) {
    verdict.lost = LostWhere::kBefore;
    recoveries_.count_lost(1, log);
    recoveries_.count_awaited(log);
  }
  order_.missing().fill(packet.psn, span);
  const bool is_cut = is_read && !packet.dma_length;
  order_.missing().leave_to_read(packet.psn + span, is_cut);
  return verdict;
}

Verdict Requester::judge_copy(const RequestPacket& packet, const TrackOptions& options, const StreamLog& log) {
  SentPacket* original = order_.sent().find(packet.psn);
  const std::int64_t since = original != nullptr ? original->last_time : order_.last_request();
  const bool same = original != nullptr && original->psn == packet.psn;
  Verdict verdict{.kind = VerdictKind::kCaptureDuplicate};
  relate(packet.psn, verdict);
  const std::optional<Place> place = place_of(packet);
  const bool asks_anew = responses_.misses_response_since(since, packet, order_) || asks_for_missed(packet, since);
  // The packet came just now, after the NAK. For that NAK the requester sends the packets before it first, and those were not seen.
  constexpr std::int64_t kAtOnce = 10'000;  // ns: no requester answers a NAK so soon
  const bool is_unlikely = place && !place->goes_on && place->skipped > 0 && recoveries_.evidence()->time <= since &&
                           elapsed(since, packet.time) < kAtOnce;
  const bool at_once = (!place || is_unlikely) && !asks_anew && elapsed(since, packet.time) < options.duplicate_window;
  // A part of a READ that is asked for again has a PSN of its own, which the ICRC covers.
  const bool is_known = same || (original != nullptr && packet.has_icrc);
  const bool is_copy = is_known && original->icrc == packet.icrc && (at_once || order_.is_same(*original, packet));
  if (!order_.is_reliable()) return verdict;
  if (is_copy) {
    twice_.make().add(packet.psn, packet.asks_for_ack, packet.time);
    return verdict;
  }
  if (original != nullptr && is_other_request(packet, *original)) {
    verdict.kind = VerdictKind::kUsedPsn;
    verdict.message = 0;  // which the responder does not carry out
    ++copies_;
    return verdict;
  }

  using Sending = RequestOrder::Sending;
  const Sending sending = order_.sending_of(packet);
  // No recovery accounts for it, and a copy was reported lost: that copy was only overtaken.
  const bool is_late =
      same && original->lost > 0 && elapsed(original->last_time, packet.time) < responses_.shortest_timeout();
  const bool late = same && (sending == Sending::kFirst || (sending == Sending::kUnknown && !place && is_late));
  const bool overtaken = order_.is_overtaken(packet);
  const bool skipped = overtaken || (place && order_.may_be_late(since, packet.time));
  if (same && original->lost > 0 && skipped && !late && !(place && place->late)) {
    recoveries_.find_lost(*original, log);
  } else if (same && original->missed && !overtaken) {
    verdict.lost = LostWhere::kBefore;
  }
  if (late) {
    verdict.kind = VerdictKind::kOutOfOrder;
    verdict.lost = LostWhere::kNowhere;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::int64_t hole = original->hole_us * std::int64_t{1000};
    order_.count_late(std::min(elapsed(original->last_time, packet.time), kMost - hole) + hole, packet.time);
    recoveries_.find_lost(*original, log);
  } else if (place) {
    const Recoveries::Evidence* const asked = recoveries_.evidence();
    if (asked != nullptr && asked->psn == packet.psn && asked->frame == place->evidence && !place->goes_on) {
      verdict.lost = asked->lost;
    }
    resend(packet, *place, verdict, log);
  } else {
    resend(packet, why_again(packet, original, options.reorder_window), verdict, log);
  }
  const bool is_read = packet.opcode->operation == Operation::kReadRequest;  // again where responses were lost
  constexpr std::int64_t kOnTheWay = 100'000;  // ns: an ACK that passed here sooner may have come too late
  verdict.acknowledged = !late && !is_read && has_acknowledged_before(packet.psn + order_.span_of(packet)) &&
                         elapsed(responses_.acknowledged_at(), packet.time) >= kOnTheWay;
  find_lost_acks(packet, verdict, log);
  const bool is_unexplained = verdict.cause == ResendCause::kUnknown || verdict.cause == ResendCause::kSpurious;
  if (same && !late && !is_read && is_unexplained && !verdict.acknowledged &&
      elapsed(since, packet.time) < responses_.shortest_timeout()) {
    twice_.make().add_resent(packet.psn, packet.psn.before(order_.unacknowledged()), packet.frame, packet.time);
  }
  if (const std::uint64_t frame = recoveries_.take_corrupt(packet.psn); frame != 0) {
    verdict.lost = LostWhere::kCorrupt;
    verdict.related = frame;
  }
  if (verdict.lost == LostWhere::kBefore) recoveries_.count_awaited(log);
  ++copies_;
  log.troubles().resent_bytes += packet.payload;
  if (original != nullptr) {
    if (same) order_.count_copy(*original, packet);
    original->last_time = packet.time;
    original->icrc = packet.icrc;
    original->missed = false;
  }
  Message* message = messages_.find(packet.psn);
  if (message == nullptr && original != nullptr && is_read && !late)
    message = messages_.take_up(original->message, log);
  if (message != nullptr) message->send_again(packet.psn, packet.time);
  return verdict;
}

void Requester::resend(const RequestPacket& packet, const Place& place, Verdict& verdict, const StreamLog& log) {
  const std::int64_t since = responses_.waiting_since(order_);
  recoveries_.resend(packet, place, verdict, order_, responses_, log);
  const bool begins = recoveries_.current()->first_frame == packet.frame;
  if (begins && verdict.cause == ResendCause::kTimeout) {
    if (!lost_acks_) lost_acks_ = std::make_unique<LostAcks>();
    lost_acks_->begin_try(packet, since, log);
  }
  if (lost_acks_) lost_acks_->resend(packet);
}

/// Whether what was just sent again was acknowledged so long ago that the ACK must have been lost behind the capture point.
void Requester::find_lost_acks(const RequestPacket& packet, const Verdict& verdict, const StreamLog& log) {
  if (!verdict.acknowledged || recoveries_.current() == nullptr) return;
  if (recoveries_.current()->first_frame != packet.frame || !responses_.is_acknowledged_by_ack()) return;
  if (elapsed(responses_.acknowledged_at(), packet.time) < responses_.shortest_timeout()) return;
  if (!lost_acks_) lost_acks_ = std::make_unique<LostAcks>();
  lost_acks_->resend_acknowledged(packet, responses_.acknowledged_at(), log);
}

/// Whether the packet cannot be `original` or a part of it again. If the queue pair was silent for longer, it may
/// belong to its next life.
bool Requester::is_other_request(const RequestPacket& packet, const SentPacket& original) noexcept {
  constexpr std::int64_t kLately = 100'000'000;
  const std::int64_t last = std::max(order_.last_request(), responses_.acknowledged_at());
  if (std::abs(elapsed(last, packet.time)) > kLately) return false;
  if (packet.opcode->code != original.opcode) return true;
  const auto behind = static_cast<std::uint32_t>(original.psn.distance_to(packet.psn));
  if (packet.opcode->operation == Operation::kReadRequest) {
    // The rest of a READ, or a part of that, may be asked for (IBTA 9.7.5.2.8).
    if (!packet.dma_length || order_.mtu() == 0) return false;
    const std::uint16_t now = fingerprint_of(packet, behind, order_.mtu());
    const bool other_region = now != 0 && original.content != 0 && now != original.content;
    return other_region || behind + order_.span_of(packet) > original.span;
  }
  const Message* const message = messages_.find(packet.psn);
  const bool is_first = message != nullptr && message->first_psn == packet.psn && message->address && packet.address;
  if (is_first && (message->address != packet.address || message->r_key != packet.r_key)) return true;
  return original.content != static_cast<std::uint16_t>(packet.payload);
}

/// Why the requester sends a packet again that no recovery accounts for.
Requester::Place Requester::why_again(const RequestPacket& packet, const SentPacket* original,
                                      std::int64_t reorder_window) {
  const std::int64_t since = original != nullptr ? original->last_time : order_.last_request();
  if (original != nullptr && recoveries_.is_asked_since(since, packet.psn) &&
      !recoveries_.is_ignored(packet.time, order_, responses_)) {
    const Recoveries::Evidence& asked = *recoveries_.evidence();
    return {.cause = asked.cause, .evidence = asked.frame};
  }
  if (responses_.misses_response(packet, order_) || asks_for_missed(packet, since)) {
    const bool waited = responses_.timed_out(packet.time, order_) &&
                        responses_.silence(order_.last_request(), packet.time) >= responses_.shortest_timeout();
    return {.cause = waited ? ResendCause::kTimeout : ResendCause::kImpliedNak};
  }
  const bool answered = (packet.psn + (order_.span_of(packet) - 1)).before(order_.unacknowledged());
  const bool is_read = packet.opcode->operation == Operation::kReadRequest;
  // Too soon for any timer: the requester lacks the part of the answer that was seen.
  if (answered && is_read && original != nullptr && elapsed(since, packet.time) < responses_.shortest_timeout()) {
    return {.cause = ResendCause::kImpliedNak};
  }
  if (answered) {
    const bool long_ago = elapsed(responses_.acknowledged_at(), packet.time) > reorder_window;
    return {.cause = long_ago ? ResendCause::kAckLost : ResendCause::kSpurious};
  }
  return {.cause = responses_.timed_out(packet.time, order_) ? ResendCause::kTimeout : ResendCause::kUnknown};
}

}  // namespace rocescope
