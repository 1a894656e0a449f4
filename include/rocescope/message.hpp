// A message: one work request as the wire shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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
  bool resent = false;     ///< some of it was sent more than once: it says nothing of latency
  std::uint8_t nak_code = 0;
  Psn first_psn;
  Psn last_psn;             ///< of a READ: of its last response
  std::uint64_t bytes = 0;  ///< seen of it; of a READ those that it asks for
  std::optional<std::uint64_t> address;
  std::optional<std::uint32_t> r_key;
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_r_key;  ///< of a SEND with Invalidate
  std::uint64_t packets = 0;                       ///< request packets seen of it, copies left out
  std::uint64_t first_frame = 0;
  std::uint64_t last_frame = 0;  ///< the last request packet
  std::int64_t first_time = 0;   ///< nanoseconds since 1970
  std::int64_t last_time = 0;
  std::uint64_t completion_frame = 0;  ///< of the ACK, NAK or last response
  std::int64_t completion_time = 0;
  Psn next_response;  ///< of a READ: the PSN of the response that comes next

  [[nodiscard]] bool contains(Psn psn) const noexcept { return !psn.before(first_psn) && !psn.after(last_psn); }
  [[nodiscard]] bool is_read() const noexcept { return operation == Operation::kReadRequest; }
};

}  // namespace rocescope
