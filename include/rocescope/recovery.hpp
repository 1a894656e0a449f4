// A recovery: what a requester sent again in one go, and what made it.
#pragma once

#include <cstdint>

#include "rocescope/verdict.hpp"

namespace rocescope {

/// One run of packets sent again, in the order of their PSNs (go-back-N, IBTA 9.7.5.1.1). It ends with the first packet that
/// was never sent before, or where the next recovery begins.
struct Recovery {
  ResendCause cause = ResendCause::kUnknown;
  std::uint64_t trigger_frame = 0;  ///< the NAK or RNR NAK; 0: none was seen
  std::uint64_t first_frame = 0;    ///< the first packet that was sent again
  std::uint64_t last_frame = 0;
  std::int64_t first_time = 0;  ///< nanoseconds since 1970
  std::int64_t last_time = 0;
  /// Nanoseconds from the last request or response that brought the stream on to the first packet of the recovery.
  std::int64_t stall = 0;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;        ///< payload of these packets
  std::uint64_t lost_before = 0;  ///< PSNs: lost before the capture point
  std::uint64_t lost_after = 0;   ///< packets that were seen and that the trigger asked for: lost behind it
};

}  // namespace rocescope
