// The verdict on a packet of a connection.
#pragma once

#include "rocescope/tracker.hpp"
#include "tracking/requests/requester.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Fills in what a request or response means in its connection, which `tracked` names. The tracker lends `news`;
/// references from `tracked` into it last until the next call.
void judge(TrackedPacket& tracked, const TrackOptions& options, StreamNews& news);

}  // namespace rocescope
