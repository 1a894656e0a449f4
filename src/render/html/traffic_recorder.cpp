#include "render/html/traffic_recorder.hpp"

namespace rocescope::render {

void TrafficRecorder::add(const PacketRecord& record) {
  constexpr std::uint8_t kTcp = 6;
  const Packet& packet = *record.packet;
  marks_.add(record);
  if (packet.is_roce() || record.repeated) return;
  const Sent sent{.packets = 1, .wire_bytes = packet.wire_length};
  add(packet, sent, packet.ip_protocol == kTcp ? &HostTraffic::tcp : &HostTraffic::other);
}

void TrafficRecorder::add_roce(const Packet& packet, const Sent& sent) { add(packet, sent, &HostTraffic::roce); }

void TrafficRecorder::add(const Packet& packet, const Sent& sent, RateSeries HostTraffic::*kind) {
  (all_.*kind).add(packet.frame.timestamp, sent, interval_, kMostBuckets);
  if (packet.source == IpAddress() && packet.destination == IpAddress()) return;
  const Direction direction{packet.source, packet.destination, packet.overlay_id};
  auto found = hosts_.find(direction);
  if (found == hosts_.end() && hosts_.size() < kMostDirections) found = hosts_.try_emplace(direction).first;
  if (found == hosts_.end()) return;
  (found->second.*kind).add(packet.frame.timestamp, sent, interval_, kMostBuckets);
}

}  // namespace rocescope::render
