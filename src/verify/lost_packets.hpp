// Packets that a device counted and that never came to the capture point.
#pragma once

#include <cstdint>
#include <string>

#include "verify/comparison.hpp"

namespace rocescope::verify {

/// How many packets the device of a queue pair sent that neither the capture has nor any device received; 0 without its counters.
[[nodiscard]] std::uint64_t lost_before_capture(const Comparison& comparison, const TruthQueuePair& queue_pair);

/// Whether its requester gave up on it: it was sent as often as the retry count allows.
[[nodiscard]] bool was_given_up(const WorkRequest& request) noexcept;

/// `given up: all tries were lost before the capture point, as 56 packets were`
[[nodiscard]] std::string why_given_up_unseen(std::uint64_t lost);

}  // namespace rocescope::verify
