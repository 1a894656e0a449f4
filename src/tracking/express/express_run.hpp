// Packets that passed on the express lane, for those who count flows.
#pragma once

#include <cstdint>
#include <functional>

#include "rocescope/psn.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Packets, none with a lower PSN than the one before it.
struct PsnRun {
  std::uint64_t packets = 0;
  Psn first;
  Psn last;
  std::uint64_t psns = 0;  ///< from the first to the last

  void add(Psn psn) noexcept { add(psn, psn, 1); }
  /// `count` of them, from one to another.
  void add(Psn from, Psn to, std::uint64_t count) noexcept {
    if (packets == 0) first = last = from;
    psns += static_cast<std::uint64_t>(last.distance_to(to));
    packets += count;
    last = to;
  }
};

/// Packets of one direction of a connection, one after the other.
struct ExpressRun {
  FlowKey key;
  std::int64_t last_time = 0;  ///< ns since 1970
  PsnRun requests;
  PsnRun responses;
  std::uint64_t bad_packets = 0;  ///< with a wrong ICRC
  std::uint64_t wire_bytes = 0;
  std::uint64_t payload_bytes = 0;
};
using ExpressVisitor = std::function<void(const ExpressRun& run)>;

}  // namespace rocescope
