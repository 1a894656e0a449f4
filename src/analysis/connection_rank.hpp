// What connections are sorted by.
#pragma once

#include <cstdint>

#include "rocescope/connection.hpp"

namespace rocescope {

/// What an engineer wants to see first: packets that were sent again, and what the other side refused.
[[nodiscard]] inline std::uint64_t trouble_packets(const Connection& connection) {
  std::uint64_t packets = 0;
  for (const ConnectionSide& side : connection.sides) {
    packets += side.verdicts(VerdictKind::kRetransmission) + side.fatal_naks() + side.rnr_naks();
  }
  return packets;
}

/// Of both directions.
[[nodiscard]] inline std::uint64_t wire_bytes(const Connection& connection) noexcept {
  return connection.sides[0].traffic.bytes + connection.sides[1].traffic.bytes;
}

}  // namespace rocescope
