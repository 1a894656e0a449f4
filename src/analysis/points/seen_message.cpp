#include "analysis/points/seen_message.hpp"

#include <algorithm>
#include <cstdint>

#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {
namespace {

std::uint32_t memory_of(const Message& message) noexcept {
  if (!message.address) return 0;
  return static_cast<std::uint32_t>(mix(*message.address, message.r_key.value_or(0))) | 1U;
}

/// Packets that it has; 0: unknown.
std::uint32_t span_of(const Message& message) noexcept {
  if (message.is_read()) return 1;
  if (!message.has_first || !message.has_last) return 0;
  return static_cast<std::uint32_t>(message.first_psn.distance_to(message.last_psn)) + 1;
}

}  // namespace

SeenMessage seen_message(const Message& message, std::optional<Qpn> sender) {
  constexpr std::int64_t kMicrosecond = 1'000;
  const bool ended = message.completion_frame != 0;
  const std::int64_t late = std::min(message.late_us * kMicrosecond, elapsed(message.first_time, INT64_MAX));
  return {.operation = message.operation,
          .has_first = message.has_first,
          .has_last = message.has_last,
          .first_once = message.has_first && message.attempts == 1 && (message.resent || message.late_us == 0),
          .counts = message.counts,
          .ended = ended,
          .comes_once = message.outcome == MessageOutcome::kUnacknowledged || message.outcome == MessageOutcome::kLost,
          .completed = message.outcome == MessageOutcome::kCompleted,
          .first_psn = message.first_psn,
          .last_psn = message.last_psn,
          .packets = message.packets,
          .again = message.resent_packets,
          .requested = message.reopened ? message.attempts : 0U,
          .span = span_of(message),
          .memory = memory_of(message),
          .icrc = message.first_icrc,
          .sender = sender ? sender->value() : 0,
          .frame = message.first_frame,
          .time = message.first_time,
          .last_sent = std::max(message.last_time, message.first_time + late),
          .answered = ended ? message.completion_time : 0};
}

SeenMessage seen_responses(const Message& read, std::optional<Qpn> sender) {
  const auto span = static_cast<std::uint32_t>(read.first_psn.distance_to(read.last_psn)) + 1;
  const bool completed = read.outcome == MessageOutcome::kCompleted;
  const bool is_usual =
      !read.resent && !read.reopened && read.responses == span && read.resent_responses == 0 && read.all_responses != 0;
  return {.operation = Operation::kReadResponse,
          .has_first = true,
          .has_last = completed,
          .first_once = completed && is_usual,
          .counts = read.counts,
          .responses = true,
          .completed = completed,
          .first_psn = read.first_psn,
          .last_psn = read.last_psn,
          .packets = read.responses,
          .again = read.resent_responses,
          .requested = read.resent_packets,
          .span = span,
          .memory = memory_of(read),
          .sender = sender ? sender->value() : 0,
          .all_responses = read.all_responses,
          .frame = completed ? read.completion_frame : read.first_frame,
          .time = completed ? read.completion_time : read.first_time,
          .last_sent = read.last_time,
          .answered = completed ? read.completion_time : 0};
}

void SeenMessage::add_packets(std::uint64_t count, Occurrences& to) const noexcept {
  const std::uint64_t few = std::min<std::uint64_t>(count, Occurrences::kPackets);
  for (std::uint64_t i = 0; i < few; ++i) to.add(frame, time);
  to.count += count - few;
}

}  // namespace rocescope
