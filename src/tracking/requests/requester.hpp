// One side's requests on a queue pair, and the responses to them: the PSN engine of RC and XRC (IBTA 9.7).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/detail/box.hpp"
#include "rocescope/message.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/times.hpp"
#include "rocescope/tracker.hpp"
#include "rocescope/verdict.hpp"
#include "tracking/elapsed.hpp"
#include "tracking/requests/missing_psns.hpp"
#include "tracking/requests/send_order.hpp"
#include "tracking/requests/sent_packets.hpp"
#include "tracking/requests/window.hpp"

namespace rocescope {

/// A request packet, as far as the engine cares.
struct RequestPacket {
  const OpcodeInfo* opcode = nullptr;
  Psn psn;
  std::uint64_t frame = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
  std::uint32_t icrc = 0;
  std::uint16_t identification = 0;         ///< of IPv4; 0 without it
  std::uint32_t payload = 0;                ///< bytes, without pad; 0 where the opcode has none
  std::optional<std::uint64_t> address;     ///< of the first packet of a WRITE, READ, ATOMIC, FLUSH
  std::optional<std::uint32_t> r_key;       ///< with address
  std::optional<std::uint32_t> dma_length;  ///< of a RETH: bytes of the whole message
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_r_key;
};

/// A response packet: an acknowledgement, or a READ response.
struct ResponsePacket {
  enum class Kind : std::uint8_t { kAck, kRnrNak, kSequenceNak, kFatalNak, kAtomicAck, kRead };
  Kind kind = Kind::kAck;
  Position position = Position::kOnly;  ///< of a READ response
  Psn psn;
  std::uint64_t frame = 0;
  std::int64_t time = 0;             ///< nanoseconds since 1970
  std::uint32_t payload = 0;         ///< bytes of a READ response
  std::uint8_t value = 0;            ///< NAK code, RNR timer code; of a positive one the code of its credits
  std::optional<std::uint32_t> msn;  ///< where there is an AETH

  [[nodiscard]] bool is_negative() const noexcept {
    return kind == Kind::kRnrNak || kind == Kind::kSequenceNak || kind == Kind::kFatalNak;
  }
};

/// What packets bring about. Their owner lends it to the requesters of a capture, one after the other.
struct StreamNews {
  std::vector<Message> ended;     ///< that the packet ended; its reader clears it
  std::vector<Measure> measures;  ///< what the packet measured
  std::uint64_t messages = 0;     ///< of the capture so far: a new one takes the next number
  /// Memory of streams that have no message open, for those that open one.
  std::vector<std::vector<Message>> spare;
};

/// Judges each packet from those before it; keeps what is outstanding and what that needs.
class Requester {
 public:
  /// Packets remembered of a stream once they are acknowledged.
  static constexpr std::size_t kRemembered = 64;
  /// Messages that wait for their end; the oldest goes first, and stays outstanding for good.
  static constexpr std::size_t kMostOpen = 16'384;

  /// From the CM or from packets: the largest payload; 0 is unknown.
  void set_mtu(std::uint32_t bytes) noexcept { mtu_ = bytes; }
  [[nodiscard]] std::uint32_t mtu() const noexcept { return mtu_; }
  /// From the CM: the first PSN. What lies between it and the first packet seen is missing.
  void start_at(Psn psn) noexcept {
    next_ = unacknowledged_ = expected_ = psn;
    started_ = covered_ = true;
  }
  /// From the CM: how long the requester waits for an ACK at least, ns; 0: not known.
  void set_ack_timeout(std::int64_t ns) noexcept { ack_timeout_ = ns; }

  [[nodiscard]] Verdict request(const RequestPacket& packet, const TrackOptions& options, StreamNews& news);
  [[nodiscard]] Verdict response(const ResponsePacket& packet, StreamNews& news);
  /// A request with a wrong ICRC, which its receiver drops. Its PSN may be what is wrong.
  void corrupt(Psn psn, std::uint64_t frame, StreamNews& news);

  /// Whether requests are outstanding that `psn` can answer.
  [[nodiscard]] bool is_outstanding(Psn psn) const noexcept {
    return started_ && !psn.before(unacknowledged_) && psn.before(next_);
  }
  /// Not UC: there nothing is ever sent again, so what comes late was overtaken, and a copy is the capture's.
  void set_reliable(bool reliable) noexcept { reliable_ = reliable; }
  [[nodiscard]] bool started() const noexcept { return started_; }
  /// The lowest PSN that nothing seen spans. Meaningful once it started.
  [[nodiscard]] Psn next() const noexcept { return next_; }
  /// Whether the request packet at `psn` was seen.
  [[nodiscard]] bool has_seen(Psn psn) const noexcept {
    return started_ && psn.before(next_) && missing_.find(psn) == nullptr;
  }
  /// Whether the responder must have carried out the request at `psn`.
  [[nodiscard]] bool has_arrived(Psn psn) const noexcept { return started_ && psn.before(expected_); }
  [[nodiscard]] StreamTotals totals() const {
    assert(conserves());
    StreamTotals totals = totals_;
    if (const std::uint64_t lost = missing_.acknowledged(); lost > 0) totals.troubles.make().capture_lost = lost;
    const bool unreliable = !reliable_ && (missing_.count() > 0 || totals.troubles.get() != nullptr);
    if (unreliable) totals.troubles.make().lost_before = missing_.count();
    if (heard_) totals.in_flight.messages = static_cast<std::uint32_t>(open_.size());
    if (!heard_) totals.in_flight = totals.most_in_flight = {};
    return totals;
  }
  /// What must hold whatever came: each request has one verdict; those seen for the first time, sent again and seen twice
  /// are all; the bytes of messages other than READs are the payload that was seen for the first time.
  [[nodiscard]] bool conserves() const noexcept;
  /// Messages that did not end yet, in the order of their PSNs.
  [[nodiscard]] std::span<const Message> open_messages() const noexcept { return {open_.begin(), open_.end()}; }

  /// The recovery that may still go on, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* recovery() const noexcept { return recovery_ ? &recovery_->facts : nullptr; }
  /// The recovery that the last packet ended, or null. Lasts until the next packet.
  [[nodiscard]] const Recovery* ended_recovery() const noexcept {
    return ended_recovery_ ? &ended_recovery_->facts : nullptr;
  }

  /// What the next request, or response, will need beside this object comes nearer.
  void prefetch_for_request(Position position) const noexcept {
    sent_.prefetch_next();
    if (position == Position::kFirst || position == Position::kOnly) {
      open_.prefetch_next();
    } else {
      open_.prefetch_back();
    }
  }
  void prefetch_for_response() const noexcept {
    sent_.prefetch_last();
    open_.prefetch_front();
  }

  /// Of a transport without acknowledgements: nothing will come again, and every message that is all here has ended.
  void settle(std::uint64_t frame, std::int64_t time, StreamNews& news);

 private:
  /// A NAK or RNR NAK: why packets from its PSN on come again.
  struct Evidence {
    Psn psn;
    std::uint64_t frame = 0;
    std::int64_t time = 0;
    ResendCause cause = ResendCause::kNone;
    LostWhere lost = LostWhere::kNowhere;  ///< the packet that it names
    bool followed = false;                 ///< packets came again since
    std::int64_t rnr_timer = 0;            ///< ns that an RNR NAK asks for
  };
  /// The recovery under way.
  struct Resending {
    Recovery facts;
    Psn next;             ///< the PSN that comes next if it goes on
    MissingPsns skipped;  ///< before next, and not seen since it began
  };
  /// Where a packet that comes again stands in a recovery.
  struct Place {
    ResendCause cause = ResendCause::kUnknown;
    std::uint64_t evidence = 0;
    std::uint32_t skipped = 0;  ///< packets before it that the recovery must have sent and nobody saw
    bool goes_on = false;       ///< with the recovery under way
    bool late = false;          ///< it was skipped, and comes after all
  };
  /// What a requester misses of the responses to its READs: it drops those behind a hole (IBTA 9.7.5.2.1).
  struct ResponseHole {
    Psn psn;
    std::int64_t time = 0;  ///< of the last response behind it
  };
  /// What the order of sending tells of a packet.
  enum class Sending : std::uint8_t { kUnknown, kFirst, kAgain };
  struct CorruptPacket {
    Psn psn;
    std::uint64_t frame = 0;
  };
  /// A READ whose responses take an unknown number of PSNs, since the path MTU is unknown.
  struct LooseEnd {
    Psn psn;
    std::uint32_t dma_length = 0;
  };

  static constexpr std::int64_t kShortestStall = 1'000'000;  ///< ns: shorter silences are none that anybody notices
  static constexpr std::int64_t kUnusual =
      8;  ///< times as long as usual: a silence that ends with a response is a stall

  [[nodiscard]] [[gnu::cold, gnu::noinline]] StreamTroubles& troubles() { return totals_.troubles.make(); }
  [[nodiscard]] std::uint32_t span_of(const RequestPacket& packet) const noexcept;
  void learn_mtu(std::uint32_t payload, Position position) noexcept;
  [[nodiscard]] bool tie_loose_end(Psn next) noexcept;
  void set_span(std::uint32_t span) noexcept;

  [[nodiscard]] Verdict judge_new(const RequestPacket& packet);
  [[nodiscard]] Verdict judge_missing(const RequestPacket& packet, const TrackOptions& options);
  [[nodiscard]] Verdict judge_copy(const RequestPacket& packet, const TrackOptions& options);
  [[nodiscard]] Sending sending_of(const RequestPacket& packet);
  [[nodiscard]] bool is_same(const SentPacket& original, const RequestPacket& packet) const noexcept;
  void note_sending(SentPacket& original, const RequestPacket& packet) const noexcept;
  void learn_order(const RequestPacket& packet);
  [[nodiscard]] bool asked_for(Psn psn, std::int64_t since) const noexcept;
  [[nodiscard]] std::optional<Place> place_of(const RequestPacket& packet) const noexcept;
  [[nodiscard]] bool answers_nak(Psn psn) const noexcept;
  [[nodiscard]] std::uint32_t skipped_before(Psn psn, Psn from) const noexcept;
  void set_resent(const RequestPacket& packet, const Place& place, Verdict& verdict);
  void begin_packet(StreamNews& news);
  void lend_memory();
  void return_memory();
  void begin_recovery(const RequestPacket& packet, const Place& place);
  void end_recovery();
  [[nodiscard]] bool was_corrupt(Psn psn) const noexcept;
  [[nodiscard]] std::uint64_t take_corrupt(Psn psn) noexcept;
  void lose_skipped(Psn first, std::uint32_t psns);
  void lose_before(std::uint64_t packets);
  void find_lost(SentPacket& packet);
  void note_late(std::int64_t ns, std::int64_t time) noexcept;
  [[nodiscard]] bool may_be_late(std::int64_t since, std::int64_t time) const noexcept;
  [[nodiscard]] bool is_late(const SentPacket& original, const RequestPacket& packet) const noexcept;
  /// Nanoseconds since a packet last brought the stream on.
  [[nodiscard]] std::int64_t silence(std::int64_t until) const noexcept;
  [[nodiscard]] std::int64_t shortest_timeout() const noexcept;
  [[nodiscard]] bool timed_out(std::int64_t now) noexcept;
  [[nodiscard]] bool has_all() const noexcept;
  [[nodiscard]] bool misses_response(const RequestPacket& packet) noexcept;
  void extend_start(Psn psn, std::int64_t time);
  void end(const Message& message);
  void forget(std::uint64_t number);
  void note_in_flight(const SentPacket& packet);

  Message& message_of(const RequestPacket& packet);
  [[nodiscard]] Message* open_message(Psn psn) noexcept;
  /// Everything before `psn` arrived.
  void cover(Psn psn, const ResponsePacket& by);
  [[nodiscard]] bool join_rest(Message& message);
  void complete(Message& message, const ResponsePacket& by, MessageOutcome outcome);
  void measure(TimeKind kind, std::int64_t from, std::int64_t to, std::int64_t asked = 0);
  void measure_message(const Message& message, const ResponsePacket& by, MessageOutcome outcome);
  void measure_stall(std::int64_t ns);
  void measure_wait(std::int64_t ns) noexcept;
  void measure_nak(const ResponsePacket& nak);

  [[nodiscard]] Verdict answer_to_unseen(const ResponsePacket& packet);
  [[nodiscard]] Verdict acknowledged(const ResponsePacket& packet);
  [[nodiscard]] LostWhere where_lost(const ResponsePacket& nak) noexcept;
  void expect(Psn psn) noexcept;
  [[nodiscard]] Verdict read_response(const ResponsePacket& packet);
  void count(ResponsePacket::Kind kind);
  void follow_read_holes(const ResponsePacket& packet, bool gap, Psn wanted);
  void follow_aeth(const ResponsePacket& packet, VerdictKind kind);

  bool started_ = false;
  bool reliable_ = true;
  bool heard_ = false;    ///< responses were seen
  bool covered_ = false;  ///< one of them acknowledged something, or the CM told the first PSN
  bool beyond_ = false;   ///< a packet behind expected_ was seen since that moved: what makes the responder say NAK
  std::uint32_t mtu_ = 0;
  Psn next_;  ///< the lowest PSN that nothing seen spans
  /// What the responder expects, going by what it was sent through here and by what it said: it drops whatever comes
  /// behind a hole, so a packet may have been seen here and still be missing there.
  Psn expected_;
  Psn unacknowledged_;      ///< the lowest PSN that no response covers
  std::optional<Psn> msn_;  ///< of the last response
  std::optional<LooseEnd> loose_end_;
  SendOrder send_order_;
  std::int64_t beyond_at_ = 0;  ///< when the first packet behind expected_ was seen
  std::int64_t ack_timeout_ = 0;
  std::int64_t acknowledged_at_ = 0;  ///< when that moved last
  std::int64_t last_request_ = 0;
  std::int64_t progress_at_ = 0;   ///< when a response last brought the stream on
  std::int64_t lateness_ = 0;      ///< ns: how much later than others a packet came that was sent before them
  std::int64_t late_at_ = 0;       ///< when that was
  std::int64_t longest_wait_ = 0;  ///< for an ACK, of a message that was sent once
  std::int64_t usual_wait_ = 0;    ///< the same, smoothed
  MissingPsns missing_;
  SentPackets sent_;
  std::unique_ptr<Evidence> evidence_;
  std::unique_ptr<Resending> recovery_;
  std::unique_ptr<Resending> ended_recovery_;
  std::unique_ptr<ResponseHole> hole_;
  Box<std::vector<CorruptPacket>> corrupt_;  ///< that no good copy was seen of since; the last few
  std::unique_ptr<std::int64_t> no_credits_since_;
  Window<Message> open_;
  StreamNews* news_ = nullptr;  ///< of the packet at hand
  StreamTotals totals_;
  std::uint64_t copies_ = 0;       ///< requests that had been seen before, capture duplicates left out
  std::uint64_t ended_bytes_ = 0;  ///< of messages that ended, READs left out
};

}  // namespace rocescope
