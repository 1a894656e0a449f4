// How many READs and atomics were outstanding at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/psn.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Counts no more than there were: what the capture lacks ends them too early rather than too late.
class ReadDepth {
 public:
  /// READs and atomics of one side that are followed. The most that the CM can agree on is 255.
  static constexpr std::size_t kMostFollowed = 1'024;

  struct Side {
    std::vector<Psn> ends;  ///< the last PSN of each that is outstanding, in their order
  };
  using State = std::array<Side, 2>;  ///< of a connection, by requester

  /// Fills in ConnectionSide::reads_outstanding.
  static void observe(const TrackedPacket& tracked);
  static constexpr unsigned kWants = traits::kConnected;
};

}  // namespace rocescope
