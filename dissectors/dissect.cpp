// The entry: one frame in, one packet out.
#include "rocescope/dissect.hpp"

#include "dissectors.hpp"

namespace rocescope {

void dissect(const Frame& frame, Packet& packet, const DissectOptions& options) noexcept {
  packet.frame = frame;
  packet.roce = {};
  packet.source = packet.destination = {};
  packet.overlay_id = 0;
  packet.traffic_class = packet.ip_protocol = packet.tunnel_depth = packet.layer_count = 0;
  packet.stop = {};
  packet.partial = {};
  dissectors::Dissection d(packet, options);
  dissectors::dissect_link(d, frame.link_type);
  dissectors::dissect_trailer(d);
}

}  // namespace rocescope
