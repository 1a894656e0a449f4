// What goes wrong on connections, noted with the packets that show it.
#pragma once

#include "rocescope/finding.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Notes evidence for findings from the verdict on a packet and from what it says: in its connection, by the side whose
/// requests it is about; in `others` when it belongs to none.
void note_trouble(const TrackedPacket& tracked, Sightings& others);

}  // namespace rocescope
