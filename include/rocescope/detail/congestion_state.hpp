// Congestion of a sender while its packets come. For this library alone, as all of detail/.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/congestion.hpp"
#include "rocescope/detail/rate_meter.hpp"

namespace rocescope {

/// The counts, and what the tracker needs to go on.
struct CongestionState : Congestion {
  struct Running {
    RateMeter sent;
    std::uint64_t unnotified = 0;          ///< marked packets since the last CNP
    std::uint64_t counted_unnotified = 0;  ///< of these: those that count
    std::int64_t first_marked = 0;         ///< the time of the first of `unnotified`
    std::int64_t last_marked = 0;          ///< the time of the last of them
    std::optional<std::int64_t> last_cnp;
    std::int64_t cnp_window = 0;  ///< the start of the window in which CNPs are counted
    std::uint64_t cnps_in_window = 0;
    /// A CNP while the window after it is not over yet: the bytes sent in that window are still counted.
    struct After {
      std::uint64_t cnp_packet = 0;
      std::int64_t cnp_time = 0;
      std::uint64_t bytes_before = 0;
      std::uint64_t bytes_after = 0;
      bool counts = true;  ///< whether the CNP counts
    };
    std::optional<After> after;
  };
  Running running;
};

}  // namespace rocescope
