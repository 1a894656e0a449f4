// One side's requests and the responses to them, while they pass on the express lane.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rocescope/message.hpp"
#include "rocescope/psn.hpp"
#include "tracking/requests/open_messages.hpp"
#include "tracking/requests/response_watch.hpp"
#include "tracking/requests/send_order.hpp"
#include "tracking/requests/sent_packets.hpp"

namespace rocescope {

/// A SEND, WRITE or READ that did not end. Every packet of it was seen once; for a READ, these are all responses before
/// the next one. Otherwise as Message has it.
struct ExpressMessage {
  std::uint64_t number = 0;
  std::uint64_t first_frame = 0;
  std::uint64_t last_frame = 0;
  std::int64_t first_time = 0;
  std::int64_t last_time = 0;
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;
  std::uint32_t r_key = 0;
  std::uint32_t immediate = 0;  ///< or the R_Key that it invalidates
  std::uint32_t first_icrc = 0;
  Psn first_psn;
  Psn last_psn;
  Psn next_response;  ///< of a WRITE: what comes behind Message::span
  Operation operation = Operation::kSend;
  bool has_last = false;
  bool has_address = false;  ///< and an R_Key
  bool has_immediate = false;
  bool invalidates = false;

  [[nodiscard]] static ExpressMessage of(const Message& message) noexcept;
  [[nodiscard]] Message message() const noexcept;
  /// Makes `message` the same, ended by this packet. It is a new one, or was made here.
  void complete(std::uint64_t frame, std::int64_t time, Message& message) const noexcept;
  [[nodiscard]] bool is_read() const noexcept { return operation == Operation::kReadRequest; }
};

/// Messages in the order of their PSNs, in a ring that grows.
class ExpressMessages {
 public:
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  [[nodiscard]] ExpressMessage& front() noexcept { return ring_[first_]; }
  [[nodiscard]] ExpressMessage& back() noexcept { return at(size_ - 1); }
  [[nodiscard]] ExpressMessage& at(std::uint32_t i) noexcept { return ring_[(first_ + i) & mask()]; }
  /// A new one behind all others.
  [[nodiscard]] ExpressMessage& add() {
    if (size_ == capacity_) grow();
    ++size_;
    return back();
  }
  void pop_front() noexcept {
    first_ = (first_ + 1) & mask();
    --size_;
  }
  /// As far as there are few.
  void prefetch_all() const noexcept {
    constexpr std::size_t kFew = 16;
    prefetch(ring_.data(), std::min(ring_.size(), kFew) * sizeof(ExpressMessage));
  }

 private:
  [[nodiscard]] std::uint32_t mask() const noexcept { return capacity_ - 1; }
  void grow();

  std::vector<ExpressMessage> ring_;
  std::uint32_t capacity_ = 0;  // of the ring: a power of 2, or none
  std::uint32_t first_ = 0;
  std::uint32_t size_ = 0;
};

/// A READ that ended with the last of its responses, in one cache line. Other members as in Message.
struct alignas(64) ExpressAnswered {
  std::uint64_t number = 0;
  // No capture has 2^48 frames. Their upper bits hold the first ICRC.
  std::uint64_t frame : 48 = 0;
  std::uint64_t icrc_low : 16 = 0;
  std::uint64_t completion_frame : 48 = 0;
  std::uint64_t icrc_high : 16 = 0;
  std::int64_t time = 0;
  std::int64_t completion_time = 0;
  std::uint64_t address = 0;
  std::uint32_t r_key = 0;
  std::uint32_t bytes = 0;
  Psn first_psn;
  Psn last_psn;

  [[nodiscard]] Message message() const noexcept;
};
static_assert(sizeof(ExpressAnswered) == 64);

/// AnsweredReads, and what joins them.
class ExpressAnswers {
 public:
  void lend(AnsweredReads answered) noexcept {
    before_ = std::move(answered);
    gone_ = first_ = size_ = 0;
  }
  [[nodiscard]] AnsweredReads take_back();
  /// Keeps the READ that this packet ended. True: another READ is over for good, and `over` is its time, as
  /// time_of() has it.
  [[nodiscard]] bool keep(const ExpressMessage& read, std::uint64_t frame, std::int64_t time, std::int64_t& over);
  /// For a few that are kept.
  void prefetch_next() const noexcept {
    if (ring_.empty()) return;
    const std::size_t place = (first_ + size_) % kMost;
    prefetch(&ring_[place % (ring_.size() - kFew + 1)], kFew * sizeof(ExpressAnswered));
  }

 private:
  static constexpr std::size_t kMost = AnsweredReads::kMost;
  static constexpr std::size_t kFew = 4;  // a power of 2, as kMost is

  AnsweredReads before_;
  std::vector<ExpressAnswered> ring_;  // kFew at first, kMost in the end
  std::size_t gone_ = 0;               // of those before: the oldest
  std::size_t first_ = 0;              // in the ring
  std::size_t size_ = 0;
};

/// What its Requester lends, and what was counted since.
struct ExpressStream {
  static constexpr std::uint32_t kMostOutstanding = 1'024;            ///< packets, and messages
  static constexpr std::uint32_t kMostPsns = std::uint32_t{1} << 20;  ///< that these take

  bool is_lent = false;
  bool has_course = false;  ///< responses may pass
  bool by_ack = false;      ///< as ResponseWatch::is_acknowledged_by_ack()
  Psn next;                 ///< as RequestOrder has it, and what the responder expects
  Psn unacknowledged;       ///< the same
  std::int64_t last_request = 0;
  SentPackets sent;
  SendOrder send_order;
  ExpressMessages messages;  ///< the last one may be under way, and of the first READ responses may have come
  InFlight now;
  InFlight most;
  std::uint64_t payload = 0;      ///< of requests
  std::uint64_t begun = 0;        ///< messages
  std::uint64_t ended = 0;        ///< the same
  std::uint64_t ended_bytes = 0;  ///< of messages other than READs
  std::uint32_t responses = 0;    ///< as OpenMessages has them
  ResponseWatch::Course course;
  ExpressAnswers answered;

  /// Before less is outstanding, and at the end.
  void note_most() noexcept {
    most.messages = std::max(most.messages, now.messages);
    most.packets = std::max(most.packets, now.packets);
    most.bytes = std::max(most.bytes, now.bytes);
    most.reads = std::max(most.reads, now.reads);
  }
  [[nodiscard]] bool is_open() noexcept { return !messages.empty() && !messages.back().has_last; }
  /// The oldest READ that did not end, if it does not begin behind `psn`; or null.
  [[nodiscard]] ExpressMessage* read_up_to(Psn psn) noexcept;
};

}  // namespace rocescope
