// Messages, from their first packet to their end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rocescope/detail/box.hpp"
#include "rocescope/message.hpp"
#include "rocescope/psn.hpp"
#include "tracking/prefetch.hpp"
#include "tracking/requests/stream.hpp"
#include "tracking/requests/window.hpp"

namespace rocescope {

/// READs that completed last: the requester may lack responses lost after the capture point, and ask for them again.
class AnsweredReads {
 public:
  static constexpr std::size_t kMost = 16;

  [[nodiscard]] bool empty() const noexcept { return reads_.empty(); }
  /// In no order.
  [[nodiscard]] std::span<const Message> all() const noexcept { return reads_; }
  /// The oldest, if there is no room for another: it is over for good. Null: there is room.
  [[nodiscard]] const Message* replaced() const noexcept { return reads_.size() < kMost ? nullptr : &reads_[oldest_]; }
  /// The one that was kept before all but `i` of them.
  [[nodiscard]] const Message& oldest(std::size_t i) const noexcept { return reads_[(oldest_ + i) % reads_.size()]; }
  /// Takes memory for so many more at once.
  void reserve(std::size_t more) { reads_.reserve(std::min(reads_.size() + more, kMost)); }
  /// Stores a READ that completed, in place of what replaced() returned.
  void keep(const Message& read);
  /// Removes the one with this number; nothing: it is none of them.
  [[nodiscard]] std::optional<Message> take(std::uint64_t number);

 private:
  friend struct StateMembers;
  std::vector<Message> reads_;  // as a ring
  std::size_t oldest_ = 0;      // once it is full
};

/// The messages of one side's requests that did not end yet, in the order of their PSNs.
class OpenMessages {
 public:
  /// Messages that wait for their end; the oldest goes first, and stays outstanding for good.
  static constexpr std::size_t kMost = 16'384;

  [[nodiscard]] bool empty() const noexcept { return open_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return open_.size(); }
  [[nodiscard]] Message& front() noexcept { return open_.front(); }
  /// In the order of their PSNs, from 0.
  [[nodiscard]] Message& at(std::size_t i) noexcept { return *(open_.begin() + static_cast<std::ptrdiff_t>(i)); }
  [[nodiscard]] std::span<const Message> all() const noexcept { return {open_.begin(), open_.end()}; }
  /// The message that has `psn`, or null. Lasts until the next change.
  [[nodiscard]] Message* find(Psn psn) noexcept;

  /// Counts a packet that had not been seen before, up to `last_psn`, in its message, which may begin with it. `next` is the lowest
  /// PSN that nothing seen before spans.
  Message& add(const RequestPacket& packet, Psn last_psn, Psn next, const StreamLog& log);
  /// Joins a message with the next one if they are the two ends of one message whose middle was not seen. Returns
  /// whether they are.
  [[nodiscard]] bool join_rest(Message& message, const StreamLog& log);
  /// Joins all such pieces, once no packet between two of them can come any more.
  void join_pieces(const StreamLog& log);
  /// Counts the payload of a packet whose message has ended.
  void add_late(std::uint32_t payload) noexcept { ended_bytes_ += payload; }
  /// Ends a message, which is gone then. A READ may be taken up again.
  void complete(Message& message, const ResponsePacket& by, MessageOutcome outcome, const StreamLog& log);
  /// Ends a message if it is not known when it was answered.
  void complete_unseen(Message& message, const ResponsePacket& by, const StreamLog& log);
  /// A READ counts as answered unless its requester asks again for responses that were not seen: it has ended, but
  /// stays open.
  void presume_completed(Message& message, const ResponsePacket& by, const StreamLog& log);
  /// It did not end: its requester asks again.
  void reopen(Message& message, const StreamLog& log);
  /// Reopens a READ that counted as completed: its requester asks for responses again. Null: it is none of the last
  /// ones.
  [[nodiscard]] Message* take_up(std::uint64_t number, const StreamLog& log);
  /// The presumed end of a READ is certain now.
  void confirm(Message& message, const StreamLog& log);
  /// Messages that nothing answered.
  [[nodiscard]] std::size_t outstanding() const noexcept { return open_.size() - reads_->presumed; }
  /// A READ response came, of any READ.
  void count_response() { ++reads_.make().responses; }
  [[nodiscard]] std::uint32_t responses() const noexcept { return reads_->responses; }
  [[nodiscard]] bool presumes() const noexcept { return reads_->presumed > 0; }
  /// The READs that completed last, in no order: the requester may ask for their responses again.
  [[nodiscard]] std::span<const Message> answered() const noexcept { return reads_->answered.all(); }
  /// Keeps to kMost.
  void trim(const StreamLog& log);
  /// Lends the memory to others while nothing is open.
  void return_memory(StreamNews& news);
  /// Payload of all messages that were added, READs left out.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  /// Gives away all messages until put_back(). Returns the READs that were answered.
  [[nodiscard]] AnsweredReads lend(StreamNews& news) {
    if (!open_.is_bare()) give_memory(news);
    return reads_.get() == nullptr ? AnsweredReads() : std::exchange(reads_.get()->answered, {});
  }
  void put_back(Message message, StreamNews& news) {
    borrow_memory(news);
    open_.push_back(std::move(message));
  }
  void put_back(AnsweredReads answered, std::uint32_t responses) {
    if (!answered.empty()) reads_.make().answered = std::move(answered);
    if (responses != this->responses()) reads_.make().responses = responses;
  }
  /// Messages ended meanwhile that had so much payload.
  void add_ended(std::uint64_t bytes) noexcept { ended_bytes_ += bytes; }

  void prefetch_for_request(Position position) const noexcept {
    if (position == Position::kFirst || position == Position::kOnly) {
      open_.prefetch_next();
    } else {
      open_.prefetch_back();
    }
  }
  void prefetch_for_response() const noexcept { open_.prefetch_front(); }

 private:
  friend struct StateMembers;
  void borrow_memory(StreamNews& news);
  void give_memory(StreamNews& news);
  void erase(std::uint64_t number);
  void keep_answered(const Message& read, const StreamLog& log);
  void leave(Message& message, const ResponsePacket& by, MessageOutcome outcome, const StreamLog& log);
  void end(const Message& message, const StreamLog& log);

  Window<Message> open_;
  struct Reads {
    AnsweredReads answered;
    std::size_t presumed = 0;  // of those that are open: completed, unless the requester asks again
    std::uint32_t responses = 0;
  };
  Box<Reads> reads_;
  std::uint64_t ended_bytes_ = 0;  // of messages that ended, READs left out
};

}  // namespace rocescope
