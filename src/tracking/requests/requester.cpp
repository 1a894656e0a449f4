// Requests: what each says of those before it.
#include "tracking/requests/requester.hpp"

#include <algorithm>
#include <utility>

#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

constexpr std::uint32_t microseconds(std::int64_t from, std::int64_t to) noexcept {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(elapsed(from, to) / 1000, 0, kMost));
}

constexpr bool is_depth(Operation operation) noexcept {
  return operation == Operation::kReadRequest || operation == Operation::kCompareSwap ||
         operation == Operation::kFetchAdd;
}

}  // namespace

std::uint32_t Requester::span_of(const RequestPacket& packet) const noexcept {
  if (packet.opcode->operation != Operation::kReadRequest || mtu_ == 0) return 1;
  // A READ of 2^31 bytes takes 2^23 PSNs of the smallest MTU: half of all, the most that serial numbers can tell.
  return std::min(packets_for(packet.dma_length.value_or(0), mtu_), Psn::kHalf - 1);
}

void Requester::learn_mtu(std::uint32_t payload, Position position) noexcept {
  if (mtu_ != 0 || (position != Position::kFirst && position != Position::kMiddle) || !is_mtu(payload)) return;
  mtu_ = payload;
  if (loose_end_) set_span(packets_for(loose_end_->dma_length, mtu_));
}

/// Whether a READ of unknown span explains that `next` comes next; then its span is known, and with it the path MTU.
bool Requester::tie_loose_end(Psn next) noexcept {
  if (!loose_end_ || !(loose_end_->psn + 1 == next_)) return false;
  const std::uint32_t span = static_cast<std::uint32_t>(loose_end_->psn.distance_to(next));
  for (std::uint32_t mtu = kLargestMtu; mtu >= kSmallestMtu; mtu /= 2) {
    if (packets_for(loose_end_->dma_length, mtu) != span) continue;
    mtu_ = mtu;
    set_span(span);
    return true;
  }
  return false;
}

/// The READ at the loose end takes `span` PSNs.
void Requester::set_span(std::uint32_t span) noexcept {
  if (SentPacket* read = sent_.find(loose_end_->psn)) read->span = span;
  if (Message* read = open_message(loose_end_->psn)) read->last_psn = loose_end_->psn + (span - 1);
  if (loose_end_->psn + 1 == next_) next_ = loose_end_->psn + span;
  loose_end_.reset();
}

/// Forgets what was told of the packet before.
void Requester::begin_packet(StreamNews& news) {
  news_ = &news;
  news.measures.clear();
  ended_recovery_.reset();
}

Verdict Requester::request(const RequestPacket& packet, const TrackOptions& options, StreamNews& news) {
  begin_packet(news);
  if (!started_) {
    start_at(packet.psn);
    covered_ = false;
  }
  if (packet.psn.before(unacknowledged_)) extend_start(packet.psn, packet.time);
  learn_mtu(packet.payload, packet.opcode->position);
  const std::int32_t ahead = next_.distance_to(packet.psn);
  const bool was_known = ahead < 0 && missing_.find(packet.psn) == nullptr;
  const std::uint32_t hole_us =
      was_known || ahead >= 0 ? 0 : microseconds(missing_.find(packet.psn)->opened, packet.time);
  Verdict verdict = ahead >= 0   ? judge_new(packet)
                    : !was_known ? judge_missing(packet, options)
                                 : judge_copy(packet, options);
  send_order_.observe(packet.identification, elapsed(last_request_, packet.time));
  totals_.add(verdict.kind);
  if (verdict.kind == VerdictKind::kCaptureDuplicate) return verdict;

  totals_.payload_bytes += packet.payload;
  const std::uint32_t span = span_of(packet);
  if (!was_known) {
    ++totals_.new_packets;
    Message& message = message_of(packet);
    if (verdict.kind == VerdictKind::kRetransmission) message.resent = true;
    verdict.message = message.number;
    // Its ACK was seen before: the capture has the packets of the two directions in another order.
    if (message.has_last && !message.is_read() && message.last_psn.before(unacknowledged_)) {
      message.resent = true;  // says nothing of latency
      complete(message, {.frame = packet.frame, .time = packet.time}, MessageOutcome::kCompleted);
    }
    const SentPacket sent{.psn = packet.psn,
                          .span = span,
                          .icrc = packet.icrc,
                          .hole_us = hole_us,
                          .first_frame = packet.frame,
                          .last_time = packet.time,
                          .message = verdict.message,
                          .lost = static_cast<std::uint16_t>(verdict.lost == LostWhere::kBefore ? 1 : 0),
                          .payload = static_cast<std::uint16_t>(packet.payload),
                          .identification = packet.identification,
                          .late = verdict.kind == VerdictKind::kOutOfOrder,
                          .depth = is_depth(packet.opcode->operation)};
    sent_.add(sent);
    if (!sent.psn.before(unacknowledged_)) note_in_flight(sent);
  }
  if (next_.before(packet.psn + span)) next_ = packet.psn + span;
  if (packet.psn == expected_) {
    expect(packet.psn + span);
  } else if (expected_.before(packet.psn) && !beyond_) {
    beyond_ = true;
    beyond_at_ = packet.time;
  }
  if (ahead >= 0 && packet.opcode->operation == Operation::kReadRequest && mtu_ == 0 &&
      packet.dma_length.value_or(0) > kSmallestMtu) {
    loose_end_ = {packet.psn, *packet.dma_length};
  }
  last_request_ = packet.time;
  if (open_.size() > kMostOpen) {  // one direction only: nothing will ever answer them
    end(open_.front());
    open_.pop_front();
  }
  sent_.trim(unacknowledged_, kRemembered);
  return_memory();
  return verdict;
}

Verdict Requester::judge_new(const RequestPacket& packet) {
  send_order_.follow(packet.identification, sent_.empty() ? -1 : elapsed(last_request_, packet.time));
  Verdict verdict{.kind = VerdictKind::kInOrder};
  const std::uint64_t corrupt = take_corrupt(packet.psn);
  if (recovery_) {
    const ResendCause cause = recovery_->facts.cause;
    const bool goes_back = cause == ResendCause::kNak || cause == ResendCause::kRnr || cause == ResendCause::kTimeout;
    const auto place = place_of(packet);
    if (goes_back && place && corrupt != 0 && packet.psn == next_) {  // no new packet: its original was seen, damaged
      set_resent(packet, *place, verdict);
      verdict.lost = LostWhere::kCorrupt;
      verdict.related = corrupt;
      return verdict;
    }
    // It sends everything again before anything new: what is not seen of that was lost.
    if (goes_back && recovery_->next.before(next_) && !may_be_late(recovery_->facts.first_time, packet.time)) {
      lose_skipped(recovery_->next, static_cast<std::uint32_t>(recovery_->next.distance_to(next_)));
    }
    end_recovery();
  }
  if (evidence_ && !evidence_->followed && evidence_->psn == packet.psn) {  // its original was not seen
    verdict.lost = evidence_->lost;
    set_resent(packet, {.cause = evidence_->cause, .evidence = evidence_->frame}, verdict);
    if (verdict.lost == LostWhere::kBefore) lose_before(1);
    return verdict;
  }
  if (packet.psn == next_ || tie_loose_end(packet.psn)) return verdict;
  verdict.kind = VerdictKind::kGap;
  verdict.missing = static_cast<std::uint32_t>(next_.distance_to(packet.psn));
  missing_.add({next_, verdict.missing, packet.time});
  troubles().missing += verdict.missing;
  return verdict;
}

Verdict Requester::judge_missing(const RequestPacket& packet, const TrackOptions& options) {
  const MissingRun run = *missing_.find(packet.psn);
  Verdict verdict{.kind = VerdictKind::kOutOfOrder};
  const std::uint32_t span = span_of(packet);
  const Sending sending = sending_of(packet);
  const bool again = sending == Sending::kAgain;
  if (sending == Sending::kFirst) {
    // It was overtaken, whatever asked for it since.
    if (evidence_ && evidence_->psn == packet.psn) evidence_->lost = LostWhere::kNowhere;
  } else if (const auto place = place_of(packet)) {
    set_resent(packet, *place, verdict);
  } else if (reliable_ && (again || elapsed(run.opened, packet.time) > options.reorder_window)) {
    if (run.acknowledged) {
      set_resent(packet, {.cause = ResendCause::kAckLost}, verdict);
    } else if (timed_out(packet.time)) {
      set_resent(packet, {.cause = ResendCause::kTimeout}, verdict);
    } else if (again || !has_all()) {  // whatever asked for it may have been missed
      set_resent(packet, {.cause = ResendCause::kUnknown}, verdict);
    }
  }
  if (verdict.kind == VerdictKind::kOutOfOrder) {
    note_late(elapsed(run.opened, packet.time), packet.time);
    learn_order(packet);
  } else if (const std::uint64_t frame = take_corrupt(packet.psn); frame != 0) {
    verdict.lost = LostWhere::kCorrupt;
    verdict.related = frame;
  } else if (!run.acknowledged && !run.unwatched && verdict.cause != ResendCause::kUnknown &&
             !may_be_late(run.opened, packet.time)) {
    verdict.lost = LostWhere::kBefore;
    lose_before(1);
  }
  missing_.fill(packet.psn, span);
  return verdict;
}

Verdict Requester::judge_copy(const RequestPacket& packet, const TrackOptions& options) {
  SentPacket* original = sent_.find(packet.psn);
  const std::int64_t since = original != nullptr ? original->last_time : last_request_;
  const bool same = original != nullptr && original->psn == packet.psn;
  Verdict verdict{.kind = VerdictKind::kCaptureDuplicate};
  if (original != nullptr) {
    verdict.related = original->first_frame;
    verdict.message = original->message;
  }
  const std::optional<Place> place = place_of(packet);
  const bool asks_anew = hole_ && hole_->time >= since && misses_response(packet);
  const bool at_once = !place && !asks_anew && elapsed(since, packet.time) < options.duplicate_window;
  if (!reliable_ || (same && original->icrc == packet.icrc && (at_once || is_same(*original, packet)))) return verdict;

  const Sending sending = sending_of(packet);
  const bool late =
      same && (sending == Sending::kFirst || (sending == Sending::kUnknown && !place && is_late(*original, packet)));
  const bool overtaken = send_order_.is_overtaken(packet.identification, elapsed(last_request_, packet.time));
  const bool skipped = overtaken || (place && may_be_late(since, packet.time));
  if (same && original->lost > 0 && skipped && !late && !(place && place->late)) {
    find_lost(*original);
  } else if (same && original->missed && !overtaken) {
    verdict.lost = LostWhere::kBefore;
  }
  const bool answered = (packet.psn + (span_of(packet) - 1)).before(unacknowledged_);
  if (late) {
    verdict.kind = VerdictKind::kOutOfOrder;
    verdict.lost = LostWhere::kNowhere;
    note_late(elapsed(original->last_time, packet.time) + original->hole_us * std::int64_t{1000}, packet.time);
    find_lost(*original);
  } else if (place) {
    if (evidence_ && evidence_->psn == packet.psn && evidence_->frame == place->evidence && !place->goes_on) {
      verdict.lost = evidence_->lost;
    }
    set_resent(packet, *place, verdict);
  } else if (original != nullptr && asked_for(packet.psn, since)) {
    set_resent(packet, {.cause = evidence_->cause, .evidence = evidence_->frame}, verdict);
  } else if (misses_response(packet)) {
    const bool waited = timed_out(packet.time) && silence(packet.time) >= shortest_timeout();
    set_resent(packet, {.cause = waited ? ResendCause::kTimeout : ResendCause::kImpliedNak}, verdict);
  } else if (answered) {
    const bool long_ago = elapsed(acknowledged_at_, packet.time) > options.reorder_window;
    set_resent(packet, {.cause = long_ago ? ResendCause::kAckLost : ResendCause::kSpurious}, verdict);
  } else {
    set_resent(packet, {.cause = timed_out(packet.time) ? ResendCause::kTimeout : ResendCause::kUnknown}, verdict);
  }
  if (const std::uint64_t frame = take_corrupt(packet.psn); frame != 0) {
    verdict.lost = LostWhere::kCorrupt;
    verdict.related = frame;
  }
  ++copies_;
  troubles().resent_bytes += packet.payload;
  if (original != nullptr) {
    if (same) note_sending(*original, packet);
    original->last_time = packet.time;
    original->icrc = packet.icrc;
    original->missed = false;
    if (Message* message = open_message(packet.psn)) message->resent = true;
  }
  return verdict;
}

}  // namespace rocescope
