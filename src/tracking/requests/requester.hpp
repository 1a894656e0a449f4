// One side's requests on a queue pair, and the responses to them: the PSN engine of RC and XRC (IBTA 9.7).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>

#include "rocescope/tracker.hpp"
#include "rocescope/verdict.hpp"
#include "tracking/requests/copies.hpp"
#include "tracking/requests/lost_acks.hpp"
#include "tracking/requests/open_messages.hpp"
#include "tracking/requests/read_answers.hpp"
#include "tracking/requests/recoveries.hpp"
#include "tracking/requests/request_order.hpp"
#include "tracking/requests/response_watch.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

struct ExpressStream;

/// Judges each packet by those before it. Its parts keep what is outstanding: the order of the requests, what the
/// responses say, recoveries and messages.
class Requester {
 public:
  /// Packets remembered of a stream once they are acknowledged.
  static constexpr std::size_t kRemembered = RequestOrder::kRemembered;
  /// Messages that wait for their end; the oldest goes first, and stays outstanding for good.
  static constexpr std::size_t kMostOpen = OpenMessages::kMost;

  /// From the CM or from packets: the largest payload; 0 is unknown.
  void set_mtu(std::uint32_t bytes) noexcept { order_.set_mtu(bytes); }
  [[nodiscard]] std::uint32_t mtu() const noexcept { return order_.mtu(); }
  /// From the CM: the first PSN. What lies between it and the first packet seen is missing.
  void start_at(Psn psn) noexcept { order_.start_at(psn); }
  /// From the CM: how long the requester waits for an ACK at least, ns; 0: not known.
  void set_ack_timeout(std::int64_t ns) noexcept { responses_.set_ack_timeout(ns); }

  [[nodiscard]] Verdict request(const RequestPacket& packet, const TrackOptions& options, StreamNews& news);
  [[nodiscard]] Verdict response(const ResponsePacket& packet, const TrackOptions& options, StreamNews& news);
  /// A request with a wrong ICRC, which its receiver drops. Any field may be wrong, also its PSN. Returns whether its
  /// PSN is likely.
  bool corrupt(const RequestPacket& packet, StreamNews& news);
  /// The same of a response.
  void corrupt_response(StreamNews& news);
  /// Takes a damaged packet that did not seem to be of this flow. Returns whether it may be a request missing before
  /// `end` (see Recoveries), or a response to a READ before `end` that was seen.
  [[nodiscard]] bool adopt_corrupt(const RequestPacket& packet, Psn end, bool whatever_psn) {
    const DamagedRequest request{.psn = packet.psn, .span = order_.span_of(packet), .frame = packet.frame};
    return order_.started() && recoveries_.adopt_corrupt(request, end, whatever_psn, order_);
  }
  [[nodiscard]] bool adopt_corrupt_response(Psn psn, Psn end) noexcept;
  /// Responses to these requests came before it was known that they answer them: `answered` has what they counted in.
  void add_responses(const Requester& answered);
  /// Responses before `psn` were seen before they were known to be of this connection.
  void assume_answered(Psn psn) noexcept;
  /// Whether responses were seen.
  [[nodiscard]] bool heard() const noexcept { return responses_.heard(); }
  /// The packets taken for responses were none.
  void forget_responses() noexcept { responses_.forget_msn(); }
  /// Whether damaged responses came since the last good one: they may have answered what is outstanding.
  [[nodiscard]] bool may_be_answered() const noexcept { return responses_.damaged() > 0; }
  /// For a transport without acknowledgements: nothing will come again, and every complete message has ended.
  void settle(std::uint64_t frame, std::int64_t time, StreamNews& news);

  /// Whether requests are outstanding that `psn` can answer.
  [[nodiscard]] bool is_outstanding(Psn psn) const noexcept { return order_.is_outstanding(psn); }
  /// Not UC: there nothing is ever sent again, so what comes late was overtaken, and a copy is the capture's.
  void set_reliable(bool reliable) noexcept { order_.set_reliable(reliable); }
  [[nodiscard]] bool is_reliable() const noexcept { return order_.is_reliable(); }
  /// Nanoseconds: the longest that the responder took to answer what it was sent once.
  [[nodiscard]] std::int64_t longest_wait() const noexcept { return responses_.longest_wait(); }
  [[nodiscard]] std::int64_t ack_timeout() const noexcept { return responses_.ack_timeout(); }
  /// ns: most copies of its last packets come so long after them, or later. They come within the ACK timeout, at any
  /// time if the timer starts with the first of several packets (rxe): then one in so many comes sooner. If no
  /// handshake names the timeout, the usual one is taken.
  [[nodiscard]] std::int64_t copy_after() const noexcept {
    constexpr std::int64_t kSooner = 16;
    constexpr std::int64_t kUsual = 67'108'864;  // 14, few set less
    return (ack_timeout() > 0 ? ack_timeout() : kUsual) / kSooner;
  }
  [[nodiscard]] bool started() const noexcept { return order_.started(); }
  /// The lowest PSN that nothing seen spans. Meaningful once it started.
  [[nodiscard]] Psn next() const noexcept { return order_.next(); }
  /// The lowest PSN that no response covers. Meaningful once it started.
  [[nodiscard]] Psn unacknowledged() const noexcept { return order_.unacknowledged(); }
  /// Whether a response acknowledged anything, or a handshake named the first PSN.
  [[nodiscard]] bool has_acknowledgement() const noexcept { return order_.is_covered(); }
  /// Whether `psn` is outstanding, or at most `distance` away from those that are; where no requests were seen, from the last
  /// response.
  [[nodiscard]] bool is_near(Psn psn, std::int32_t distance) const noexcept {
    if (!order_.started()) return responses_.heard() && std::abs(responses_.psn().distance_to(psn)) <= distance;
    return order_.next().distance_to(psn) <= distance && psn.distance_to(order_.unacknowledged()) <= distance;
  }
  /// The last requests, as far as they are remembered.
  [[nodiscard]] const SentPackets& last_requests() const noexcept { return order_.sent(); }
  /// Whether the request packet at `psn` was seen.
  [[nodiscard]] bool has_seen(Psn psn) const noexcept { return order_.has_seen(psn); }
  /// Whether the responder must have carried out the request at `psn`.
  [[nodiscard]] bool has_arrived(Psn psn) const noexcept { return order_.has_arrived(psn); }
  /// Whether responses have acknowledged everything before `psn`.
  [[nodiscard]] bool has_acknowledged_before(Psn psn) const noexcept {
    return order_.started() && !order_.unacknowledged().before(psn);
  }
  /// Its counts, and its messages that did not end.
  struct Mark {
    StreamTotals totals;
    MissingPsns missing;
    OpenMessages messages;
    std::uint64_t copies = 0;
  };
  [[nodiscard]] bool counts_packets() const noexcept { return order_.send_order().has_counted(); }
  [[nodiscard]] Mark mark() const { return {totals_, order_.missing(), messages_, copies_}; }
  /// Removes what came since then, which was of another stream; no packet comes any more.
  void end_at(Mark&& mark);
  /// The PSN of the last response to them; nothing: there was none.
  [[nodiscard]] std::optional<Psn> last_response() const noexcept {
    return responses_.heard() ? std::optional(responses_.psn()) : std::nullopt;
  }
  /// The message sequence number of the last response; nothing: none had one.
  [[nodiscard]] std::optional<Psn> msn() const noexcept { return responses_.msn(); }
  [[nodiscard]] StreamTotals totals() const;
  /// Also before the first response.
  [[nodiscard]] const InFlight& in_flight() const noexcept { return totals_.in_flight; }
  /// What must hold whatever came: each request has one verdict; those seen for the first time, sent again and seen twice
  /// are all; the bytes of messages other than READs are the payload that was seen for the first time.
  [[nodiscard]] bool conserves() const noexcept;
  /// Messages that did not end yet, in the order of their PSNs. Some have a known outcome, and may still turn out not
  /// to have ended: see Message::completion_frame.
  [[nodiscard]] std::span<const Message> open_messages() const noexcept { return messages_.all(); }

  /// The NAK for a PSN sequence error that asked for a part of the message after its packets were seen, if none of them
  /// came again; else null.
  [[nodiscard]] const Recoveries::Evidence* awaits(const Message& message) const noexcept {
    const Recoveries::Evidence* const asked = recoveries_.evidence();
    if (asked == nullptr || asked->cause != ResendCause::kNak || message.resent_packets > 0) return nullptr;
    return recoveries_.is_asked_since(message.last_time, message.last_psn) ? asked : nullptr;
  }

  /// No packet comes any more: joins pieces of a message, where the packets between the pieces were not seen.
  void join_pieces();

  /// As OpenMessages has it.
  [[nodiscard]] std::span<const Message> answered_reads() const noexcept { return messages_.answered(); }

  /// The recovery that may still go on, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* recovery() const noexcept { return recoveries_.current(); }
  /// The recovery that the last packet ended, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* ended_recovery() const noexcept { return recoveries_.ended(); }

  /// Whether no packet has to come again and no response is missing: only then lend() gives something.
  [[nodiscard]] bool is_quiet() const noexcept;
  /// Gives the express lane what the next expected packets change. False, and nothing is given: something is unusual.
  [[nodiscard]] bool lend(ExpressStream& stream, StreamNews& news);
  /// Takes it back, with what was counted meanwhile.
  void take_back(ExpressStream& stream, std::uint64_t requests, std::uint64_t responses, std::uint64_t acks,
                 StreamNews& news);

  /// Prefetches what the next request, or response, will need beside this object.
  void prefetch_for_request(Position position) const noexcept {
    order_.sent().prefetch_next();
    messages_.prefetch_for_request(position);
  }
  void prefetch_for_response() const noexcept {
    order_.sent().prefetch_last();
    messages_.prefetch_for_response();
  }

 private:
  friend struct StateMembers;
  using Place = Recoveries::Place;

  [[nodiscard]] StreamLog begin_packet(StreamNews& news) noexcept {
    news.measures.clear();
    news.lost_ack = {};
    news.needless = {};
    news.is_nak_copy = false;
    recoveries_.begin_packet();
    return {totals_, news};
  }
  [[nodiscard]] Verdict judge_new(const RequestPacket& packet, const StreamLog& log);
  [[nodiscard]] Verdict judge_missing(const RequestPacket& packet, const TrackOptions& options, const StreamLog& log);
  [[nodiscard]] Verdict judge_copy(const RequestPacket& packet, const TrackOptions& options, const StreamLog& log);
  [[nodiscard]] bool is_other_request(const RequestPacket& packet, const SentPacket& original) noexcept;
  void learn_mtu(std::uint32_t payload, Position position);
  [[nodiscard]] std::uint64_t ended_message_of(const RequestPacket& packet);
  void add_to_message(const RequestPacket& packet, std::uint32_t span, Verdict& verdict, const StreamLog& log);
  void add_new(const RequestPacket& packet, std::uint32_t span, std::uint32_t hole_us, Verdict& verdict,
               const StreamLog& log);
  void count_in_flight(const SentPacket& packet);
  [[nodiscard]] Place why_again(const RequestPacket& packet, const SentPacket* original, std::int64_t reorder_window);
  [[nodiscard]] std::optional<Place> place_of(const RequestPacket& packet) noexcept {
    return recoveries_.place_of(packet, order_, responses_);
  }
  void resend(const RequestPacket& packet, const Place& place, Verdict& verdict, const StreamLog& log);
  void find_lost_acks(const RequestPacket& packet, const Verdict& verdict, const StreamLog& log);
  void set_span(const std::optional<RequestOrder::ReadSpan>& read) noexcept;
  [[nodiscard]] bool has_all() const noexcept;

  [[nodiscard]] std::uint32_t miss(Psn end, std::int64_t time);
  [[nodiscard]] Verdict answer_to_unseen(const ResponsePacket& packet, const StreamLog& log);
  [[nodiscard]] Verdict pass_nak_copy(const ResponsePacket& packet, StreamNews& news);
  [[nodiscard]] Verdict acknowledged(const ResponsePacket& packet, const StreamLog& log);
  [[nodiscard]] Verdict read_response(const ResponsePacket& packet, const StreamLog& log);
  // READs that are unusual in some way.
  ReadAnswers& watch_reads(std::int64_t time);
  /// A response to `read`, which was not counted in it yet.
  static void count_answer(const ResponsePacket& packet, Message& read, ReadAnswers* answers);
  void end_answer(const ResponsePacket& packet, Psn last, const StreamLog& log);
  [[nodiscard]] bool take_answer(const ResponsePacket& packet, const Message* read);
  [[nodiscard]] bool is_wanted(Psn psn) const noexcept;
  [[nodiscard]] bool lacks_answers(const Message& message) const noexcept;
  void ask_for_answers(const RequestPacket& packet, std::uint32_t span, Verdict& verdict, const StreamLog& log);
  void find_lost_answers(const RequestPacket& packet, Psn end, Verdict& verdict, const StreamLog& log);
  [[nodiscard]] bool asks_for_missed(const RequestPacket& packet, std::int64_t since) noexcept;
  void limit_lost_answers(StreamTotals& totals) const;
  void miss_answers(std::uint32_t answers, const StreamLog& log) const;
  void pass_holes(std::int64_t time, const StreamLog& log);
  void confirm_reads(const StreamLog& log);
  [[nodiscard]] const MissingRun* pass_cut_read(const RequestPacket& packet, const MissingRun& run);
  void extend_cut_read(const MissingRun& run, Psn last);
  void answer_unseen_read(const ResponsePacket& packet);
  void relate(Psn psn, Verdict& verdict) noexcept;
  void observe_answer(const ResponsePacket& packet, const StreamLog& log);
  [[nodiscard]] LostWhere where_lost(const ResponsePacket& nak) noexcept;
  void measure_nak(const ResponsePacket& nak, const StreamLog& log);
  /// Everything before `psn` arrived.
  void cover(Psn psn, const ResponsePacket& by, const StreamLog& log);

  RequestOrder order_;
  ResponseWatch responses_;
  Recoveries recoveries_;
  OpenMessages messages_;
  std::unique_ptr<ReadAnswers> reads_;   ///< while answers to READs are missing or come again
  std::unique_ptr<LostAcks> lost_acks_;  ///< once a timer ran out
  StreamTotals totals_;
  Box<Copies> twice_;
  std::uint64_t copies_ = 0;  ///< requests that had been seen before, capture duplicates left out
};

}  // namespace rocescope
