// A plan: everything that both sides of one connection do, as plain data made from the job alone. Both sides make the
// same plan; each executes its own half and knows from the other what will arrive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/job.hpp"
#include "core/payload.hpp"

namespace rocescope::rdmagen {

/// How a completion or a connection may fail: the work completion statuses of ibverbs, under their numbers, and one of ours.
enum class Outcome : std::uint8_t {
  kLocalLengthError = 1,
  kLocalQpOperation = 2,
  kFlushed = 5,
  kRemoteInvalidRequest = 9,
  kRemoteAccess = 10,
  kRemoteOperation = 11,
  kRetryExceeded = 12,
  kRnrRetryExceeded = 13,
  kPeerGone = 100,  ///< the connection ended before the work did
};

enum class StepKind : std::uint8_t {
  kPost,              ///< post the work request
  kAwaitCompletions,  ///< until all of ours are done
  kAwaitReceives,     ///< until `count` messages have arrived since the beginning, over all queue pairs
  kVerifyBytes,       ///< [local_offset, + length) is `of`'s stream from remote_offset on
  kVerifyNumber,      ///< the eight bytes at local_offset, host order, are `compare`
  kKillSelf,          ///< SIGKILL: the peer sees us die
};

/// Which key a one-sided request uses.
enum class KeyChoice : std::uint8_t { kRegion, kWrong, kWindow };

/// One step. Offsets are from the start of a region: the local one of the side that steps, the remote one of its peer.
struct Step {
  StepKind kind = StepKind::kPost;
  Operation operation = Operation::kSend;
  KeyChoice key = KeyChoice::kRegion;
  Side of = Side::kClient;
  std::uint8_t qp = 0;
  bool signaled = false;
  bool inlined = false;
  bool advertises = false;  ///< its payload is the list of our memory windows
  std::uint32_t immediate = 0;
  std::uint32_t count = 0;  ///< of messages (kAwaitReceives); which window (kBindWindow, KeyChoice::kWindow)
  std::uint64_t local_offset = 0;
  std::uint64_t remote_offset = 0;
  std::uint64_t length = 0;
  std::uint64_t compare = 0;
  std::uint64_t swap_or_add = 0;

  friend bool operator==(const Step&, const Step&) = default;
};

/// What the next receive of a queue pair will hold.
struct Arrival {
  Operation operation = Operation::kSend;
  bool advertises = false;
  std::uint32_t immediate = 0;
  std::uint64_t length = 0;
  std::uint64_t stream_offset = 0;  ///< in the sender's stream

  friend bool operator==(const Arrival&, const Arrival&) = default;
};

enum class ReceivePolicy : std::uint8_t {
  kAhead,  ///< as many as there is room for, and each again when it was used
  kNever,
  kLate,  ///< one at a time, each kLateReceive after the one before
};
inline constexpr std::uint64_t kLateReceiveNs = 50'000'000;

/// Bytes before the message in a receive of UD (IBTA 11.4.1.2): room for the GRH.
inline constexpr std::uint64_t kGrhBytes = 40;
/// Bytes of one memory window in an advertisement: address u64, rkey u32, length u32.
inline constexpr std::uint64_t kAdvertisedWindowBytes = 16;

/// One side's half of the plan.
struct SidePlan {
  std::uint64_t region_bytes = 0;
  std::uint64_t source_bytes = 0;    ///< [0, source_bytes) holds the side's stream from its beginning; the rest zeros
  std::uint64_t receive_offset = 0;  ///< where receive slots begin, queue pair after queue pair
  std::uint64_t slot_bytes = 0;
  std::uint32_t slots = 0;  ///< of each queue pair
  ReceivePolicy policy = ReceivePolicy::kAhead;
  bool remote_write = true;   ///< the peer may write to the region
  std::uint32_t windows = 0;  ///< memory windows to allocate; window i is eight bytes from window_offset + 8 i on
  std::uint64_t window_offset = 0;
  std::vector<Step> steps;
  std::vector<Step> final_steps;  ///< after the peer has done all of its own
  std::vector<Outcome> accepts;   ///< must end in one of these, unless there are none

  friend bool operator==(const SidePlan&, const SidePlan&) = default;
};

struct Plan {
  SidePlan client;
  SidePlan server;

  [[nodiscard]] const SidePlan& of(Side side) const noexcept { return side == Side::kClient ? client : server; }
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// What the queue pair number `qp` of `side` receives, in order.
[[nodiscard]] std::vector<Arrival> arrivals_at(const Plan& plan, Side side, std::uint8_t qp);

/// The plan of a job, its fault included, if complaint_about() is empty for it; empty for tcp-bulk, which has no verbs.
[[nodiscard]] Plan make_plan(const Job& job);

/// Why there is no such plan, as a sentence for the user; empty when there is one.
[[nodiscard]] std::string complaint_about(const Job& job);

}  // namespace rocescope::rdmagen
