// The PSNs of one side's requests: which were seen, which are missing, and in which order they were sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/psn.hpp"
#include "tracking/requests/missing_psns.hpp"
#include "tracking/requests/send_order.hpp"
#include "tracking/requests/sent_packets.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

class RequestOrder {
 public:
  /// Packets remembered of a stream once they are acknowledged.
  static constexpr std::size_t kRemembered = 64;
  static constexpr std::int64_t kSlowHost =
      20'000'000;  ///< ns: a host that waits for nothing may take so long to answer

  /// The largest payload; 0 is unknown.
  void set_mtu(std::uint32_t bytes) noexcept { mtu_ = bytes; }
  [[nodiscard]] std::uint32_t mtu() const noexcept { return mtu_; }
  /// From the CM: the first PSN. What lies between it and the first packet seen is missing.
  void start_at(Psn psn) noexcept {
    start_with(psn);
    covered_ = true;
  }
  /// The first packet that was seen, where no handshake named an earlier PSN.
  void start_with(Psn psn) noexcept {
    next_ = unacknowledged_ = expected_ = psn;
    started_ = true;
  }
  [[nodiscard]] bool started() const noexcept { return started_; }
  /// Not UC: there nothing is ever sent again, so what comes late was overtaken, and a copy is the capture's.
  void set_reliable(bool reliable) noexcept { reliable_ = reliable; }
  [[nodiscard]] bool is_reliable() const noexcept { return reliable_; }

  /// The lowest PSN that nothing seen spans. Meaningful once it started.
  [[nodiscard]] Psn next() const noexcept { return next_; }
  /// The lowest PSN that no response covers.
  [[nodiscard]] Psn unacknowledged() const noexcept { return unacknowledged_; }
  /// Whether something was acknowledged, or the CM named the first PSN.
  [[nodiscard]] bool is_covered() const noexcept { return covered_; }
  /// What the responder expects, judged by the packets seen here and by its responses. It drops what follows a gap, so
  /// it may lack a packet that was seen here.
  [[nodiscard]] Psn expected() const noexcept { return expected_; }
  /// When the first packet after expected() was seen since expected() moved: it makes the responder send a NAK.
  /// Nothing: none was seen.
  [[nodiscard]] std::optional<std::int64_t> beyond_at() const noexcept {
    return beyond_ ? std::optional(beyond_at_) : std::nullopt;
  }
  /// The time of the last request.
  [[nodiscard]] std::int64_t last_request() const noexcept { return last_request_; }

  /// Whether requests are outstanding that `psn` can answer.
  [[nodiscard]] bool is_outstanding(Psn psn) const noexcept {
    return started_ && !psn.before(unacknowledged_) && psn.before(next_);
  }
  /// Whether the request packet at `psn` was seen.
  [[nodiscard]] bool has_seen(Psn psn) const noexcept {
    return started_ && psn.before(next_) && missing_.find(psn) == nullptr;
  }
  /// Whether the responder must have carried out the request at `psn`.
  [[nodiscard]] bool has_arrived(Psn psn) const noexcept { return started_ && psn.before(expected_); }

  /// PSNs that a packet takes: a READ Request those of its responses.
  [[nodiscard]] std::uint32_t span_of(const RequestPacket& packet) noexcept;
  /// A READ whose span is known now.
  struct ReadSpan {
    Psn psn;
    std::uint32_t span = 0;
  };
  /// Learns the path MTU from a First or Middle packet, if it is unknown.
  [[nodiscard]] std::optional<ReadSpan> learn_mtu(std::uint32_t payload, Position position) noexcept;
  /// Whether a READ of unknown span explains that `next` comes next. If so, its span is known, and so is the path MTU.
  [[nodiscard]] std::optional<ReadSpan> tie_loose_end(Psn next) noexcept;
  /// The READ of unknown span that ends what was seen, where `response` may be one of its responses.
  [[nodiscard]] std::optional<Psn> loose_end(Psn response) const noexcept;
  /// A response that takes the PSNs up to `last` shows more of the READ at the loose end.
  void extend_loose_end(Psn last) noexcept;
  /// The last response of a READ was seen.
  void end_read(Psn last) noexcept;
  /// A READ ends what was seen, and its span is unknown.
  void leave_loose_end(const RequestPacket& packet) noexcept;

  /// A packet from before the first one that was seen: packets between them may have passed before the capture began.
  void extend_start(Psn psn, std::int64_t time);
  /// A packet beyond all that were seen; counts no PSN yet.
  void follow(const RequestPacket& packet) noexcept {
    send_order_.follow(packet.identification, sent_.empty() ? -1 : elapsed(last_request_, packet.time));
  }
  /// Any request packet.
  void observe(const RequestPacket& packet) noexcept {
    send_order_.observe(packet.identification, elapsed(last_request_, packet.time));
  }
  /// A request packet took these PSNs.
  void pass(const RequestPacket& packet, std::uint32_t span) noexcept;
  /// All before `psn` was seen, or answered without being seen.
  void advance(Psn psn) noexcept { next_ = psn; }
  /// Everything before `psn` arrived.
  void acknowledge(Psn psn);
  void expect(Psn psn) noexcept {
    expected_ = psn;
    beyond_ = false;
  }
  /// Of a transport without acknowledgements.
  void acknowledge_all() noexcept {
    unacknowledged_ = next_;
    covered_ = true;
  }
  /// Forgets what is acknowledged, but for the last few.
  void trim() { sent_.trim(unacknowledged_, kRemembered); }

  /// Whether the next packets depend only on members that the express lane has.
  [[nodiscard]] bool is_plain() const noexcept {
    return started_ && reliable_ && covered_ && !beyond_ && expected_ == next_ && !loose_end_ && missing_.is_settled();
  }
  void note_cut_read() noexcept { has_cut_reads_ = true; }
  /// Whether the capture cut off what READs ask for.
  [[nodiscard]] bool has_cut_reads() const noexcept { return has_cut_reads_; }

  [[nodiscard]] SendOrder& send_order() noexcept { return send_order_; }
  [[nodiscard]] const SendOrder& send_order() const noexcept { return send_order_; }
  /// All requests before `next`, the last of them at `last_request`, came in their order and were seen once; those before
  /// `unacknowledged` were acknowledged.
  void go_on(Psn next, Psn unacknowledged, std::int64_t last_request) noexcept {
    next_ = expected_ = next;
    unacknowledged_ = unacknowledged;
    last_request_ = last_request;
  }

  /// What the order of sending shows about a packet.
  enum class Sending : std::uint8_t { kUnknown, kFirst, kAgain };
  [[nodiscard]] Sending sending_of(const RequestPacket& packet);
  [[nodiscard]] bool is_same(const SentPacket& original, const RequestPacket& packet) const noexcept;
  void count_copy(SentPacket& original, const RequestPacket& packet) const noexcept;
  void learn_order(const RequestPacket& packet);
  /// Whether a packet was sent before one that was seen.
  [[nodiscard]] bool is_overtaken(const RequestPacket& packet) const noexcept {
    return send_order_.is_overtaken(packet.identification, elapsed(last_request_, packet.time));
  }

  /// A packet came `ns` later than one that was sent after it.
  void count_late(std::int64_t ns, std::int64_t time) noexcept;
  [[nodiscard]] bool may_be_late(std::int64_t since, std::int64_t time) const noexcept;

  [[nodiscard]] MissingPsns& missing() noexcept { return missing_; }
  [[nodiscard]] const MissingPsns& missing() const noexcept { return missing_; }
  [[nodiscard]] SentPackets& sent() noexcept { return sent_; }
  [[nodiscard]] const SentPackets& sent() const noexcept { return sent_; }

 private:
  friend struct StateMembers;
  /// A READ whose responses take an unknown number of PSNs, since the path MTU is unknown or the capture cut the RETH off.
  struct LooseEnd {
    Psn psn;
    Psn end;                       ///< behind what was seen of it
    std::uint32_t dma_length = 0;  ///< 0: cut off
    bool is_answered = false;      ///< its last response came: it takes no PSNs behind that

    [[nodiscard]] bool is_cut() const noexcept { return dma_length == 0; }
  };
  [[nodiscard]] bool has_loose_end() const noexcept { return loose_end_ && loose_end_->end == next_; }
  [[nodiscard]] ReadSpan set_span(std::uint32_t span) noexcept;
  void extend(Psn end) noexcept;

  bool started_ = false;
  bool reliable_ = true;
  bool covered_ = false;  // something was acknowledged, or the CM named the first PSN
  bool beyond_ = false;
  std::uint32_t mtu_ = 0;
  std::uint16_t likely_mtu_ = 0;   // that the distance of two READs shows, if none between them was missed
  std::uint8_t times_likely_ = 0;  // distances that show it
  bool has_cut_reads_ = false;     // what READs ask for was cut off
  Psn next_;
  Psn expected_;
  Psn unacknowledged_;
  std::unique_ptr<LooseEnd> loose_end_;
  SendOrder send_order_;
  std::int64_t beyond_at_ = 0;
  std::int64_t last_request_ = 0;
  std::int64_t lateness_ = 0;  // ns: how much later than others a packet came that was sent before them
  std::int64_t late_at_ = 0;   // when that was
  MissingPsns missing_;
  SentPackets sent_;
};

}  // namespace rocescope
