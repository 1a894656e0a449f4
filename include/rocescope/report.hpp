// The report of a capture: the finished model, plain data, from which every output form is made.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "rocescope/breach.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/cm_event.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/evicted_totals.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/host.hpp"
#include "rocescope/memory_region.hpp"
#include "rocescope/pause.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/times.hpp"
#include "rocescope/totals.hpp"
#include "rocescope/ud_flow.hpp"

namespace rocescope {

/// A capture file and what was read from it.
struct CaptureReport {
  CaptureInfo info;
  CaptureTotals totals;
};

/// All that `analyze` concludes. A table that reached its limit says what it left out; totals are always complete.
struct Report {
  std::vector<CaptureReport> captures;  ///< in the order in which they were named
  CaptureTotals totals;                 ///< of all captures together, after narrowing
  std::uint64_t packets_read = 0;       ///< before narrowing by filters and options
  /// Nanoseconds since 1970: of the first packet read, or of one in `totals` that is earlier. Relative times count from it.
  std::optional<std::int64_t> start;

  std::vector<Finding> findings;  ///< the worst first
  Sightings sightings;            ///< evidence for findings, from packets of no connection
  Breaches breaches;              ///< rules that packets of no connection broke

  std::vector<ProtocolNode> protocols;      ///< the outermost ones
  Traffic untracked_protocols;              ///< packets with protocols that came when the hierarchy was full
  std::vector<OtherPackets> other_packets;  ///< the most frequent first

  std::vector<OperationCount> operations;  ///< by transport, then by code

  std::deque<Flow> flows;   ///< those with the most bytes first
  Traffic untracked_flows;  ///< packets of flows that came when the table was full

  /// Those with the most trouble first, then those with the most bytes. Each is told whole, even where narrowing left only
  /// some of its packets.
  std::deque<Connection> connections;
  std::uint64_t untracked_connection_packets = 0;  ///< of connections that came when the table was full
  EvictedTotals evicted;                           ///< of further connections, which were followed for a time

  /// Those to which the most bytes moved first, of connections that are told.
  std::vector<MemoryRegion> memory_regions;
  std::uint64_t untracked_region_requests = 0;  ///< to regions that came when the table was full

  std::vector<UdFlow> ud_flows;              ///< those with the most messages first
  Traffic untracked_ud_flows;                ///< datagrams that came when the table was full
  TimeTable times;                           ///< of the connections that are told, and of those evicted
  RateSeries rates;                          ///< of all RoCE packets, whatever narrowing left
  std::vector<HostRates> host_rates;         ///< the same, those who sent most first
  std::vector<Host> hosts;                   ///< the same, by address
  std::uint64_t untracked_host_packets = 0;  ///< of pairs of hosts that came when the table was full
  CongestionTotals congestion;               ///< of the whole capture, whatever narrowing left
  std::vector<PauseTotals> pauses;           ///< the same, by MAC address and class
  std::uint64_t untracked_pause_frames = 0;  ///< of ports that came when the table was full

  /// In the order of the capture. Each is told whole, even where narrowing left only some of its packets.
  std::vector<Handshake> handshakes;
  std::uint64_t unlisted_handshakes = 0;  ///< messages of those that came when the table was full

  std::vector<CmEvent> cm_events;        ///< in the order of the capture
  std::uint64_t unlisted_cm_events = 0;  ///< those that came when the list was full

  IcrcTotals icrc;
  std::vector<StopCount> stops;  ///< the most frequent first
};

}  // namespace rocescope
