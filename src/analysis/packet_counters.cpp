#include "analysis/packet_counters.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {

CaptureCounter& PacketCounters::of_capture(std::uint32_t capture) {
  if (capture >= by_capture_.size()) by_capture_.resize(capture + 1U);
  return by_capture_[capture];
}

void PacketCounters::add(const PacketRecord& record) {
  of_capture(record.packet->frame.capture_id).add(record);
  all_.add(record);
  if (record.packet->is_roce()) {
    const std::size_t point = record.packet->frame.capture_point - 1U;
    if (point >= by_point_.size()) by_point_.resize(point + 1);
    by_point_[point].add(record.packet->wire_length);
  }
  start_ = record.first_timestamp;
  protocols_.add(record);
  icrc_.add(record);
  stops_.add(record);
  if (record.repeated) return;
  operations_.add(record);
  flows_.add(record);
  ud_flows_.add(record);
  cm_.add(record);
}

void PacketCounters::add(std::span<const ExpressPacket> packets, std::uint32_t capture) {
  CaptureCounter& counter = of_capture(capture);
  CaptureCounter::Express sum;
  std::int64_t previous = packets.front().time;
  const auto advance = [&] {
    counter.advance(previous);
    all_.advance(previous);
  };
  const auto observe = [&](std::int64_t time) {
    counter.observe(time);
    all_.observe(time);
  };
  observe(previous);
  for (const ExpressPacket& packet : packets) {
    sum.traffic.add(packet.wire_length);
    sum.captured_bytes += packet.captured;
    if (packet.is_cut()) ++sum.cut_packets;
    by_point_[packet.capture_point - 1U].add(packet.wire_length);
    Express& express =
        express_of(packet.shape, static_cast<std::size_t>(packet.icrc_status()), packet.is_cut(), packet.code);
    express.traffic.add(packet.wire_length);
    express.payload_bytes += packet.payload;
    if (packet.time < previous) {
      advance();
      observe(packet.time);
    }
    previous = packet.time;
  }
  advance();
  counter.add(sum);
  all_.add(sum);
}

/// Packets of their flows and of their shape came the full way before. So nothing is new in any table but that of opcodes, which has room
/// for all.
void PacketCounters::settle() {
  for (std::size_t i = 0; i < express_.size(); ++i) {
    const Express counted = std::exchange(express_[i], {});
    if (counted.traffic.packets == 0) continue;
    const auto code = static_cast<std::uint8_t>(i % 32);
    const bool cut = (i / 32) % 2 != 0;
    const auto icrc = static_cast<IcrcStatus>(i / 64 % kIcrcStatuses);
    const std::size_t shape = i / 64 / kIcrcStatuses;
    operations_.add(opcode_info(code), counted.traffic, counted.payload_bytes);
    icrc_.add(icrc, StopReason::kTruncated, counted.traffic.packets);
    if (cut) stops_.add(StopReason::kTruncated, HeaderKind::kPayload, counted.traffic.packets);
    Packet packet;
    const auto add = [&packet](HeaderKind kind) { packet.layer_storage[packet.layer_count++].kind = kind; };
    add(HeaderKind::kEthernet);
    if ((shape & 2U) != 0) add(HeaderKind::kVlan);
    add((shape & 1U) != 0 ? HeaderKind::kIpv6 : HeaderKind::kIpv4);
    add(HeaderKind::kUdp);
    add(HeaderKind::kBth);
    packet.roce.encapsulation = (shape & 1U) != 0 ? Encapsulation::kRoceV2Ipv6 : Encapsulation::kRoceV2Ipv4;
    protocols_.add(packet, counted.traffic);
  }
}

void PacketCounters::evict(std::int64_t idle_since) {
  flows_.evict(idle_since);
  other_flows_.evict(idle_since);
  ud_flows_.evict(idle_since);
}

void PacketCounters::report(Report& report) {
  settle();
  for (std::size_t i = 0; i < std::min(report.captures.size(), by_capture_.size()); ++i) {
    report.captures[i].totals = by_capture_[i].totals();
  }
  for (std::size_t i = 0; i < std::min(report.capture_points.size(), by_point_.size()); ++i) {
    report.capture_points[i].roce = by_point_[i];
  }
  report.totals = all_.totals();
  report.start = start_;
  report.protocols = protocols_.protocols();
  report.untracked_protocols = protocols_.untracked();
  report.other_packets = protocols_.other_packets();
  report.operations = operations_.counts();
  report.ud_flows = ud_flows_.flows();
  report.untracked_ud_flows = ud_flows_.untracked();
  report.flows = std::move(flows_).flows();
  report.untracked_flows = flows_.untracked();
  report.cm_events = cm_.events();
  report.unlisted_cm_events = cm_.unlisted();
  report.icrc = icrc_.totals();
  report.stops = stops_.counts();
  report.evicted.flows = flows_.evicted();
  report.evicted.ud_flows = ud_flows_.evicted();
}

}  // namespace rocescope
