// Responses: what they say of the requests.
#include <algorithm>

#include "requester.hpp"
#include "rocescope/headers/aeth.hpp"

namespace rocescope {

Verdict Requester::response(const ResponsePacket& packet) {
  begin_packet();
  Verdict verdict;
  if (!started_) {
    verdict.kind = VerdictKind::kResponse;  // one direction only: nothing to compare it with
  } else if (!packet.psn.before(next_) && packet.kind != ResponsePacket::Kind::kSequenceNak) {
    verdict = answer_to_unseen(packet);
  } else if (packet.kind == ResponsePacket::Kind::kRead) {
    verdict = read_response(packet);
  } else {
    verdict = acknowledged(packet);
  }
  ++totals_.packets[static_cast<std::size_t>(verdict.kind)];
  count(packet.kind);
  return verdict;
}

void Requester::count(ResponsePacket::Kind kind) noexcept {
  switch (kind) {
    case ResponsePacket::Kind::kAck:
    case ResponsePacket::Kind::kAtomicAck:
      ++totals_.acks;
      return;
    case ResponsePacket::Kind::kRnrNak:
      ++totals_.rnr_naks;
      return;
    case ResponsePacket::Kind::kSequenceNak:
      ++totals_.sequence_naks;
      return;
    case ResponsePacket::Kind::kFatalNak:
      ++totals_.fatal_naks;
      return;
    case ResponsePacket::Kind::kRead:
      return;
  }
}

/// Requests up to the one that it answers arrived there, and were not seen here.
Verdict Requester::answer_to_unseen(const ResponsePacket& packet) {
  Verdict verdict{.kind = VerdictKind::kAckOfUnseen};
  if (loose_end_ && loose_end_->psn + 1 == next_) {  // a READ of unknown span: its responses, or what follows them
    const std::int32_t distance = loose_end_->psn.distance_to(packet.psn);
    if (distance > 0 && static_cast<std::uint32_t>(distance) <= loose_end_->dma_length / 256) {
      verdict.kind = VerdictKind::kResponse;
      if (Message* read = open_message(loose_end_->psn)) read->last_psn = packet.psn;
      next_ = packet.psn + 1;
      if (packet.kind == ResponsePacket::Kind::kRead) return read_response(packet);
      cover(packet.psn + 1, packet);
      return verdict;
    }
  }
  verdict.missing = static_cast<std::uint32_t>(next_.distance_to(packet.psn)) + 1;
  missing_.add({next_, verdict.missing, packet.time});
  next_ = packet.psn + 1;
  cover(next_, packet);
  measures_.clear();  // which of the packets that were not seen ended these times?
  return verdict;
}

Verdict Requester::acknowledged(const ResponsePacket& packet) {
  using Kind = ResponsePacket::Kind;
  Verdict verdict{.kind = VerdictKind::kResponse};
  const bool negative =
      packet.kind == Kind::kRnrNak || packet.kind == Kind::kSequenceNak || packet.kind == Kind::kFatalNak;
  if (const SentPacket* request = sent_.find(packet.psn)) {
    verdict.related = request->first_frame;
    verdict.message = request->message;
  }
  if (packet.psn.before(unacknowledged_)) {
    verdict.kind = !negative && packet.psn + 1 == unacknowledged_ ? VerdictKind::kDuplicateAck : VerdictKind::kStale;
    return verdict;
  }
  if (!negative) {
    cover(packet.psn + 1, packet);
    return verdict;
  }
  if (packet.kind == Kind::kSequenceNak) measure_nak(packet);
  cover(packet.psn, packet);  // a NAK acknowledges what is before it (IBTA 9.7.5.1.1)
  if (packet.kind == Kind::kFatalNak) {
    if (Message* message = open_message(packet.psn)) complete(*message, packet, MessageOutcome::kRefused);
    return verdict;
  }
  if (packet.kind == Kind::kSequenceNak) verdict.lost = where_lost(packet.psn);
  if (verdict.lost == LostWhere::kAfter) ++totals_.lost_after;
  expected_ = packet.psn;
  evidence_ = {packet.psn,
               packet.frame,
               packet.time,
               packet.kind == Kind::kRnrNak ? ResendCause::kRnr : ResendCause::kNak,
               verdict.lost,
               false,
               packet.kind == Kind::kRnrNak ? rnr_timer_ns(packet.value) : 0};
  return verdict;
}

/// Where the packet was lost that a NAK asks for. One that came here late was only overtaken.
LostWhere Requester::where_lost(Psn psn) noexcept {
  const SentPacket* packet = sent_.find(psn);
  if (packet != nullptr && packet->late) return LostWhere::kNowhere;
  return psn.before(expected_) ? LostWhere::kAfter : LostWhere::kBefore;
}

Verdict Requester::read_response(const ResponsePacket& packet) {
  learn_mtu(packet.payload, packet.position);
  Verdict verdict{.kind = VerdictKind::kResponse};
  if (const SentPacket* request = sent_.find(packet.psn)) {
    verdict.related = request->first_frame;
    verdict.message = request->message;
  }
  Message* read = open_message(packet.psn);
  if (read == nullptr || !read->is_read()) {
    verdict.kind = verdict.related != 0 ? VerdictKind::kReadResponseRetransmission : VerdictKind::kStale;
    return verdict;
  }
  const std::int32_t ahead = read->next_response.distance_to(packet.psn);
  if (ahead < 0) {
    verdict.kind = VerdictKind::kReadResponseRetransmission;
    return verdict;
  }
  if (ahead > 0) {
    verdict.kind = VerdictKind::kReadResponseGap;
    verdict.missing = static_cast<std::uint32_t>(ahead);
  }
  if (ahead == 0 && packet.psn == read->first_psn && !read->resent) {
    measure(TimeKind::kReadFirst, read->first_time, packet.time);
  }
  read->next_response = packet.psn + 1;
  cover(read->first_psn, packet);
  progress_at_ = packet.time;
  if (packet.position == Position::kLast || packet.position == Position::kOnly) {
    complete(*read, packet, MessageOutcome::kCompleted);
    cover(packet.psn + 1, packet);
  }
  return verdict;
}

void Requester::cover(Psn psn, const ResponsePacket& by) {
  if (!unacknowledged_.before(psn)) return;
  unacknowledged_ = psn;
  if (expected_.before(psn)) expected_ = psn;
  if (const std::int64_t ns = silence(by.time);
      ns >= kShortestStall && usual_wait_ > 0 && ns / kUnusual >= usual_wait_) {
    measure_stall(ns);
  }
  acknowledged_at_ = progress_at_ = by.time;
  missing_.acknowledge_before(psn);
  while (!open_.empty() && open_.front().last_psn.before(psn)) {
    Message& message = open_.front();
    if (!message.has_last && message.last_psn + 1 == psn) break;  // the rest is still to come
    if (join_rest(message)) continue;
    if (!message.resent) measure_wait(elapsed(message.last_time, by.time));
    complete(message, by, MessageOutcome::kCompleted);
  }
  sent_.trim(unacknowledged_, kRemembered);
}

}  // namespace rocescope
