// The verdict on a packet of a connection.
#pragma once

#include "rocescope/tracker.hpp"
#include "tracking/requests/requester.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Fills in what a request or response says in its connection, which `tracked` has. `news` is lent by the tracker; what `tracked`
/// shows of it lasts until the next call.
void judge(TrackedPacket& tracked, const TrackOptions& options, StreamNews& news);

}  // namespace rocescope
