// Requests: what each says of those before it.
#include "requester.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {
namespace {

constexpr std::uint32_t kSmallestMtu = 256;
constexpr std::uint32_t kLargestMtu = 4096;

constexpr std::uint32_t packets_for(std::uint32_t bytes, std::uint32_t mtu) noexcept {
  return bytes == 0 ? 1 : (bytes - 1) / mtu + 1;
}

constexpr bool is_mtu(std::uint32_t bytes) noexcept {
  return bytes >= kSmallestMtu && bytes <= kLargestMtu && (bytes & (bytes - 1)) == 0;
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

/// Whether a NAK since `since` makes the requester send `psn` again.
bool Requester::asked_for(Psn psn, std::int64_t since) const noexcept {
  return evidence_ && evidence_->time >= since && !evidence_->psn.after(psn);
}

/// Less silence than this is none of an ACK timeout's.
std::int64_t Requester::shortest_timeout() const noexcept {
  constexpr std::int64_t kUsual = 10'000'000;  // what is configured in practice is longer
  return ack_timeout_ > 0 ? ack_timeout_ / 2 : kUsual;
}

/// Whether the silence before `until` can be that of an ACK timeout.
bool Requester::was_silent(std::int64_t until) const noexcept {
  const std::int64_t silence = elapsed(std::max(last_request_, acknowledged_at_), until);
  if (ack_timeout_ > 0) return silence >= ack_timeout_ - ack_timeout_ / 8;  // clocks and time stamps are not exact
  constexpr std::int64_t kShortest = 500'000;
  return silence >= kShortest && silence / 4 >= longest_wait_;
}

Verdict Requester::request(const RequestPacket& packet, const TrackOptions& options, std::uint64_t& messages) {
  if (!started_) start_at(packet.psn);
  learn_mtu(packet.payload, packet.opcode->position);
  const std::int32_t ahead = next_.distance_to(packet.psn);
  const bool was_known = ahead < 0 && missing_.find(packet.psn) == nullptr;
  Verdict verdict = ahead >= 0   ? judge_new(packet)
                    : !was_known ? judge_missing(packet, options)
                                 : judge_copy(packet, options);
  ++totals_.packets[static_cast<std::size_t>(verdict.kind)];
  if (verdict.kind == VerdictKind::kCaptureDuplicate) return verdict;

  totals_.payload_bytes += packet.payload;
  const std::uint32_t span = span_of(packet);
  if (!was_known) {
    Message& message = message_of(packet, messages);
    if (verdict.kind == VerdictKind::kRetransmission) message.resent = true;
    verdict.message = message.number;
    // Its ACK was seen before: the capture has the packets of the two directions in another order.
    if (message.has_last && !message.is_read() && message.last_psn.before(unacknowledged_)) {
      message.resent = true;  // says nothing of latency
      complete(message, {.frame = packet.frame, .time = packet.time}, MessageOutcome::kCompleted);
    }
    sent_.add({.psn = packet.psn,
               .span = span,
               .icrc = packet.icrc,
               .first_frame = packet.frame,
               .last_time = packet.time,
               .message = verdict.message,
               .late = verdict.kind == VerdictKind::kOutOfOrder});
  }
  if (next_.before(packet.psn + span)) next_ = packet.psn + span;
  if (packet.psn == expected_) expected_ = packet.psn + span;
  if (ahead >= 0 && packet.opcode->operation == Operation::kReadRequest && mtu_ == 0 &&
      packet.dma_length.value_or(0) > kSmallestMtu) {
    loose_end_ = {packet.psn, *packet.dma_length};
  }
  last_request_ = packet.time;
  if (open_.size() > kMostOpen) {  // one direction only: nothing will ever answer them
    ended_.push_back(open_.front());
    open_.pop_front();
  }
  sent_.trim(unacknowledged_, kRemembered);
  return verdict;
}

Verdict Requester::judge_new(const RequestPacket& packet) {
  Verdict verdict{.kind = VerdictKind::kInOrder};
  if (recovery_) {
    const bool goes_back = recovery_->cause == ResendCause::kNak || recovery_->cause == ResendCause::kRnr ||
                           recovery_->cause == ResendCause::kTimeout;
    // It sends everything again before anything new: what is not seen of that was lost.
    if (goes_back && !reorders_ && recovery_->next.before(next_)) {
      totals_.lost_before += static_cast<std::uint32_t>(recovery_->next.distance_to(next_));
    }
    recovery_.reset();
  }
  if (packet.psn == next_ || tie_loose_end(packet.psn)) return verdict;
  verdict.kind = VerdictKind::kGap;
  verdict.missing = static_cast<std::uint32_t>(next_.distance_to(packet.psn));
  missing_.add({next_, verdict.missing, packet.time});
  totals_.missing += verdict.missing;
  return verdict;
}

Verdict Requester::judge_missing(const RequestPacket& packet, const TrackOptions& options) {
  const MissingRun run = *missing_.find(packet.psn);
  Verdict verdict{.kind = VerdictKind::kOutOfOrder};
  const std::uint32_t span = span_of(packet);
  if (const auto place = place_of(packet)) {
    set_resent(packet, *place, verdict);
  } else if (reliable_ && elapsed(run.opened, packet.time) > options.reorder_window) {
    const ResendCause unasked = was_silent(packet.time) ? ResendCause::kTimeout : ResendCause::kUnknown;
    set_resent(packet, {.cause = run.acknowledged ? ResendCause::kAckLost : unasked}, verdict);
  }
  if (verdict.kind == VerdictKind::kRetransmission && !run.acknowledged) {
    verdict.lost = LostWhere::kBefore;
    totals_.lost_before += span;
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
  const bool at_once = elapsed(since, packet.time) < options.duplicate_window;
  if (!reliable_ || (same && !place && original->icrc == packet.icrc && at_once)) return verdict;

  const bool answered = (packet.psn + (span_of(packet) - 1)).before(unacknowledged_);
  if (original != nullptr && !same && packet.opcode->operation == Operation::kReadRequest) {
    set_resent(packet, {.cause = ResendCause::kImpliedNak}, verdict);
  } else if (place) {
    if (evidence_ && evidence_->psn == packet.psn && evidence_->frame == place->evidence)
      verdict.lost = evidence_->lost;
    set_resent(packet, *place, verdict);
  } else if (original != nullptr && asked_for(packet.psn, since)) {
    set_resent(packet, {.cause = evidence_->cause, .evidence = evidence_->frame}, verdict);
  } else if (answered) {
    const bool long_ago = elapsed(acknowledged_at_, packet.time) > options.reorder_window;
    set_resent(packet, {.cause = long_ago ? ResendCause::kAckLost : ResendCause::kSpurious}, verdict);
  } else {
    set_resent(packet, {.cause = was_silent(packet.time) ? ResendCause::kTimeout : ResendCause::kUnknown}, verdict);
  }
  totals_.resent_bytes += packet.payload;
  if (original != nullptr) {
    original->last_time = packet.time;
    original->icrc = packet.icrc;
    if (Message* message = open_message(packet.psn)) message->resent = true;
  }
  return verdict;
}

/// The recovery that sends `psn` again: the one under way, or the one that the last NAK asks for. Packets of the old one are
/// still on their way when the NAK for the new one passes.
std::optional<Requester::Place> Requester::place_of(const RequestPacket& packet) const noexcept {
  const Psn psn = packet.psn;
  const bool asked = evidence_ && !evidence_->followed;
  if (recovery_ && recovery_->next == psn) return Place{recovery_->cause, recovery_->evidence, 0, true};
  if (asked && evidence_->psn == psn) return Place{evidence_->cause, evidence_->frame, 0, false};
  if (const MissingRun* skipped = recovery_ ? recovery_->skipped.find(psn) : nullptr;
      skipped != nullptr && elapsed(last_request_, packet.time) < shortest_timeout()) {
    return Place{recovery_->cause, recovery_->evidence, 0, true, true};
  }
  if (recovery_ && recovery_->next.before(psn)) {
    return Place{recovery_->cause, recovery_->evidence, static_cast<std::uint32_t>(recovery_->next.distance_to(psn)),
                 true};
  }
  if (asked && evidence_->psn.before(psn)) {
    return Place{evidence_->cause, evidence_->frame, static_cast<std::uint32_t>(evidence_->psn.distance_to(psn)),
                 false};
  }
  return std::nullopt;
}

void Requester::set_resent(const RequestPacket& packet, const Place& place, Verdict& verdict) {
  const std::uint32_t span = span_of(packet);
  if (!place.goes_on || !recovery_) {
    ++totals_.recoveries;
    recovery_ = Recovery{packet.psn, place.cause, place.evidence, {}};
    if (evidence_ && evidence_->frame == place.evidence) evidence_->followed = true;
  }
  if (place.late) {
    recovery_->skipped.fill(packet.psn, span);
    if (!reorders_) totals_.lost_before -= std::min<std::uint64_t>(totals_.lost_before, span);
    reorders_ = true;
  } else {
    if (place.skipped > 0) recovery_->skipped.add({packet.psn - place.skipped, place.skipped, packet.time});
    recovery_->next = packet.psn + span;
  }
  verdict.kind = VerdictKind::kRetransmission;
  verdict.cause = place.cause;
  verdict.evidence = place.evidence;
  verdict.missing = place.skipped;
  if (!reorders_) totals_.lost_before += place.skipped;
  ++totals_.resends[static_cast<std::size_t>(place.cause)];
}

/// The message that a packet which had not been seen before belongs to.
Message& Requester::message_of(const RequestPacket& packet, std::uint64_t& messages) {
  const Position position = packet.opcode->position;
  const bool first = position == Position::kFirst || position == Position::kOnly;
  const bool last = position == Position::kLast || position == Position::kOnly;
  const Psn last_psn = packet.psn + (span_of(packet) - 1);

  Message* message = nullptr;
  Message* following = nullptr;  // what was seen of the message behind the packet, when its start was missing
  if (!first) {
    message = open_message(packet.psn - 1);
    if (message != nullptr && (message->has_last || message->operation != packet.opcode->operation)) message = nullptr;
  }
  if (!last && (packet.psn + 1).before(next_)) {
    following = open_message(packet.psn + 1);
    if (following == message ||
        (following != nullptr && (following->has_first || following->operation != packet.opcode->operation))) {
      following = nullptr;
    }
  }
  if (message == nullptr && following != nullptr) {
    message = std::exchange(following, nullptr);
    message->first_psn = packet.psn;
  }
  if (message == nullptr) {
    const auto place = std::find_if(open_.rbegin(), open_.rend(), [&](const Message& other) {
                         return other.first_psn.before(packet.psn);
                       }).base();
    message = &*open_.insert(place, Message{.number = ++messages,
                                            .operation = packet.opcode->operation,
                                            .first_psn = packet.psn,
                                            .last_psn = last_psn,
                                            .first_frame = packet.frame,
                                            .first_time = packet.time,
                                            .next_response = packet.psn});
    ++totals_.messages;
  }
  message->has_first |= first;
  message->has_last |= last;
  if (message->last_psn.before(last_psn)) message->last_psn = last_psn;
  message->bytes += message->is_read() ? packet.dma_length.value_or(0) : packet.payload;
  message->last_frame = packet.frame;
  message->last_time = packet.time;
  if (packet.address) {
    message->address = packet.address;
    message->r_key = packet.r_key;
  }
  if (packet.immediate) message->immediate = packet.immediate;
  if (following != nullptr) {  // the packet joins two parts
    message->last_psn = following->last_psn;
    message->has_last = following->has_last;
    message->bytes += following->bytes;
    if (following->immediate) message->immediate = following->immediate;
    const std::uint64_t joined = following->number;
    std::erase_if(open_, [&](const Message& other) { return other.number == joined; });
    --totals_.messages;
    message = open_message(packet.psn);
  }
  return *message;
}

Message* Requester::open_message(Psn psn) noexcept {
  const auto next = std::upper_bound(open_.begin(), open_.end(), psn,
                                     [](Psn value, const Message& message) { return value.before(message.first_psn); });
  if (next == open_.begin()) return nullptr;
  Message& message = *(next - 1);
  return message.contains(psn) ? &message : nullptr;
}

}  // namespace rocescope
