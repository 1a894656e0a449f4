// The data from which both sides make the same plan. The client chooses it and sends it when it connects: in the
// private data of the CM's REQ, or in the TCP greeting before the set-up exchange.
//
//  byte 0 version   1 workload    2 transport:4 fault:4   3 payload:4 flags:4 (bit 0 lossy)
//       4 run ID    8 connection  9 connections          10 QP       11 QPs
//      12 size u64 20 chunk u32  24 count u32   28 seed u32   32 depth u16  34 signal every u16
//      36 operations u16   38 inline bytes u16                                 all big-endian, 40 bytes
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/operation.hpp"

namespace rocescope::rdmagen {

enum class Workload : std::uint8_t {
  kWriteRead,
  kWriteImm,
  kParamServer,
  kInferenceBatch,
  kMpi,
  kBulk,
  kTcpBulk,
  kPingPong,
  kMixed,
};
inline constexpr std::string_view kWorkloadNames[] = {
    "write-read", "write-imm", "param-server", "inference-batch", "mpi", "bulk", "tcp-bulk", "pingpong", "mixed"};

/// What goes wrong on purpose.
enum class Fault : std::uint8_t {
  kNone,
  kWrongRkey,      ///< WRITE with a key that nobody gave out
  kOutOfRange,     ///< WRITE past the end of the region
  kReadOnly,       ///< WRITE to a region registered without remote write
  kRnr,            ///< SEND to a receiver that posts no receives
  kSlowReceiver,   ///< receiver that posts each receive late
  kOversizedSend,  ///< SEND larger than the receive it meets
  kKillServer,     ///< the server kills itself in mid-transfer
  kKillClient,     ///< the client kills itself in mid-transfer
  kDeadService,    ///< connect to a port that nobody listens on
  kReject,         ///< the server rejects the connection
};
inline constexpr std::string_view kFaultNames[] = {"none",        "wrong-rkey",    "out-of-range",   "read-only",
                                                   "rnr",         "slow-receiver", "oversized-send", "kill-server",
                                                   "kill-client", "dead-service",  "reject"};

/// What the bytes of messages are: counting bytes, pseudo-random ones, zeros.
enum class Payload : std::uint8_t { kPattern, kRandom, kZero };
inline constexpr std::string_view kPayloadNames[] = {"pattern", "random", "zero"};

inline constexpr std::size_t kJobBytes = 40;

struct Job {
  Workload workload = Workload::kWriteRead;
  Transport transport = Transport::kRc;
  Fault fault = Fault::kNone;
  Payload payload = Payload::kPattern;
  bool lossy = false;            ///< lost messages of UC and UD are counted and are no error
  std::uint32_t run_id = 0;      ///< random; keeps the connections of one client together
  std::uint8_t connection = 0;   ///< this one, from 0
  std::uint8_t connections = 1;  ///< how many this client makes
  std::uint8_t qp = 0;           ///< this queue pair of the connection, from 0
  std::uint8_t qps = 1;          ///< queue pairs of each connection
  std::uint64_t size = 0;        ///< bytes of a message; of all of bulk
  std::uint32_t chunk = 0;       ///< bytes of a message of bulk
  std::uint32_t count = 0;       ///< repetitions of the workload
  std::uint32_t seed = 1;
  std::uint16_t depth = 16;        ///< most send work requests outstanding on a queue pair
  std::uint16_t signal_every = 1;  ///< every n-th work request makes a completion
  std::uint16_t inline_bytes = 0;  ///< messages up to this size are copied into the work request
  OperationSet operations;         ///< those that bulk and mixed use

  friend bool operator==(const Job&, const Job&) = default;
};

/// The 40 bytes of a job.
[[nodiscard]] std::array<std::uint8_t, kJobBytes> encode(const Job& job) noexcept;

/// Nothing when the bytes are too few, of another version, or out of range.
[[nodiscard]] std::optional<Job> decode_job(std::span<const std::uint8_t> bytes) noexcept;

[[nodiscard]] inline std::string_view name_of(Workload workload) noexcept {
  return kWorkloadNames[static_cast<std::size_t>(workload)];
}
[[nodiscard]] inline std::string_view name_of(Fault fault) noexcept {
  return kFaultNames[static_cast<std::size_t>(fault)];
}
[[nodiscard]] inline std::string_view name_of(Payload payload) noexcept {
  return kPayloadNames[static_cast<std::size_t>(payload)];
}

}  // namespace rocescope::rdmagen
