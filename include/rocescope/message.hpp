// A message: one work request as the wire shows it; and sums of messages by operation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

enum class MessageOutcome : std::uint8_t {
  kOutstanding,     ///< nothing was seen that answers it
  kCompleted,       ///< acknowledged, or its last response was seen
  kRefused,         ///< a NAK that ends the queue pair
  kUnacknowledged,  ///< its transport acknowledges nothing (UC)
  kLost,            ///< the same, and some of it was not seen: its receiver drops the message (IBTA 9.8.2.2)
};

[[nodiscard]] constexpr std::string_view to_string(MessageOutcome outcome) noexcept {
  constexpr std::string_view kNames[] = {"outstanding", "completed", "refused", "unacknowledged", "lost"};
  return kNames[static_cast<std::size_t>(outcome)];
}

/// A SEND, WRITE, READ, ATOMIC, FLUSH or ATOMIC WRITE, from its first packet to its completion.
struct Message {
  std::uint64_t number = 0;  ///< from 1, over the capture
  Operation operation = Operation::kSend;
  MessageOutcome outcome = MessageOutcome::kOutstanding;
  bool has_first = false;  ///< its First or Only packet was seen
  bool has_last = false;   ///< its Last or Only packet was seen
  bool resent = false;     ///< some of it was sent more than once: it says nothing of the latency of one attempt
  bool counts = true;      ///< whether its last request packet counts: see Tracker::track()
  /// A READ that had ended, since all its responses were seen; then its requester asked for some of them again.
  bool reopened = false;
  std::uint8_t nak_code = 0;
  /// How often its first packet was sent, as far as is known: of a READ the request for all of its responses.
  std::uint16_t attempts = 1;
  Psn first_psn;
  Psn last_psn;  ///< of a READ: of its last response
  /// ICRC of its First or Only packet as that was first seen, where it is right (IBTA A17.3.3): by it two captures know
  /// the packet. 0: not known.
  std::uint32_t first_icrc = 0;
  std::uint64_t bytes = 0;  ///< seen of it; of a READ those that it asks for
  std::optional<std::uint64_t> address;
  std::optional<std::uint32_t> r_key;
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_r_key;  ///< of a SEND with Invalidate
  std::uint32_t packets = 0;                       ///< request packets seen of it, copies left out
  std::uint32_t resent_packets = 0;                ///< seen of it again, until it ended
  std::uint32_t responses = 0;                     ///< of a READ: responses seen, each once
  std::uint32_t resent_responses = 0;              ///< the same that were seen again, until it ended
  /// For a READ that its last response completed: responses, and copies of them, to all READs of its requester until
  /// then, modulo 2^32.
  std::uint32_t all_responses = 0;
  /// For a WRITE of several packets: how many its first one announced. 0: not known.
  std::uint32_t span = 0;
  std::uint64_t first_frame = 0;
  std::uint64_t last_frame = 0;  ///< the last request packet
  std::int64_t first_time = 0;   ///< nanoseconds since 1970
  std::int64_t last_time = 0;
  /// Of the ACK, NAK or last response. Of a READ that lacks responses here and has not ended yet: of what answered it if the capture
  /// missed them. Then its outcome says so, too.
  std::uint64_t completion_frame = 0;
  std::int64_t completion_time = 0;
  Psn next_response;  ///< of a READ: the PSN of the response that comes next
  /// From its first packet to the last one that came again or out of order, in microseconds, rounded up; at most 2^32 - 1.
  std::uint32_t late_us = 0;
  /// How many of `bytes` may be of a message before or behind it: the packets between the pieces of it were not seen,
  /// and nothing shows whether one ended there. At most 2^32 - 1.
  std::uint32_t unsure_bytes = 0;

  [[nodiscard]] bool contains(Psn psn) const noexcept { return !psn.before(first_psn) && !psn.after(last_psn); }
  /// Its packet at `psn` comes again.
  void send_again(Psn psn, std::int64_t time) noexcept {
    if (psn == first_psn && attempts < std::numeric_limits<std::uint16_t>::max()) ++attempts;
    resent = true;
    if (resent_packets < std::numeric_limits<std::uint32_t>::max()) ++resent_packets;
    note_late(elapsed(first_time, time));
  }
  /// A packet of it came again, or behind one that follows it, so many nanoseconds after its first.
  void note_late(std::int64_t ns) noexcept {
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    const std::int64_t us = ns <= 0 ? 0 : std::min(ns / 1'000 + 1, kMost);
    late_us = std::max(late_us, static_cast<std::uint32_t>(us));
  }
  [[nodiscard]] bool is_read() const noexcept { return operation == Operation::kReadRequest; }
};

/// Whether it ended as it should, with each packet sent once.
[[nodiscard]] constexpr bool ends_well(const Message& message) noexcept {
  return !message.resent &&
         (message.outcome == MessageOutcome::kCompleted || message.outcome == MessageOutcome::kUnacknowledged);
}

/// Nanoseconds from the first packet of its first attempt to its completion; nothing: it did not complete, or one of the two was not
/// seen.
[[nodiscard]] constexpr std::optional<std::int64_t> time_of(const Message& message) noexcept {
  const bool is_known = message.outcome == MessageOutcome::kCompleted && message.has_first &&
                        message.completion_frame != message.last_frame && message.completion_time >= message.first_time;
  return is_known ? std::optional(elapsed(message.first_time, message.completion_time)) : std::nullopt;
}

/// Sizes of messages by powers of two.
class SizeTable {
 public:
  /// Messages of at least `at_least` bytes, and less than twice as many; 0 is its own.
  struct Row {
    std::uint64_t at_least = 0;
    std::uint64_t messages = 0;
  };

  void add(std::uint64_t bytes, std::uint64_t messages = 1) { at(std::bit_floor(bytes)).messages += messages; }
  void merge(const SizeTable& other) {
    for (const Row& row : other.rows_) at(row.at_least).messages += row.messages;
  }
  /// The sizes that occurred, smallest first.
  [[nodiscard]] std::span<const Row> rows() const noexcept { return rows_; }

 private:
  friend struct PrivateMembers;
  [[nodiscard]] Row& at(std::uint64_t at_least) {
    auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& other) { return other.at_least >= at_least; });
    if (row == rows_.end() || row->at_least != at_least) row = rows_.insert(row, {at_least, 0});
    return *row;
  }

  std::vector<Row> rows_;
};

/// What is known of one operation's messages.
struct OperationTotals {
  Operation operation = Operation::kSend;
  std::uint64_t messages = 0;
  std::uint64_t completed = 0;
  std::uint64_t refused = 0;
  std::uint64_t bytes = 0;
  SizeTable sizes;
};

/// By operation; takes memory only for those that occurred, which are one or two as a rule.
class OperationTable {
 public:
  /// The totals of `operation`, made where there are none. Lasts until the next call.
  [[nodiscard]] OperationTotals& at(Operation operation) {
    if (OperationTotals* const known = find(operation)) return *known;
    return totals_.emplace_back(OperationTotals{.operation = operation});
  }
  /// The same; null where there are none.
  [[nodiscard]] OperationTotals* find(Operation operation) noexcept {
    for (OperationTotals& totals : totals_) {
      if (totals.operation == operation) return &totals;
    }
    return nullptr;
  }
  [[nodiscard]] OperationTotals of(Operation operation) const noexcept {
    for (const OperationTotals& totals : totals_) {
      if (totals.operation == operation) return totals;
    }
    return {.operation = operation};
  }
  /// In the order of their first messages.
  [[nodiscard]] std::span<const OperationTotals> all() const noexcept { return totals_; }

 private:
  friend struct PrivateMembers;
  std::vector<OperationTotals> totals_;
};

/// Requests on their way or in work: sent and not acknowledged, as far as was seen.
struct InFlight {
  std::uint64_t bytes = 0;  ///< payload
  std::uint32_t messages = 0;
  std::uint32_t packets = 0;
  std::uint32_t reads = 0;  ///< READs and ATOMICs: what the initiator depth limits (IBTA 9.4.4)
};

}  // namespace rocescope
