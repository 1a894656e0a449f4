// States of a queue pair, as far as the wire shows them.
#pragma once

#include <cstdint>
#include <string_view>

namespace rocescope {

/// IBTA 10.3.1, numbered as ibverbs does. Two of them are never concluded, since no packet tells them from others: a send
/// queue that is drained (SQD) is silent, as one in RTS is that has nothing to send; and SQE, where a UC or UD send queue
/// goes after an error of its own (one of RC goes to ERR), sends as little, and no response shows that it still receives.
enum class QpState : std::uint8_t { kReset, kInit, kRtr, kRts, kSqd, kSqe, kErr };

[[nodiscard]] constexpr std::string_view to_string(QpState state) noexcept {
  constexpr std::string_view kNames[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
  return kNames[static_cast<std::size_t>(state)];
}

/// A state that a queue pair went to, and the packet that proves it.
struct QpTransition {
  QpState state = QpState::kReset;
  bool observed = false;     ///< a packet of its own shows it; else concluded from its peer's packets, or from silence
  std::uint64_t packet = 0;  ///< the frame's number
  std::int64_t time = 0;     ///< of that packet, nanoseconds since 1970; the queue pair went there before or then
};

}  // namespace rocescope
