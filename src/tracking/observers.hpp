// Those who count what all connections of a capture have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "rocescope/tracker.hpp"
#include "tracking/tracked_packet.hpp"
#include "tracking/watchers/congestion_watch.hpp"
#include "tracking/watchers/host_table.hpp"
#include "tracking/watchers/pause_table.hpp"
#include "tracking/watchers/region_table.hpp"

namespace rocescope {

class Observers {
 public:
  explicit Observers(const TrackOptions& options)
      : hosts_(options.rate_interval), congestion_(options.cnp_window), pauses_(options.link_speed) {}

  /// `sightings` is for packets of no connection.
  void see(const TrackedPacket& tracked, Sightings& sightings) {
    last_time_ = std::max(last_time_, tracked.packet().frame.timestamp);
    hosts_.see(tracked);
    congestion_.see(tracked, sightings);
    pauses_.see(tracked.packet(), sightings);
    if (tracked.connection == nullptr) return;
    TimeTable& times = tracked.connection->sides[tracked.requester].times;
    for (const Measure& measure : tracked.measures) times.add(measure.kind, measure.ns);
    for (const Message& message : tracked.ended) regions_.add(message, *tracked.connection, tracked.requester);
  }

  /// What goes on in a connection ends.
  void settle(Connection& connection) const { congestion_.settle(connection); }
  /// Gives regions away without requests since `idle_since`.
  [[nodiscard]] std::vector<MemoryRegion> evict(std::int64_t idle_since) { return regions_.evict(idle_since); }
  /// A message that did not end.
  void see_open(const Message& open, const Connection& connection, std::size_t requester) {
    regions_.add(open, connection, requester);
  }

  /// What they counted. Connections must be there; what goes on in them ends.
  void tell(Tracking& tracking) const {
    tell_totals(tracking);
    tracking.memory_regions = regions_.regions();
    tracking.untracked_region_requests = regions_.untracked();
    tracking.rates = hosts_.all();
    tracking.host_rates = hosts_.pairs();
    tracking.hosts = hosts_.hosts();
    tracking.untracked_host_packets = hosts_.untracked();
  }

  [[nodiscard]] std::vector<MemoryRegion> memory_regions() const { return regions_.regions(); }

  /// The part of it that takes little work.
  void tell_totals(Tracking& tracking) const {
    for (Connection& connection : tracking.connections) settle(connection);
    tracking.congestion = congestion_.totals();
    tracking.pauses = pauses_.totals(last_time_);
    tracking.untracked_pause_frames = pauses_.untracked();
  }

 private:
  RegionTable regions_;
  HostTable hosts_;
  CongestionWatch congestion_;
  PauseTable pauses_;
  std::int64_t last_time_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace rocescope
