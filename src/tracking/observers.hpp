// The observers of a capture's packets: the one list of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "rocescope/tracker.hpp"
#include "tracking/handshakes/handshake_follower.hpp"
#include "tracking/moment.hpp"
#include "tracking/observer_list.hpp"
#include "tracking/unplaced.hpp"
#include "tracking/watchers/conformance.hpp"
#include "tracking/watchers/congestion_watch.hpp"
#include "tracking/watchers/host_table.hpp"
#include "tracking/watchers/pause_table.hpp"
#include "tracking/watchers/payload_watch.hpp"
#include "tracking/watchers/read_depth.hpp"
#include "tracking/watchers/region_table.hpp"
#include "tracking/watchers/side_counters.hpp"
#include "tracking/watchers/state_watcher.hpp"
#include "tracking/watchers/trouble.hpp"

namespace rocescope {

/// All of them, in the order in which they are shown a packet.
inline auto make_observers(const TrackOptions& options, Unplaced& unplaced, ConnectionTable& connections,
                           HandshakeTable& handshakes, const Strays& strays) {
  return ObserverList(HostTable(options.rate_interval), CongestionWatch(options.cnp_window, unplaced.sightings),
                      PauseTable(options.link_speed, unplaced.sightings), TimeCounter(), RegionTable(),
                      Conformance(unplaced.breaches), PayloadWatch(), ReadDepth(), TroubleWatch(unplaced.sightings),
                      StateWatcher(connections, handshakes, strays), HandshakeFollower(handshakes),
                      StaleWatch(options.reorder_window), TrafficCounter(), MessageCounter(), MessageVisits());
}

class Observers {
 public:
  Observers(const TrackOptions& options, Unplaced& unplaced, ConnectionTable& connections, HandshakeTable& handshakes,
            const Strays& strays)
      : list_(make_observers(options, unplaced, connections, handshakes, strays)) {}

  void observe(const TrackedPacket& tracked) { list_.observe(tracked); }
  void observe_apart(const TrackedPacket& tracked) { list_.observe_apart(tracked); }
  template <class T>
  [[nodiscard]] T& get() noexcept {
    return list_.get<T>();
  }
  template <class T>
  [[nodiscard]] const T& get() const noexcept {
    return list_.get<T>();
  }
  void on_message(MessageVisitor visitor, MessageChoice choice) {
    list_.get<MessageVisits>().call(std::move(visitor), choice);
  }

  /// Adds to the facts of a connection what `state`, which is followed here, knows beside them, and what silence until `end`
  /// shows. `connection` may be a copy.
  void settle(Connection& connection, const ConnectionState& state, std::int64_t end) const {
    list_.visit([&](const auto& each) {
      if constexpr (requires { each.settle(connection, state, end); }) {
        each.settle(connection, state, end);
      } else if constexpr (requires { each.settle(connection); }) {
        each.settle(connection);
      }
    });
  }
  /// The connection is followed no longer.
  void forget(const Connection& connection, const ConnectionState& state) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (const Message& open : state.requesters[i]->open_messages()) {
        if (open.counts) list_.get<RegionTable>().count(open, connection, i, kMomentOver);
      }
    }
    list_.get<MessageVisits>().forget(connection);
    list_.get<StateWatcher>().forget(connection.number);
    if (connection.joined != 0) list_.get<StateWatcher>().forget(connection.joined);
  }
  /// Removes and returns the regions without requests since `idle_since`.
  [[nodiscard]] std::vector<MemoryRegion> evict(std::int64_t idle_since) {
    return list_.get<RegionTable>().evict(idle_since);
  }
  [[nodiscard]] std::vector<MemoryRegion> memory_regions() const { return list_.get<RegionTable>().regions(); }

  /// Reports what takes little work. `now`: the time of the last packet.
  void report_totals(Tracking& tracking, std::int64_t now) const {
    tracking.congestion = list_.get<CongestionWatch>().totals();
    tracking.pauses = list_.get<PauseTable>().totals(now);
    tracking.untracked_pause_frames = list_.get<PauseTable>().untracked();
  }
  /// Reports all that they counted.
  void report(Tracking& tracking, std::int64_t now) const {
    report_totals(tracking, now);
    list_.get<RegionTable>().report(tracking);
    list_.get<HostTable>().report(tracking);
  }

 private:
  decltype(std::function(make_observers))::result_type list_;
};

}  // namespace rocescope
