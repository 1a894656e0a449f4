// Connections that a tracker stops following, so that its memory stays bounded however long a capture lasts; and what is
// left of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/memory_region.hpp"
#include "rocescope/message.hpp"

namespace rocescope {

/// What is known of a connection that is followed no longer. A later packet of its queue pairs begins a new one, as the first
/// packet of a capture does: nothing is taken for a loss.
struct EvictedConnection {
  Connection connection;
  bool crowded = false;  ///< it was not idle, but there were more than TrackOptions::max_connections
  std::array<std::vector<Message>, 2> open_messages;  ///< that each side requested and that did not end
};

/// What a tracker gave up at one time.
struct Eviction {
  /// Nanoseconds since 1970: whatever had no packet since then is idle. None where too many connections were looked at only.
  std::optional<std::int64_t> idle_since;
  std::vector<EvictedConnection> connections;
  std::vector<Handshake> handshakes;         ///< of these connections, and idle ones of no connection
  std::vector<MemoryRegion> memory_regions;  ///< idle ones, and of too many the oldest
};

/// What it is given is its own.
using EvictionVisitor = std::function<void(Eviction&& eviction)>;

/// Connections that were followed for a time, added up, and what else had no packets for long.
struct EvictedTotals {
  std::uint64_t connections = 0;
  std::uint64_t crowded = 0;  ///< of these: not idle, but there were more than TrackOptions::max_connections
  std::uint64_t handshakes = 0;
  std::uint64_t unlisted_findings = 0;  ///< about them, and not among Report::findings: too many
  /// What all their sides counted, and of times all of them, but for repeated connections. Nothing that is of one side alone: no address, rates, states.
  ConnectionSide sides;
  std::map<std::uint16_t, std::uint64_t> requests;  ///< new packets of them, without those of UC, by capture point

  EvictedFlows flows;
  EvictedUdFlows ud_flows;
  EvictedRegions regions;

  /// A connection that is `crowded`, or idle.
  void add(const Connection& connection, bool crowded);
};

}  // namespace rocescope
