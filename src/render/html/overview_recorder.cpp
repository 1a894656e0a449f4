#include "render/html/overview_recorder.hpp"

namespace rocescope::render {

void OverviewRecorder::add(const PacketRecord& record) {
  constexpr std::uint8_t kTcp = 6;
  const Packet& packet = *record.packet;
  marks_.add(record);
  messages_.add(record);
  if (packet.is_roce() || record.repeated) return;
  const Sent sent{.packets = 1, .wire_bytes = packet.wire_length};
  const auto add_to = [&](OtherTraffic& traffic) {
    RateSeries& rates = packet.ip_protocol == kTcp ? traffic.tcp : traffic.other;
    rates.add(packet.frame.timestamp, sent, interval_, kMostBuckets);
  };
  add_to(all_others_);
  if (packet.source == IpAddress() && packet.destination == IpAddress()) return;
  const Direction direction{packet.source, packet.destination, packet.overlay_id};
  auto found = others_.find(direction);
  if (found == others_.end() && others_.size() < kMostDirections) found = others_.try_emplace(direction).first;
  if (found != others_.end()) add_to(found->second);
}

}  // namespace rocescope::render
