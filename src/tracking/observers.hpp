// Those who count what all connections of a capture have in common.
#pragma once

#include <cstddef>

#include "region_table.hpp"
#include "rocescope/tracker.hpp"
#include "tracked_packet.hpp"

namespace rocescope {

class Observers {
 public:
  void see(const TrackedPacket& tracked) {
    if (tracked.connection == nullptr) return;
    for (const Message& message : tracked.ended) regions_.add(message, *tracked.connection, tracked.requester);
  }
  /// A message that did not end, when the capture does.
  void see_open(const Message& message, const Connection& connection, std::size_t requester) {
    regions_.add(message, connection, requester);
  }
  /// What they counted.
  void tell(Tracking& tracking) const {
    tracking.memory_regions = regions_.regions();
    tracking.untracked_region_requests = regions_.untracked();
  }

 private:
  RegionTable regions_;
};

}  // namespace rocescope
