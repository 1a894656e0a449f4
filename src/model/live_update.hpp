// What is new in a capture since the last look: the model of a live view.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/command.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/live.hpp"
#include "rocescope/times.hpp"

namespace rocescope {

/// What was counted over some time.
struct LiveTotals {
  Traffic traffic;                          ///< all packets
  Traffic roce;                             ///< of these RoCE
  std::uint64_t retransmitted_packets = 0;  ///< requests and READ responses that were sent again
  std::uint64_t naks = 0;                   ///< RNR NAKs included
  std::uint64_t cnps = 0;
  std::uint64_t ce_packets = 0;       ///< RoCE packets that a switch marked
  std::uint64_t evicted_idle = 0;     ///< connections
  std::uint64_t evicted_crowded = 0;  ///< connections, because there were too many

  [[nodiscard]] LiveTotals since(const LiveTotals& before) const noexcept;
};

/// The commands of one operation of a protocol.
struct LiveCommands {
  UpperProtocol protocol = UpperProtocol::kUnknown;
  std::string_view operation;     ///< empty: it has no name
  std::uint64_t over = 0;         ///< as CommandTotals has it
  std::uint64_t failed = 0;       ///< of these
  std::uint64_t bytes = 0;        ///< of those that succeeded, as far as the capture has how many
  std::uint64_t unsized = 0;      ///< of those that succeeded: the capture cut how many bytes they name
  std::uint64_t outstanding = 0;  ///< by now
  Histogram latency;              ///< CommandTimes::total

  [[nodiscard]] LiveCommands since(const LiveCommands& before) const;
};

/// A connection of an earlier update that is followed no longer.
struct GoneConnection {
  std::uint32_t number = 0;
  std::uint32_t part_of = 0;  ///< the connection that it turned out to be a direction of; 0: it was evicted
};

struct LiveUpdate {
  std::int64_t time = 0;                     ///< nanoseconds since 1970, of the look
  std::int64_t duration = 0;                 ///< nanoseconds since the look before, or the start
  LiveTotals interval;                       ///< in that time
  LiveTotals total;                          ///< since the start
  std::vector<LiveCommands> commands;        ///< in that time, by protocol and operation; or outstanding
  std::vector<LiveCommands> total_commands;  ///< since the start, the same
  std::vector<std::string> interfaces;
  std::vector<LiveCounters> counters;  ///< of the interfaces, since the start
  std::deque<Connection> connections;  ///< that had packets, as they are by now, by number
  std::vector<GoneConnection> gone;
  std::vector<Finding> findings;  ///< that were not there at any look before, the worst first
  std::size_t followed = 0;       ///< connections, by now
};

}  // namespace rocescope
