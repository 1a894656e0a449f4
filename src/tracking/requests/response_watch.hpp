// What responses show about the requester: how long it waits for them, and which ones it misses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "rocescope/psn.hpp"
#include "tracking/requests/request_order.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

class ResponseWatch {
 public:
  /// From the CM: how long the requester waits for an ACK at least, ns; 0: not known.
  void set_ack_timeout(std::int64_t ns) noexcept { ack_timeout_ = ns; }
  [[nodiscard]] std::int64_t ack_timeout() const noexcept { return ack_timeout_; }
  /// Whether responses were seen.
  [[nodiscard]] bool heard() const noexcept { return heard_; }
  /// The message sequence number of the last response that had one.
  [[nodiscard]] std::optional<Psn> msn() const noexcept { return has_msn_ ? std::optional(course_.msn) : std::nullopt; }
  /// The PSN of the last response, if one was heard().
  [[nodiscard]] Psn psn() const noexcept { return course_.psn; }
  /// When a response last acknowledged something.
  [[nodiscard]] std::int64_t acknowledged_at() const noexcept { return course_.acknowledged_at; }

  static constexpr std::int64_t kShortestStall = 1'000'000;  ///< ns: shorter silences are not reported
  static constexpr std::int64_t kShortestStop = 10'000'000;  ///< ns: the same of those within a READ
  static constexpr std::int64_t kUnusual = 8;                ///< times as long as usual: a stall

  /// What expected responses change.
  struct Course {
    std::int64_t acknowledged_at = 0;
    std::int64_t progress_at = 0;   ///< when a response last brought the stream on
    std::int64_t longest_wait = 0;  ///< for an ACK, of a message that was sent once
    std::int64_t usual_wait = 0;    ///< the same, smoothed
    Psn psn;                        ///< of the last response
    Psn msn;                        ///< of the last response that had one

    /// How long the ACK of a message took that was sent once.
    void measure_wait(std::int64_t ns) noexcept;
    /// Nanoseconds since a packet last brought the stream on.
    [[nodiscard]] std::int64_t silence(std::int64_t last_request, std::int64_t until) const noexcept {
      return std::max<std::int64_t>(elapsed(std::max(last_request, progress_at), until), 0);
    }
    /// Whether a silence that ends with a response was a stall: it is much longer than the requester usually waits.
    [[nodiscard]] bool is_stall(std::int64_t silence) const noexcept {
      return silence >= kShortestStall && usual_wait > 0 && silence / kUnusual >= usual_wait;
    }
    /// Whether a silence between two responses to a READ was a stall: it is much longer than all of the READ before it,
    /// and longer than the pauses of a responder that sends at a low rate. `asked`: the time of the READ's request.
    [[nodiscard]] bool is_stall_within(std::int64_t asked, std::int64_t silence) const noexcept {
      const std::int64_t before = elapsed(asked, progress_at);
      return silence >= kShortestStop && before >= 0 && silence / kUnusual >= before;
    }
  };
  [[nodiscard]] const Course& course() const noexcept { return course_; }
  /// `by_ack`: what acknowledged something last was an ACK.
  void set_course(const Course& course, bool by_ack) noexcept {
    course_ = course;
    by_ack_ = by_ack;
  }
  /// Whether the next responses can show nothing but the Course.
  [[nodiscard]] bool is_plain() const noexcept { return damaged_ == 0 && !hole_ && !out_of_credits_; }
  /// Whether the next response shows no more than those before it.
  [[nodiscard]] bool has_course() const noexcept { return heard_ && has_msn_; }

  /// Whether that was an ACK, and not a NAK or the answer to a READ or an atomic.
  [[nodiscard]] bool is_acknowledged_by_ack() const noexcept { return by_ack_; }

  /// Any response.
  void observe(const ResponsePacket& packet, const StreamLog& log);
  /// The message sequence number and the credits of a response whose verdict is `verdict`.
  void observe_aeth(const ResponsePacket& packet, VerdictKind verdict, const StreamLog& log);
  /// Any request.
  void observe_request(std::int64_t time, const StreamLog& log) {
    if (out_of_credits_) end_wait_for_credits(time, log);
  }
  /// A READ response; `wanted` is the PSN that comes next of its READ, `next` the lowest that no request spans.
  void observe_read(const ResponsePacket& packet, Psn wanted, Psn next);
  /// A response acknowledges more; the last request was sent at `last_request`. Measures a silence that it ends.
  void acknowledge(const ResponsePacket& by, std::int64_t last_request, const StreamLog& log);
  /// A response brings the stream on.
  void progress(std::int64_t time) noexcept { course_.progress_at = time; }
  /// A response with a wrong ICRC.
  void add_damaged() noexcept { ++damaged_; }
  /// Those since the last good one.
  [[nodiscard]] std::uint32_t damaged() const noexcept { return damaged_; }
  void forget_damaged() noexcept { damaged_ = 0; }
  void forget_msn() noexcept { has_msn_ = false; }
  /// How long the ACK of a message took that was sent once.
  void measure_wait(std::int64_t ns) noexcept { course_.measure_wait(ns); }
  [[nodiscard]] std::int64_t longest_wait() const noexcept { return course_.longest_wait; }

  /// Nanoseconds since a packet last brought the stream on.
  [[nodiscard]] std::int64_t silence(std::int64_t last_request, std::int64_t until) const noexcept {
    return course_.silence(last_request, until);
  }
  /// A shorter silence is no ACK timeout.
  [[nodiscard]] std::int64_t shortest_timeout() const noexcept;
  /// If less time than this passed since a NAK, the requester may just be slow to follow it.
  [[nodiscard]] std::int64_t slowest_answer() const noexcept;
  /// Since when the requester's timer runs.
  [[nodiscard]] std::int64_t waiting_since(RequestOrder& order) const noexcept;
  /// Whether the requester has waited for an ACK as long as its timer runs.
  [[nodiscard]] bool timed_out(std::int64_t now, RequestOrder& order) const noexcept;
  /// Whether the requester sends this again because it lacks the responses from that PSN on.
  [[nodiscard]] bool misses_response(const RequestPacket& packet, RequestOrder& order) const noexcept;
  /// The same, and a response behind the hole came after `since`.
  [[nodiscard]] bool misses_response_since(std::int64_t since, const RequestPacket& packet,
                                           RequestOrder& order) const noexcept {
    return hole_ && hole_->time >= since && misses_response(packet, order);
  }

  void note_unasked_answer() noexcept { has_unasked_answers_ = true; }
  /// Whether READ responses came for which no request was seen before.
  [[nodiscard]] bool has_unasked_answers() const noexcept { return has_unasked_answers_; }

 private:
  friend struct StateMembers;
  /// What a requester misses of the responses to its READs: it drops those behind a hole (IBTA 9.7.5.2.1).
  struct Hole {
    Psn psn;
    std::int64_t time = 0;  ///< of the last response behind it
  };
  /// The last ACK gave no credits, and no request came since.
  struct OutOfCredits {
    std::int64_t since = 0;
    std::optional<std::int64_t> given;  ///< when another gave some
  };
  void observe_credits(bool none, std::int64_t time);
  [[gnu::cold, gnu::noinline]] void end_wait_for_credits(std::int64_t time, const StreamLog& log);

  std::int64_t ack_timeout_ = 0;
  Course course_;
  std::unique_ptr<Hole> hole_;
  std::unique_ptr<OutOfCredits> out_of_credits_;
  std::uint32_t damaged_ = 0;
  bool has_msn_ = false;
  bool by_ack_ = false;  // what acknowledged something last was an ACK
  bool heard_ = false;
  bool has_unasked_answers_ = false;
};

}  // namespace rocescope
