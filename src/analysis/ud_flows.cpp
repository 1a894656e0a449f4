#include "analysis/ud_flows.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "rocescope/headers/extended_transport.hpp"
#include "sorting/sort.hpp"
#include "tracking/room.hpp"

namespace rocescope {

void UdFlows::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  constexpr std::uint32_t kLastManagementQp = 1;
  if (!packet.is_roce() || packet.roce.opcode->transport != Transport::kUd ||
      packet.roce.opcode->operation != Operation::kSend || packet.roce.dest_qp.value() <= kLastManagementQp) {
    return;
  }
  const auto deth = packet.header<Deth>();
  if (!deth) return;  // cut: the sending queue pair is unknown
  const Key key{FlowKey::of(packet), deth->src_qp()};
  if (!flows_.contains(key) && flows_.size() >= max_flows_) return untracked_.add(packet.wire_length);
  const auto [place, is_new] = flows_.try_emplace(key);
  UdFlow& flow = place->second;
  if (is_new) {
    flow = {.source = key.flow.source,
            .destination = key.flow.destination,
            .source_qp = key.source_qp,
            .dest_qp = key.flow.dest_qp,
            .overlay_id = key.flow.overlay_id,
            .q_key = deth->q_key(),
            .first_time = packet.frame.timestamp,
            .last_time = packet.frame.timestamp};
  }
  flow.traffic.add(packet.wire_length);
  flow.payload_bytes += packet.roce.payload_length;
  if (packet.roce.opcode->immediate) ++flow.immediate_messages;
  if (record.icrc.status == IcrcStatus::kBad) ++flow.icrc_bad_messages;
  flow.first_time = std::min(flow.first_time, packet.frame.timestamp);
  flow.last_time = std::max(flow.last_time, packet.frame.timestamp);
}

void UdFlows::evict(std::int64_t idle_since) {
  std::vector<std::int64_t> times;
  times.reserve(flows_.size());
  for (const auto& [key, flow] : flows_) times.push_back(flow.last_time);
  const std::int64_t before = leave_before(std::move(times), max_flows_, idle_since);
  std::erase_if(flows_, [&](const auto& entry) {
    const UdFlow& flow = entry.second;
    if (flow.last_time >= before) return false;
    evicted_.add(flow);
    return true;
  });
}

std::vector<UdFlow> UdFlows::flows() const {
  std::vector<UdFlow> flows;
  flows.reserve(flows_.size());
  for (const auto& [key, flow] : flows_) flows.push_back(flow);
  sort(flows);
  return flows;
}

void UdFlows::sort(std::vector<UdFlow>& flows) {
  sorting::sort(flows, [](const UdFlow& a, const UdFlow& b) {
    if (a.traffic.packets != b.traffic.packets) return a.traffic.packets > b.traffic.packets;
    return std::tie(a.source, a.destination, a.source_qp, a.dest_qp, a.overlay_id) <
           std::tie(b.source, b.destination, b.source_qp, b.dest_qp, b.overlay_id);
  });
}

}  // namespace rocescope
