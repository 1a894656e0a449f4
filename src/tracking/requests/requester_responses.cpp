// Responses, and what they show about the requests.
#include <algorithm>
#include <limits>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "tracking/requests/requester.hpp"

namespace rocescope {

Verdict Requester::response(const ResponsePacket& packet, const TrackOptions& options, StreamNews& news) {
  const StreamLog log = begin_packet(news);
  if (packet.is_negative() && recoveries_.is_copy(packet, options.duplicate_window)) return pass_nak_copy(packet, news);
  if (lost_acks_) lost_acks_->answer(packet, log);
  if (packet.kind == ResponsePacket::Kind::kRead) messages_.count_response();
  Verdict verdict;
  if (!order_.started()) {
    verdict.kind = VerdictKind::kResponse;  // one direction only: nothing to compare it with
  } else if (!packet.psn.before(order_.next()) && !packet.is_negative()) {
    verdict = answer_to_unseen(packet, log);
  } else if (packet.kind == ResponsePacket::Kind::kRead) {
    verdict = read_response(packet, log);
  } else {
    verdict = acknowledged(packet, log);
  }
  totals_.add(verdict.kind);
  if (packet.is_negative()) recoveries_.note(packet);
  responses_.observe(packet, log);
  responses_.observe_aeth(packet, verdict.kind, log);
  responses_.forget_damaged();
  messages_.return_memory(log.news);
  return verdict;
}

/// The capture has the NAK twice, or the network duplicated it: it says nothing that the first one did not.
Verdict Requester::pass_nak_copy(const ResponsePacket& packet, StreamNews& news) {
  Verdict verdict{.kind = VerdictKind::kDuplicateAck};
  relate(packet.psn, verdict);
  totals_.add(verdict.kind);
  news.is_nak_copy = true;
  return verdict;
}

/// Requests up to the one that it answers arrived there, and were not seen here.
Verdict Requester::answer_to_unseen(const ResponsePacket& packet, const StreamLog& log) {
  Verdict verdict{.kind = VerdictKind::kAckOfUnseen};
  if (const auto psn = order_.loose_end(packet.psn)) {  // a READ of unknown span: its responses, or what follows them
    verdict.kind = VerdictKind::kResponse;
    if (Message* read = messages_.find(*psn)) read->last_psn = packet.psn;
    order_.extend_loose_end(packet.psn);
    if (packet.kind == ResponsePacket::Kind::kRead) return read_response(packet, log);
    cover(packet.psn + 1, packet, log);
    return verdict;
  }
  if (recoveries_.has_corrupt()) recoveries_.place_corrupt(packet.psn + 1, order_);
  const bool goes_on = packet.kind == ResponsePacket::Kind::kRead &&
                       (packet.position == Position::kMiddle || packet.position == Position::kLast);
  // The first response to a damaged READ showed that; these are the rest.
  const MissingRun* const before = goes_on ? order_.missing().find(order_.next() - 1) : nullptr;
  const bool is_rest = before != nullptr && before->damaged;
  auto psns = static_cast<std::uint32_t>(order_.next().distance_to(packet.psn)) + 1;
  if (goes_on && !is_rest) psns = std::min(psns - 1, 1U);  // all up to it may belong to one READ, a single packet
  if (psns > 0) verdict.missing = miss(order_.next() + psns, packet.time);
  if (is_rest) verdict.missing -= order_.missing().damage(order_.next(), verdict.missing);
  if (verdict.missing == 0 && psns > 0) verdict.kind = VerdictKind::kResponse;
  order_.advance(packet.psn + 1);
  cover(order_.next(), packet, log);
  std::erase_if(log.news.measures, [](const Measure& each) {
    return each.read == 0;
  });  // which of the packets that were not seen ended these times?
  return verdict;
}

/// The receiver of a request that came twice may answer both.
void Requester::observe_answer(const ResponsePacket& packet, const StreamLog& log) {
  const Copies::Copy* const copy = twice_.make().answer(packet, packet.psn.before(order_.unacknowledged()));
  if (copy == nullptr) return;
  if (copy->frame == 0) {
    ++log.troubles().answered_copies;
  } else {
    log.news.needless = {copy->frame, copy->time};
  }
}

/// The request that a packet is about.
void Requester::relate(Psn psn, Verdict& verdict) noexcept {
  const SentPacket* const request = order_.sent().find(psn);
  if (request == nullptr) return;
  verdict.related = request->first_frame;
  verdict.message = request->message;
}

Verdict Requester::acknowledged(const ResponsePacket& packet, const StreamLog& log) {
  using Kind = ResponsePacket::Kind;
  Verdict verdict{.kind = VerdictKind::kResponse};
  const bool negative = packet.is_negative();
  if (negative && packet.psn.before(order_.unacknowledged())) order_.extend_start(packet.psn, packet.time);
  relate(packet.psn, verdict);
  if (twice_.get() != nullptr && !negative) observe_answer(packet, log);
  if (packet.psn.before(order_.unacknowledged())) {
    const bool last = packet.psn + 1 == order_.unacknowledged();
    verdict.kind = !negative && last ? VerdictKind::kDuplicateAck : VerdictKind::kStale;
    return verdict;
  }
  if (!negative) {
    cover(packet.psn + 1, packet, log);
    return verdict;
  }
  if (order_.next().before(packet.psn)) {  // what is before it arrived there, and was not seen here
    if (recoveries_.has_corrupt()) recoveries_.place_corrupt(packet.psn, order_);
    verdict.missing = miss(packet.psn, packet.time);
    if (verdict.missing > 0) verdict.kind = VerdictKind::kAckOfUnseen;
    order_.advance(packet.psn);
  }
  if (packet.kind == Kind::kRnrNak) {
    const SentPacket* const request = order_.sent().find(packet.psn);
    const std::int64_t most = std::max(rnr_timer_ns(packet.value), RequestOrder::kSlowHost);
    if (request == nullptr || elapsed(request->last_time, packet.time) > most) ++log.troubles().late_for_rnr;
  }
  const ResendCause cause = packet.asks_for();
  // A responder asks again only after the requester sent again what it asked for (IBTA 9.7.5).
  if (packet.kind != Kind::kFatalNak && recoveries_.is_asked(packet.psn, cause)) {
    verdict.kind = VerdictKind::kDuplicateAck;
    return verdict;
  }
  if (packet.kind == Kind::kSequenceNak) {
    measure_nak(packet, log);
    verdict.lost = where_lost(packet);
  }
  cover(packet.psn, packet, log);  // a NAK acknowledges what is before it (IBTA 9.7.5.1.1)
  if (packet.kind == Kind::kRnrNak) order_.missing().acknowledge_before(packet.psn + 1);  // and this request arrived
  if (packet.kind == Kind::kFatalNak) {
    if (Message* message = messages_.find(packet.psn)) {
      messages_.complete(*message, packet, MessageOutcome::kRefused, log);
    }
    return verdict;
  }
  if (verdict.lost == LostWhere::kAfter) ++log.troubles().lost_after;
  // A NAK for what came late was sent before that came.
  const bool came_late = packet.kind == Kind::kSequenceNak && verdict.lost == LostWhere::kNowhere;
  if (!came_late || order_.expected().before(packet.psn)) order_.expect(packet.psn);
  if (reads_) reads_->drop(packet.psn);
  if (recoveries_.is_asked(packet.psn, ResendCause::kRnr)) return verdict;  // for which the requester waits
  recoveries_.ask({.psn = packet.psn,
                   .frame = packet.frame,
                   .time = packet.time,
                   .cause = cause,
                   .lost = verdict.lost,
                   .rnr_timer = packet.kind == Kind::kRnrNak ? rnr_timer_ns(packet.value) : 0});
  return verdict;
}

/// Where the packet that a NAK asks for was lost. A packet that came here late was only overtaken. If it was not seen since the
/// responder began to expect it, and no sign says that the capture lacks a copy, packets were overtaken behind the capture
/// point.
LostWhere Requester::where_lost(const ResponsePacket& nak) noexcept {
  if (recoveries_.has_corrupt(nak.psn)) return LostWhere::kCorrupt;
  const SentPacket* packet = order_.sent().find(nak.psn);
  if (packet != nullptr && packet->late) return LostWhere::kNowhere;
  const Psn expected = order_.expected();
  if (nak.psn.before(expected)) return LostWhere::kAfter;
  if (packet != nullptr && expected.before(nak.psn)) return LostWhere::kNowhere;  // it took what was late after all
  const auto beyond = order_.beyond_at();
  if (beyond && order_.may_be_late(*beyond, nak.time)) return LostWhere::kNowhere;
  return packet == nullptr || (beyond && packet->missed) ? LostWhere::kBefore : LostWhere::kNowhere;
}

/// Measures the time from the first packet after the gap, which triggers the NAK, to the NAK.
void Requester::measure_nak(const ResponsePacket& nak, const StreamLog& log) {
  const Psn expected = order_.expected();
  const auto beyond = order_.beyond_at();
  if (nak.psn == expected && beyond) return log.measure(TimeKind::kNakGeneration, *beyond, nak.time);
  const SentPacket* lost = nak.psn.before(expected) ? order_.sent().find(nak.psn) : nullptr;
  const SentPacket* behind = lost != nullptr ? order_.sent().find(lost->psn + lost->span) : nullptr;
  if (behind == nullptr) return;
  // If it was asked for before, this NAK asks for the last copies.
  const Recoveries::Evidence* const asked = recoveries_.evidence();
  if (asked != nullptr && asked->psn == nak.psn && behind->last_time <= asked->time) return;
  log.measure(TimeKind::kNakGeneration, behind->last_time, nak.time);
}

Verdict Requester::read_response(const ResponsePacket& packet, const StreamLog& log) {
  learn_mtu(packet.payload, packet.position);
  if (!order_.missing().empty()) answer_unseen_read(packet);
  Verdict verdict{.kind = VerdictKind::kResponse};
  relate(packet.psn, verdict);
  Message* read = messages_.find(packet.psn);
  if (read != nullptr && (read->operation == Operation::kFlush || read->operation == Operation::kAtomicWrite)) {
    return acknowledged(packet, log);  // a READ response without payload (IBTA A19)
  }
  const bool accepted = take_answer(packet, read);
  if (read == nullptr || !read->is_read()) {
    verdict.kind = verdict.related != 0 ? VerdictKind::kReadResponseRetransmission : VerdictKind::kStale;
    return verdict;
  }
  const std::int32_t ahead = read->next_response.distance_to(packet.psn);
  responses_.observe_read(packet, read->next_response, order_.next());
  count_answer(packet, *read, reads_.get());
  if (ahead < 0) {
    verdict.kind = VerdictKind::kReadResponseRetransmission;
    if (accepted) end_answer(packet, read->last_psn, log);
    return verdict;
  }
  if (ahead > 0) {
    const auto skipped = static_cast<std::uint32_t>(ahead);
    verdict.missing = skipped - std::min(skipped, responses_.damaged());
    if (verdict.missing > 0) verdict.kind = VerdictKind::kReadResponseGap;
    log.troubles().read_responses_missing += verdict.missing;
  }
  if (ahead == 0 && packet.psn == read->first_psn && !read->resent) {
    log.measure(TimeKind::kReadFirst, read->first_time, packet.time);
  }
  if (ahead == 0 && packet.psn != read->first_psn && !read->resent) {
    const std::int64_t silence = responses_.silence(order_.last_request(), packet.time);
    if (responses_.course().is_stall_within(read->first_time, silence)) log.measure_stall(silence);
  }
  read->next_response = packet.psn + 1;
  cover(read->first_psn, packet, log);  // messages before the READ are removed, so the READ moves
  const bool is_last = packet.position == Position::kLast || packet.position == Position::kOnly;
  if (is_last) order_.end_read(packet.psn);
  if (accepted && (is_last || reads_)) {
    const Message* const answered = messages_.find(packet.psn);
    const Psn last = answered == nullptr || is_last ? packet.psn : answered->last_psn;
    end_answer(packet, last, log);
  }
  responses_.progress(packet.time);
  if (is_last) cover(packet.psn + 1, packet, log);
  return verdict;
}

void Requester::count_answer(const ResponsePacket& packet, Message& read, ReadAnswers* answers) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::int32_t ahead = read.next_response.distance_to(packet.psn);
  if (ahead > 0 && answers != nullptr) answers->skip(read.next_response, static_cast<std::uint32_t>(ahead));
  const bool is_new = ahead >= 0 || (answers != nullptr && answers->take_skipped(packet.psn));
  std::uint32_t& count = is_new ? read.responses : read.resent_responses;
  if (count < kMost) ++count;
}

void Requester::cover(Psn psn, const ResponsePacket& by, const StreamLog& log) {
  const Psn from = order_.unacknowledged();
  if (!from.before(psn)) return;
  InFlight& flight = totals_.in_flight;
  order_.sent().visit(from, static_cast<std::uint32_t>(from.distance_to(psn)), SentPackets::kMost,
                      [&](SentPacket& sent) {
                        if (sent.missed) recoveries_.find_arrived(sent, log);
                        flight.packets -= std::min<std::uint32_t>(flight.packets, 1);
                        flight.bytes -= std::min<std::uint64_t>(flight.bytes, sent.payload());
                        flight.reads -= std::min<std::uint32_t>(flight.reads, sent.depth ? 1 : 0);
                      });
  if (reads_) reads_->answer_before(psn, responses_.damaged(), by.time);
  order_.acknowledge(psn);
  recoveries_.acknowledge(psn, log);
  responses_.acknowledge(by, order_.last_request(), log);
  order_.missing().acknowledge_before(psn);
  for (std::size_t i = 0; i < messages_.size() && messages_.at(i).last_psn.before(psn);) {
    Message& message = messages_.at(i);
    const Psn behind = i + 1 < messages_.size() ? messages_.at(i + 1).first_psn : psn + 1;
    const bool has_rest = message.last_psn + 1 == psn || psn.before(behind);
    if (!message.has_last && has_rest) break;  // it is to come
    if (lacks_answers(message)) {
      if (!reads_) watch_reads(by.time).answer_before(psn, responses_.damaged(), by.time);
      messages_.presume_completed(message, by, log);
      ++i;
      continue;
    }
    if (messages_.join_rest(message, log)) continue;
    if (!message.resent) responses_.measure_wait(elapsed(message.last_time, by.time));
    messages_.complete(message, by, MessageOutcome::kCompleted, log);
  }
  order_.trim();
}

}  // namespace rocescope
