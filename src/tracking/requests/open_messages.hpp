// Messages, from their first packet to their end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rocescope/message.hpp"
#include "rocescope/psn.hpp"
#include "tracking/requests/stream.hpp"
#include "tracking/requests/window.hpp"

namespace rocescope {

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
  /// Where a message and the one behind it are the two ends of one, of which the middle was not seen: joins them.
  [[nodiscard]] bool join_rest(Message& message, const StreamLog& log);
  /// Ends a message, which is gone then.
  void complete(Message& message, const ResponsePacket& by, MessageOutcome outcome, const StreamLog& log);
  /// The same where it is not known when it was answered.
  void complete_unseen(Message& message, const ResponsePacket& by, const StreamLog& log);
  /// A READ was answered if its requester does not ask again for what was not seen of the answer: it has ended, but stays open.
  void presume_completed(Message& message, const ResponsePacket& by, const StreamLog& log);
  /// It did not end: its requester asks again.
  void reopen(Message& message, const StreamLog& log);
  /// What a READ was presumed is so.
  void confirm(Message& message, const StreamLog& log);
  /// Messages that nothing answered.
  [[nodiscard]] std::size_t outstanding() const noexcept { return open_.size() - presumed_; }
  [[nodiscard]] bool presumes() const noexcept { return presumed_ > 0; }
  /// Keeps to kMost.
  void trim(const StreamLog& log);
  /// Lends the memory to others while nothing is open.
  void return_memory(const StreamLog& log);
  /// Payload of all messages that were added, READs left out.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  void prefetch_for_request(Position position) const noexcept {
    if (position == Position::kFirst || position == Position::kOnly) {
      open_.prefetch_next();
    } else {
      open_.prefetch_back();
    }
  }
  void prefetch_for_response() const noexcept { open_.prefetch_front(); }

 private:
  void borrow_memory(const StreamLog& log);
  void erase(std::uint64_t number);
  void leave(Message& message, const ResponsePacket& by, MessageOutcome outcome, const StreamLog& log);
  void end(const Message& message, const StreamLog& log);

  Window<Message> open_;
  std::size_t presumed_ = 0;       // of these: completed, unless the requester asks again
  std::uint64_t ended_bytes_ = 0;  // of messages that ended, READs left out
};

}  // namespace rocescope
