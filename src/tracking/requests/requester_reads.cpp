// READs: which responses to them are missing, and when their requester has them all.
#include <algorithm>
#include <cstddef>

#include "tracking/requests/requester.hpp"

namespace rocescope {

/// READs are unusual from now on. So far, open READs were asked for once and answered in order.
ReadAnswers& Requester::watch_reads(std::int64_t time) {
  Psn wanted = order_.next();
  bool has_wanted = false;
  reads_ = std::make_unique<ReadAnswers>(wanted, time);
  for (const Message& message : messages_.all()) {
    if (!message.is_read() || message.last_psn.before(message.next_response)) continue;
    if (!has_wanted) wanted = message.next_response;
    has_wanted = true;
    const bool fresh = message.next_response == message.first_psn;
    reads_->ask({message.first_psn, message.next_response, message.last_psn + 1, false, fresh});
  }
  reads_->want(wanted, time);
  return *reads_;
}

void Requester::assume_answered(Psn psn) noexcept {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    Message& message = messages_.at(i);
    if (!message.is_read() || !message.next_response.before(psn)) continue;
    message.next_response = message.last_psn.before(psn) ? message.last_psn + 1 : psn;
  }
}

/// Whether the requester still waits for responses of a message.
bool Requester::lacks_answers(const Message& message) const noexcept {
  if (!message.is_read()) return false;
  return !message.last_psn.before(reads_ ? reads_->wanted() : message.next_response);
}

/// Whether no READ that did not end has PSNs between the response that comes next and `psn`.
bool Requester::is_wanted(Psn psn) const noexcept {
  const Psn wanted = reads_->wanted();
  if (!wanted.before(psn)) return wanted == psn;
  return std::ranges::none_of(messages_.all(), [&](const Message& message) {
    return message.is_read() && message.first_psn.before(psn) && !message.last_psn.before(wanted);
  });
}

/// Observes a READ response, of `read` or, where that is null, of no open READ. Returns whether the requester takes it: it drops
/// those behind a hole.
bool Requester::take_answer(const ResponsePacket& packet, const Message* read) {
  if (!reads_) {
    if (read == nullptr || !read->is_read()) return false;
    const auto is_open = [&](const Message& message) {
      return message.is_read() && !message.last_psn.before(message.next_response) &&
             message.first_psn.before(read->first_psn);
    };
    const std::span<const Message> before =
        messages_.all().first(static_cast<std::size_t>(read - messages_.all().data()));
    if (packet.psn == read->next_response && std::ranges::none_of(before, is_open)) return true;
    watch_reads(packet.time);
  }
  const bool is_new = reads_->answer(packet.psn, responses_.damaged(), packet.time);
  if (!is_new) responses_.note_unasked_answer();
  if (!is_new || !is_wanted(packet.psn)) return false;
  reads_->want(packet.psn + 1, packet.time);
  return true;
}

/// The requester took a response of the READ that ends with `last`.
void Requester::end_answer(const ResponsePacket& packet, Psn last, const StreamLog& log) {
  responses_.progress(packet.time);
  // More responses to a cut READ may come than were known.
  const bool goes_on =
      order_.has_cut_reads() && packet.position != Position::kLast && packet.position != Position::kOnly;
  if (packet.psn == last && !goes_on) {
    if (Message* const answered = messages_.find(packet.psn)) {
      messages_.complete(*answered, packet, MessageOutcome::kCompleted, log);
    }
  }
  if (reads_ && !messages_.presumes() && reads_->is_usual() &&
      std::ranges::all_of(messages_.all(), [&](const Message& open) {
        return !open.is_read() || !reads_->wanted().before(open.next_response) || open.next_response == open.first_psn;
      })) {
    reads_.reset();
  }
}

/// A READ Request came by.
void Requester::ask_for_answers(const RequestPacket& packet, std::uint32_t span, Verdict& verdict,
                                const StreamLog& log) {
  if (!packet.dma_length) order_.note_cut_read();
  if (!responses_.heard()) return;  // one direction only
  const bool again = verdict.kind == VerdictKind::kRetransmission;
  if (!reads_ && !again) return;
  if (!reads_) watch_reads(packet.time);
  const Psn end = packet.psn + span;
  if (again) find_lost_answers(packet, end, verdict, log);
  const Message* const read = messages_.find(packet.psn);
  const bool fresh = read != nullptr && read->next_response == read->first_psn;
  reads_->ask({packet.psn, packet.psn, end, again, fresh});
  if (!again) pass_holes(packet.time, log);
}

/// What a READ that comes again shows of the responses to it. The first of a recovery asks for the one that the requester waits for;
/// those behind it are sent again whatever became of their responses.
void Requester::find_lost_answers(const RequestPacket& packet, Psn end, Verdict& verdict, const StreamLog& log) {
  const ResendCause cause = verdict.cause;
  const Recovery* const recovery = recoveries_.current();
  const bool asked_by_nak = cause == ResendCause::kNak || cause == ResendCause::kRnr;
  const bool leads = recovery != nullptr && recovery->first_frame == packet.frame && !asked_by_nak;
  if (leads && cause == ResendCause::kTimeout) reads_->stop(packet.time);
  const SentPacket* const original = order_.sent().find(packet.psn);
  const bool is_rest = original != nullptr && original->psn != packet.psn;
  if (leads && is_rest && reads_->wanted().before(packet.psn)) {  // it has what is before
    const std::uint32_t unseen = reads_->take_before(packet.psn);
    miss_answers(unseen, log);
    reads_->want(packet.psn, packet.time);
    confirm_reads(log);
  }
  const bool answered = packet.psn.before(reads_->wanted());
  const bool is_sure =
      cause == ResendCause::kTimeout || cause == ResendCause::kImpliedNak || cause == ResendCause::kAckLost;
  const bool asks_for_first = leads && reads_->misses(reads_->wanted(), reads_->wanted() + 1, 0) &&
                              !reads_->wanted().before(packet.psn) && reads_->wanted().before(end);
  if (const std::uint32_t lost = reads_->ask_again(packet.psn, end); lost > 0) {
    if (asks_for_first) ++log.troubles().read_responses_lost_awaited;
    log.troubles().read_responses_lost_before += lost;
    verdict.lost_response = LostWhere::kBefore;
    verdict.lost_responses = lost;
  } else if (leads && answered && is_sure) {
    ++log.troubles().read_responses_lost_after;
    verdict.lost_response = LostWhere::kAfter;
    verdict.lost_responses = 1;
    reads_->want(packet.psn, packet.time);
  }
  reads_->want(reads_->wanted(), packet.time);
  Message* const read = messages_.find(packet.psn);
  if (read == nullptr) return;
  messages_.reopen(*read, log);
  if (read->reopened && packet.psn.before(reads_->wanted())) reads_->want(packet.psn, packet.time);
}

/// The requester has `answers` that were not seen. They may include answers to requests that were not seen, or that the
/// file has later.
void Requester::miss_answers(std::uint32_t answers, const StreamLog& log) const {
  if (answers > 0 && !order_.has_cut_reads() && !responses_.has_unasked_answers())
    log.troubles().read_responses_not_captured += answers;
}

/// Counts only losses that are certain. Where the capture lacks packets, a response that was not seen was certainly lost if the requester
/// asked for it, and a response that was seen may have been dropped because an unseen one before it was lost. Where READs were cut, the
/// capture may lack packets without a sign of it.
void Requester::limit_lost_answers(StreamTotals& totals) const {
  StreamTroubles& troubles = totals.troubles.make();
  const bool is_whole = has_all() && troubles.read_responses_not_captured == 0;
  if (!is_whole) troubles.read_responses_lost_after = 0;
  if (!is_whole || order_.has_cut_reads()) troubles.read_responses_lost_before = troubles.read_responses_lost_awaited;
}

/// Whether a READ asks for responses that are known to be missing, since `since` at the earliest.
bool Requester::asks_for_missed(const RequestPacket& packet, std::int64_t since) noexcept {
  return reads_ && packet.opcode->operation == Operation::kReadRequest &&
         reads_->misses(packet.psn, packet.psn + order_.span_of(packet), since);
}

/// A requester has at most so many READs outstanding, and waits at most so long until it asks again (IBTA 9.7.6.1.3:
/// four times its timer). If there are more, or it waits longer, it has the responses that were not seen here.
void Requester::pass_holes(std::int64_t time, const StreamLog& log) {
  constexpr std::ptrdiff_t kMostReads = 128;  // what devices allow
  constexpr std::int64_t kLongestWait = 10'000'000'000;
  const std::int64_t longest = responses_.ack_timeout() > 0 ? 4 * responses_.ack_timeout() : kLongestWait;
  const auto is_over = [&] {
    if (!messages_.presumes()) return false;
    if (elapsed(reads_->since(), time) > longest) return true;
    return std::ssize(messages_.all()) > kMostReads &&
           std::ranges::count_if(messages_.all(), &Message::is_read) > kMostReads;
  };
  while (is_over()) {
    const Psn before = reads_->wanted();
    const std::uint32_t unseen = reads_->pass_hole(order_.next(), time);
    miss_answers(unseen, log);
    confirm_reads(log);
    if (reads_->wanted() == before) break;
  }
}

/// Takes a request whose PSN lies in a run that may be the rest of a cut READ. If it is a READ Request for the first
/// PSN of the run, it asks for that rest; else the cut READ ends before it. Returns the gap at its PSN, or null.
const MissingRun* Requester::pass_cut_read(const RequestPacket& packet, const MissingRun& run) {
  if (packet.psn != run.first) {
    extend_cut_read(run, packet.psn - 1);
    return order_.missing().find(packet.psn);
  }
  const SentPacket* const read = order_.sent().find(run.first - 1);
  const bool is_rest = packet.opcode->operation == Operation::kReadRequest && read != nullptr && read->span > 1;
  if (!is_rest) return &run;
  extend_cut_read(run, packet.psn);
  return nullptr;
}

/// The PSNs from the beginning of the run to `last` belong to the cut READ before it.
void Requester::extend_cut_read(const MissingRun& run, Psn last) {
  SentPacket* const read = order_.sent().find(run.first - 1);
  if (read == nullptr) return;
  read->span = static_cast<std::uint32_t>(read->psn.distance_to(last)) + 1;
  if (Message* const message = messages_.find(read->psn)) message->last_psn = last;
  if (reads_) reads_->extend({read->psn, run.first, last + 1, false, false});
  recoveries_.extend(run.first, last + 1);
  order_.missing().fill(run.first, static_cast<std::uint32_t>(run.first.distance_to(last)) + 1);
}

/// Takes a response to a READ Request that was not seen, or cut, when later requests were seen before it. Only the first response has the
/// PSN of a request: the PSNs of the others are missing among the requests, and are none of them.
void Requester::answer_unseen_read(const ResponsePacket& packet) {
  const bool is_last = packet.position == Position::kLast || packet.position == Position::kOnly;
  const bool goes_on = packet.position == Position::kMiddle || packet.position == Position::kLast;
  const MissingRun* const run = goes_on ? order_.missing().find(packet.psn) : nullptr;
  if (run != nullptr && run->of_read) {
    extend_cut_read(*run, packet.psn);
  } else if (run != nullptr) {
    order_.missing().fill(packet.psn, 1);
  }
  if (is_last) order_.missing().leave_to_read(packet.psn + 1, false);
}

/// The requester has all responses that it no longer waits for.
void Requester::confirm_reads(const StreamLog& log) {
  for (std::size_t i = 0; i < messages_.size();) {
    Message& message = messages_.at(i);
    if (message.outcome == MessageOutcome::kCompleted && !lacks_answers(message)) {
      messages_.confirm(message, log);
    } else {
      ++i;
    }
  }
}

}  // namespace rocescope
