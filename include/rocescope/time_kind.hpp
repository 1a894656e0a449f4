// What is measured between packets, as the place of the capture sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rocescope {

enum class TimeKind : std::uint8_t {
  // Requests and their responses; never of a message of which something was sent twice, since nothing tells which copy was
  // answered (Karn's rule).
  kAckLatency,   ///< last packet of a SEND or WRITE to the first ACK, NAK or response that covers it
  kReadFirst,    ///< READ Request to the first packet of its response
  kReadLast,     ///< READ Request to the last packet of its response
  kAtomic,       ///< CmpSwap or FetchAdd to its ATOMIC Acknowledge
  kMessageTime,  ///< first packet of a message to its completion
  // Recoveries
  kNakGeneration,  ///< first packet after a hole to the NAK for it
  kNakRecovery,    ///< NAK to the first packet that is sent again
  kRnrWait,        ///< RNR NAK to the first packet that is sent again
  kStall,          ///< silence with requests outstanding
  // The communication manager
  kReqToRep,
  kRepToRtu,
  kRtuToData,  ///< RTU to the first request
  kDreqToDrep,
  // Congestion
  kCnpDelay,     ///< a packet marked CE to the CNP that it causes
  kCnpInterval,  ///< CNP to CNP
};

inline constexpr std::size_t kTimeKinds = static_cast<std::size_t>(TimeKind::kCnpInterval) + 1;

[[nodiscard]] constexpr std::string_view to_string(TimeKind kind) noexcept {
  constexpr std::string_view kNames[kTimeKinds] = {"ack_latency",  "read_first",     "read_last",    "atomic",
                                                   "message_time", "nak_generation", "nak_recovery", "rnr_wait",
                                                   "stall",        "req_to_rep",     "rep_to_rtu",   "rtu_to_data",
                                                   "dreq_to_drep", "cnp_delay",      "cnp_interval"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// One time that a packet ended.
struct Measure {
  TimeKind kind = TimeKind::kAckLatency;
  std::int64_t ns = 0;        ///< never negative
  std::int64_t asked_ns = 0;  ///< rnr_wait: the timer that the RNR NAK named
};

}  // namespace rocescope
