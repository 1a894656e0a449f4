// What packets lack that the capture cut.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "rocescope/report.hpp"

namespace rocescope::text {

/// Packets by the first thing that is not there, or not all of it.
struct CutPackets {
  std::uint64_t all = 0;
  std::uint64_t first_packet = 0;  ///< number of the first frame; 0: none
  /// `5 lack the CM message; 41 lack extended headers (41 RETH); 75 lack payload or the ICRC`; empty where `all` is 0.
  std::string lacks;
};

[[nodiscard]] CutPackets cut_packets(std::span<const StopCount> stops);

}  // namespace rocescope::text
