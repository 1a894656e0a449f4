#include "analysis/flow_table.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/header_checksum.hpp"
#include "sorting/sort.hpp"
#include "tracking/room.hpp"

namespace rocescope {

bool FlowTable::is(const Flow& flow, const FlowKey& key) noexcept {
  return flow.dest_qp == key.dest_qp && flow.source == key.source && flow.destination == key.destination &&
         flow.overlay_id == key.overlay_id;
}

void FlowTable::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return;
  const FlowKey key = key_of(packet);
  auto* const known = by_connection_.sides(record.verdict.connection);
  if (known != nullptr) {
    for (const std::uint32_t number : *known) {
      if (number == kNone) continue;
      State& state = states_[number];
      if (is(state.flow, key)) return count(state, record);
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
  if (vacant_.empty()) {
    if (states_.size() >= max_flows_) return std::nullopt;
    vacant_.push_back(static_cast<std::uint32_t>(states_.size()));
    states_.emplace_back();
  }
  const std::uint32_t number = vacant_.back();
  vacant_.pop_back();
  states_[number] = {};
  index_.set(hash, number, is_its);
  Flow& flow = states_[number].flow;
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
  const bool all_wrong = flow.wrong_header_packets + 1 == flow.traffic.packets;
  if (all_wrong && record.icrc.status != IcrcStatus::kGood && has_wrong_checksum(packet.roce, packet.frame.data))
    ++flow.wrong_header_packets;
  if (record.true_source_port) {
    ++flow.rewritten_packets;
    if (!flow.true_source_port) flow.true_source_port = record.true_source_port;
  }
  const PsnRun one{.packets = 1, .first = packet.roce.psn, .last = packet.roce.psn};
  if (opcode.operation == Operation::kCnp) {
    ++flow.cnp_packets;
  } else if (opcode.request) {
    advance(flow.requests, state.requests, one);
  } else if (opcode.operation != Operation::kReserved) {
    advance(flow.responses, state.responses, one);
  }
}

void FlowTable::advance(PsnRange& range, Course& course, const PsnRun& run) noexcept {
  if (run.packets == 0) return;
  if (range.packets == 0) range.first = range.last = range.lowest = range.highest = run.first;
  range.packets += run.packets;
  course.position += range.last.distance_to(run.first);
  if (course.position < course.lowest) {
    course.lowest = course.position;
    range.lowest = run.first;
  }
  range.last = run.last;
  course.position += static_cast<std::int64_t>(run.psns);
  if (course.position > course.highest) {
    course.highest = course.position;
    range.highest = range.last;
  }
  range.span = static_cast<std::uint64_t>(course.highest - course.lowest) + 1;
}

void FlowTable::add(const ExpressRun& run) {
  FlowKey key = run.key;
  key.capture_point = {};
  const auto number =
      index_.find(FlowKeyHash{}(key), [&](std::uint32_t other) { return is(states_[other].flow, key); });
  if (!number) {
    untracked_.packets += run.requests.packets + run.responses.packets;
    untracked_.bytes += run.wire_bytes;
    return;
  }
  State& state = states_[*number];
  Flow& flow = state.flow;
  flow.traffic.packets += run.requests.packets + run.responses.packets;
  flow.traffic.bytes += run.wire_bytes;
  flow.payload_bytes += run.payload_bytes;
  flow.icrc_bad_packets += run.bad_packets;
  flow.last_time = std::max(flow.last_time, run.last_time);
  advance(flow.requests, state.requests, run.requests);
  advance(flow.responses, state.responses, run.responses);
}

void FlowTable::evict(std::int64_t idle_since) {
  std::vector<std::int64_t> times;
  times.reserve(states_.size());
  for (const State& state : states_) {
    if (state.flow.overlay_id != kNobody) times.push_back(state.flow.last_time);
  }
  const std::int64_t before = leave_before(std::move(times), max_flows_, idle_since);
  for (std::uint32_t number = 0; number < states_.size(); ++number) {
    Flow& flow = states_[number].flow;
    if (flow.overlay_id == kNobody || flow.last_time >= before) continue;
    evicted_.add(flow);
    index_.erase(FlowKeyHash{}(key_of(flow)), [=](std::uint32_t other) { return other == number; });
    flow.overlay_id = kNobody;
    vacant_.push_back(number);
  }
}

std::deque<Flow> FlowTable::flows() && {
  std::deque<Flow> flows;
  for (; !states_.empty(); states_.pop_front()) {
    if (states_.front().flow.overlay_id != kNobody) flows.push_back(states_.front().flow);
  }
  sort(flows);
  return flows;
}

void FlowTable::sort(std::deque<Flow>& flows) {
  sorting::sort(flows, [](const Flow& a, const Flow& b) {
    if (a.traffic.bytes != b.traffic.bytes) return a.traffic.bytes > b.traffic.bytes;
    return std::tie(a.source, a.destination, a.dest_qp, a.overlay_id) <
           std::tie(b.source, b.destination, b.dest_qp, b.overlay_id);
  });
}

}  // namespace rocescope
