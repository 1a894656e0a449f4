// Flow control of Ethernet: PFC (IEEE 802.1Qbb) and PAUSE (IEEE 802.3 31B).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rocescope/bytes.hpp"

namespace rocescope {

/// What one port asked its neighbour to do with one class of traffic. An XOFF asks for silence for a number of quanta of 512
/// bit times, which a further one renews; an XON (0 quanta) ends it.
struct PauseTotals {
  ByteArray<6> source{};                 ///< MAC address of the port that asked
  std::optional<std::uint8_t> priority;  ///< 0 to 7; none: PAUSE, the whole link

  std::uint64_t xoff = 0;    ///< frames with a time above 0 for the class
  std::uint64_t xon = 0;     ///< frames with the time 0
  std::uint64_t quanta = 0;  ///< that the XOFFs asked for, added up
  std::uint64_t pauses = 0;  ///< runs of XOFFs that renew each other
  std::uint64_t ended = 0;   ///< pauses that an XON ended
  /// Nanoseconds that the class was asked to be silent. Without TrackOptions::link_speed only of pauses that an XON ended,
  /// taken to last until then.
  std::uint64_t paused = 0;
  std::uint64_t longest = 0;  ///< the same, of one pause
  std::uint64_t first_packet = 0;
  std::int64_t first_time = 0;  ///< nanoseconds since 1970
  std::int64_t last_time = 0;
};

}  // namespace rocescope
