// Responses: what they say of the requests.
#include <algorithm>

#include "rocescope/headers/extended_transport.hpp"
#include "tracking/requests/requester.hpp"

namespace rocescope {

Verdict Requester::response(const ResponsePacket& packet, StreamNews& news) {
  begin_packet(news);
  heard_ = true;
  Verdict verdict;
  if (!started_) {
    verdict.kind = VerdictKind::kResponse;  // one direction only: nothing to compare it with
  } else if (!packet.psn.before(next_) && !packet.is_negative()) {
    verdict = answer_to_unseen(packet);
  } else if (packet.kind == ResponsePacket::Kind::kRead) {
    verdict = read_response(packet);
  } else {
    verdict = acknowledged(packet);
  }
  totals_.add(verdict.kind);
  count(packet.kind);
  follow_aeth(packet, verdict.kind);
  return_memory();
  return verdict;
}

void Requester::count(ResponsePacket::Kind kind) {
  switch (kind) {
    case ResponsePacket::Kind::kAck:
    case ResponsePacket::Kind::kAtomicAck:
      ++totals_.acks;
      return;
    case ResponsePacket::Kind::kRnrNak:
      ++troubles().rnr_naks;
      return;
    case ResponsePacket::Kind::kSequenceNak:
      ++troubles().sequence_naks;
      return;
    case ResponsePacket::Kind::kFatalNak:
      ++troubles().fatal_naks;
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
  news_->measures.clear();  // which of the packets that were not seen ended these times?
  return verdict;
}

Verdict Requester::acknowledged(const ResponsePacket& packet) {
  using Kind = ResponsePacket::Kind;
  Verdict verdict{.kind = VerdictKind::kResponse};
  const bool negative = packet.is_negative();
  if (negative && packet.psn.before(unacknowledged_)) extend_start(packet.psn, packet.time);
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
  if (next_.before(packet.psn)) {  // what is before it arrived there, and was not seen here
    verdict.kind = VerdictKind::kAckOfUnseen;
    verdict.missing = static_cast<std::uint32_t>(next_.distance_to(packet.psn));
    missing_.add({next_, verdict.missing, packet.time});
    next_ = packet.psn;
  }
  const ResendCause cause = packet.kind == Kind::kRnrNak ? ResendCause::kRnr : ResendCause::kNak;
  // A responder asks again only once it was sent again what it asked for (IBTA 9.7.5).
  const bool again = evidence_ && !evidence_->followed && evidence_->psn == packet.psn && evidence_->cause == cause;
  if (packet.kind != Kind::kFatalNak && again) {
    verdict.kind = VerdictKind::kDuplicateAck;
    return verdict;
  }
  if (packet.kind == Kind::kSequenceNak) {
    measure_nak(packet);
    verdict.lost = where_lost(packet);
  }
  cover(packet.psn, packet);  // a NAK acknowledges what is before it (IBTA 9.7.5.1.1)
  if (packet.kind == Kind::kFatalNak) {
    if (Message* message = open_message(packet.psn)) complete(*message, packet, MessageOutcome::kRefused);
    return verdict;
  }
  if (verdict.lost == LostWhere::kAfter) ++troubles().lost_after;
  expect(packet.psn);
  evidence_ = std::make_unique<Evidence>(Evidence{packet.psn, packet.frame, packet.time, cause, verdict.lost, false,
                                                  packet.kind == Kind::kRnrNak ? rnr_timer_ns(packet.value) : 0});
  return verdict;
}

/// Where the packet was lost that a NAK asks for. One that came here late was only overtaken. Where it was not seen since
/// the responder came to expect it, and nothing tells that a copy is missing here, packets were overtaken on their way from
/// here.
LostWhere Requester::where_lost(const ResponsePacket& nak) noexcept {
  const bool corrupt = std::any_of(corrupt_->begin(), corrupt_->end(),
                                   [&](const CorruptPacket& packet) { return packet.psn == nak.psn; });
  if (corrupt) return LostWhere::kCorrupt;
  const SentPacket* packet = sent_.find(nak.psn);
  if (packet != nullptr && packet->late) return LostWhere::kNowhere;
  if (nak.psn.before(expected_)) return LostWhere::kAfter;
  if (packet != nullptr && expected_.before(nak.psn)) return LostWhere::kNowhere;  // it took what was late after all
  if (beyond_ && may_be_late(beyond_at_, nak.time)) return LostWhere::kNowhere;
  return packet == nullptr || (beyond_ && packet->missed) ? LostWhere::kBefore : LostWhere::kNowhere;
}

void Requester::expect(Psn psn) noexcept {
  expected_ = psn;
  beyond_ = false;
}

Verdict Requester::read_response(const ResponsePacket& packet) {
  learn_mtu(packet.payload, packet.position);
  Verdict verdict{.kind = VerdictKind::kResponse};
  if (const SentPacket* request = sent_.find(packet.psn)) {
    verdict.related = request->first_frame;
    verdict.message = request->message;
  }
  Message* read = open_message(packet.psn);
  if (read != nullptr && (read->operation == Operation::kFlush || read->operation == Operation::kAtomicWrite)) {
    return acknowledged(packet);  // a READ response without payload (IBTA A19)
  }
  if (read == nullptr || !read->is_read()) {
    verdict.kind = verdict.related != 0 ? VerdictKind::kReadResponseRetransmission : VerdictKind::kStale;
    return verdict;
  }
  const std::int32_t ahead = read->next_response.distance_to(packet.psn);
  follow_read_holes(packet, ahead > 0, read->next_response);
  if (ahead < 0) {
    verdict.kind = VerdictKind::kReadResponseRetransmission;
    return verdict;
  }
  if (ahead > 0) {
    verdict.kind = VerdictKind::kReadResponseGap;
    verdict.missing = static_cast<std::uint32_t>(ahead);
    read->resent = true;  // what is missing may be sent again: it says nothing of latency
  }
  if (ahead == 0 && packet.psn == read->first_psn && !read->resent) {
    measure(TimeKind::kReadFirst, read->first_time, packet.time);
  }
  read->next_response = packet.psn + 1;
  cover(read->first_psn, packet);  // what was before the READ goes, and so the READ moves
  progress_at_ = packet.time;
  if (packet.position == Position::kLast || packet.position == Position::kOnly) {
    if (Message* answered = open_message(packet.psn)) complete(*answered, packet, MessageOutcome::kCompleted);
    cover(packet.psn + 1, packet);
  }
  return verdict;
}

/// What the requester wants next of its READ responses. What comes behind a hole it drops, so the hole moves on only with
/// the response that it wants.
void Requester::follow_read_holes(const ResponsePacket& packet, bool gap, Psn wanted) {
  if (hole_ && hole_->psn == packet.psn) {
    hole_->psn = packet.psn + 1;
  } else if (hole_ && hole_->psn.before(packet.psn)) {
    hole_->time = packet.time;
  } else if (!hole_ && gap) {
    hole_ = std::make_unique<ResponseHole>(ResponseHole{wanted, packet.time});
  }
  if (hole_ && !hole_->psn.before(next_)) hole_.reset();
}

/// The message sequence number counts the responder's messages (IBTA 9.7.7.1); an ACK without credits stops the
/// requester until another gives some (IBTA 9.7.7.2.5).
void Requester::follow_aeth(const ResponsePacket& packet, VerdictKind kind) {
  if (!packet.msn || (kind != VerdictKind::kResponse && kind != VerdictKind::kAckOfUnseen)) return;
  const Psn msn(*packet.msn);
  if (msn_ && msn.before(*msn_)) ++troubles().msn_backwards;
  msn_ = msn;
  if (packet.is_negative()) return;
  if (credits_of(packet.value) == 0U) {
    if (no_credits_since_) return;
    no_credits_since_ = std::make_unique<std::int64_t>(packet.time);
    ++troubles().credit_stalls;
  } else if (no_credits_since_) {
    const std::int64_t ns = std::max<std::int64_t>(elapsed(*no_credits_since_, packet.time), 0);
    troubles().credit_stalled += std::min(ns, std::numeric_limits<std::int64_t>::max() - troubles().credit_stalled);
    no_credits_since_.reset();
  }
}

void Requester::cover(Psn psn, const ResponsePacket& by) {
  if (!unacknowledged_.before(psn)) return;
  InFlight& flight = totals_.in_flight;
  sent_.visit(unacknowledged_, static_cast<std::uint32_t>(unacknowledged_.distance_to(psn)), SentPackets::kMost,
              [&flight](const SentPacket& sent) {
                flight.packets -= std::min<std::uint32_t>(flight.packets, 1);
                flight.bytes -= std::min<std::uint64_t>(flight.bytes, sent.payload);
                flight.reads -= std::min<std::uint32_t>(flight.reads, sent.depth ? 1 : 0);
              });
  covered_ = true;
  unacknowledged_ = psn;
  if (expected_.before(psn)) expect(psn);
  // What a NAK asked for arrived before it was sent again: others had only overtaken it behind the capture point.
  if (evidence_ && evidence_->lost == LostWhere::kAfter && !evidence_->followed && evidence_->psn.before(psn)) {
    evidence_->lost = LostWhere::kNowhere;
    --troubles().lost_after;
  }
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
