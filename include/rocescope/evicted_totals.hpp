// What is left of connections that were evicted.
#pragma once

#include <cstdint>

#include "rocescope/connection.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/memory_region.hpp"
#include "rocescope/ud_flow.hpp"

namespace rocescope {

/// Connections that were followed for a time, added up, and what else had no packets for long.
struct EvictedTotals {
  std::uint64_t connections = 0;
  std::uint64_t crowded = 0;  ///< of these: not idle, but there were more than TrackOptions::max_connections
  std::uint64_t handshakes = 0;
  std::uint64_t unlisted_findings = 0;  ///< about them, and not among Report::findings: too many
  /// What all their sides counted, and of times all of them. Nothing that is of one side alone: no address, rates, states.
  ConnectionSide sides;

  EvictedFlows flows;
  EvictedUdFlows ud_flows;
  EvictedRegions regions;

  /// A connection that is `crowded`, or idle.
  void add(const Connection& connection, bool crowded);
};

}  // namespace rocescope
