// What packets of no connection show.
#pragma once

#include <cstdint>

#include "rocescope/breach.hpp"
#include "rocescope/finding.hpp"

namespace rocescope {

struct Unplaced {
  Sightings sightings;
  Breaches breaches;
  std::uint64_t connection_packets = 0;  ///< of connections that came when there were too many
  std::uint64_t handshake_messages = 0;  ///< of handshakes that came when there were too many
};

}  // namespace rocescope
