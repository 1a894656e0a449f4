// What a capture point knows of a message that another point may have seen, too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "rocescope/finding.hpp"
#include "rocescope/message.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// A message, or the responses to a READ, which are compared as a message of their sender.
struct SeenMessage {
  std::uint32_t flow = 0;
  std::uint16_t point = 0;
  Operation operation = Operation::kSend;
  bool has_first = false;
  bool has_last = false;
  bool first_once = false;  // its first packet was seen, and once only
  bool counts = false;
  bool ended = false;       // it was answered
  bool met = false;         // the other point saw it, too
  bool responses = false;   // to a READ; the packet at `frame` is the last of them, if that was seen
  bool comes_once = false;  // its sender does not send it again
  bool completed = false;
  Psn first_psn;
  Psn last_psn;
  std::uint32_t packets = 0;  // each once
  std::uint32_t again = 0;    // what came again, until it was answered
  /// Of a READ that was asked for again when it had ended: how often its first request came. Of responses: how often they were asked for
  /// again.
  std::uint32_t requested = 0;
  std::uint32_t span = 0;           // packets that it has; 0: unknown
  std::uint32_t memory = 0;         // of its address and key; 0: unknown
  std::uint32_t icrc = 0;           // of its first packet; 0: unknown
  std::uint32_t connection = 0;     // at its point
  std::uint32_t sender = 0;         // its queue pair; 0: unknown
  std::uint32_t all_responses = 0;  // as Message has it
  std::uint64_t frame = 0;
  std::int64_t time = 0;       // ns, as the point's clock says
  std::int64_t last_sent = 0;  // of responses: the request
  std::int64_t answered = 0;   // 0: it was not

  [[nodiscard]] std::int64_t sent() const noexcept { return responses ? last_sent : time; }
  [[nodiscard]] std::uint64_t all_packets() const noexcept { return std::uint64_t{packets} + again; }
  /// Counts `count` packets of it that were seen only here.
  void add_packets(std::uint64_t count, Occurrences& to) const noexcept;
};
static_assert(sizeof(SeenMessage) == 96, "MessageComparisons says how much it takes");

/// Of one flow, at one point, by their frames.
using SeenMessages = std::span<SeenMessage>;
/// What two points know of one message, the lower number first.
using SeenByBoth = std::pair<SeenMessage*, SeenMessage*>;

/// The caller fills in where it was seen. `sender`: the queue pair that sends it, as far as the point knows.
[[nodiscard]] SeenMessage seen_message(const Message& message, std::optional<Qpn> sender);
/// The responses to a READ, which `sender` sends.
[[nodiscard]] SeenMessage seen_responses(const Message& read, std::optional<Qpn> sender);

}  // namespace rocescope
