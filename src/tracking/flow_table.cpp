#include "flow_table.hpp"

#include <algorithm>
#include <tuple>

namespace rocescope {

bool FlowTable::is(const Flow& flow, const FlowKey& key) noexcept {
  return flow.dest_qp == key.dest_qp && flow.source == key.source && flow.destination == key.destination &&
         flow.overlay_id == key.overlay_id;
}

void FlowTable::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return;
  const FlowKey key = FlowKey::of(packet);
  auto* const known = by_connection_.sides(record.verdict.connection);
  if (known != nullptr) {
    for (const std::uint32_t number : *known) {
      if (number != kNone && is(states_[number].flow, key)) return count(states_[number], record);
    }
  }
  const std::optional<std::uint32_t> number = find(key, packet);
  if (!number) return untracked_.add(packet.wire_length);
  if (known != nullptr) (*known)[(*known)[0] == kNone ? 0 : 1] = *number;
  count(states_[*number], record);
}

/// The number of the flow, made where it is new; none where there are too many.
std::optional<std::uint32_t> FlowTable::find(const FlowKey& key, const Packet& packet) {
  const std::uint64_t hash = FlowKeyHash{}(key);
  const auto is_its = [&](std::uint32_t number) { return is(states_[number].flow, key); };
  if (const auto found = index_.find(hash, is_its)) return found;
  if (states_.size() >= max_flows_) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(states_.size());
  index_.set(hash, number, is_its);
  Flow& flow = states_.emplace_back().flow;
  flow.source = key.source;
  flow.destination = key.destination;
  flow.dest_qp = key.dest_qp;
  flow.overlay_id = key.overlay_id;
  flow.encapsulation = packet.roce.encapsulation;
  flow.source_port = packet.roce.udp_source_port;
  flow.first_time = flow.last_time = packet.frame.timestamp;
  return number;
}

void FlowTable::count(State& state, const PacketRecord& record) {
  const Packet& packet = *record.packet;
  const OpcodeInfo& opcode = *packet.roce.opcode;
  Flow& flow = state.flow;
  flow.traffic.add(packet.wire_length);
  flow.payload_bytes += packet.roce.payload_length;
  flow.transports.insert(opcode.transport);
  flow.first_time = std::min(flow.first_time, packet.frame.timestamp);
  flow.last_time = std::max(flow.last_time, packet.frame.timestamp);
  if (record.icrc.status == IcrcStatus::kBad) ++flow.icrc_bad_packets;
  if (record.true_source_port) {
    ++flow.rewritten_packets;
    if (!flow.true_source_port) flow.true_source_port = record.true_source_port;
  }
  if (opcode.operation == Operation::kCnp) {
    ++flow.cnp_packets;
  } else if (opcode.request) {
    advance(flow.requests, state.requests, packet.roce.psn);
  } else if (opcode.operation != Operation::kReserved) {
    advance(flow.responses, state.responses, packet.roce.psn);
  }
}

void FlowTable::advance(PsnRange& range, Course& course, Psn psn) noexcept {
  if (range.packets++ == 0) {
    range.first = range.last = range.lowest = range.highest = psn;
    range.span = 1;
    return;
  }
  course.position += range.last.distance_to(psn);
  range.last = psn;
  if (course.position < course.lowest) {
    course.lowest = course.position;
    range.lowest = psn;
  }
  if (course.position > course.highest) {
    course.highest = course.position;
    range.highest = psn;
  }
  range.span = static_cast<std::uint64_t>(course.highest - course.lowest) + 1;
}

std::deque<Flow> FlowTable::flows() && {
  std::deque<Flow> flows;
  for (; !states_.empty(); states_.pop_front()) flows.push_back(states_.front().flow);
  std::sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) {
    if (a.traffic.bytes != b.traffic.bytes) return a.traffic.bytes > b.traffic.bytes;
    return std::tie(a.source, a.destination, a.dest_qp, a.overlay_id) <
           std::tie(b.source, b.destination, b.dest_qp, b.overlay_id);
  });
  return flows;
}

}  // namespace rocescope
