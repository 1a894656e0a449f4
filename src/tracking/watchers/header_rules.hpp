// Rules that a packet keeps or breaks by itself.
#pragma once

#include "rocescope/breach.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Checks a RoCE packet. Where its bytes are not all here, those that are. NVIDIA's DC transport and manufacturers' opcodes
/// are their makers' own: of these the BTH.
void check_headers(const TrackedPacket& tracked, Breaches& breaches);

}  // namespace rocescope
