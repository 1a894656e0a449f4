// When a connection takes the express lane, and what it brings back from there.
#include <algorithm>

#include "tracking/express/express_lane.hpp"

namespace rocescope {

void ExpressSide::find_counts(ConnectionSide& facts) {
  for (const Operation operation : {Operation::kSend, Operation::kWrite}) {
    operations[index_of(operation)] = facts.operations.find(operation);
  }
  message_times = facts.times.find(TimeKind::kMessageTime);
  ack_latencies = facts.times.find(TimeKind::kAckLatency);
}

void ExpressLane::settle(ConnectionState& state) {
  state.on_express_lane = false;
  ExpressConnection& connection = *at(state.slot);
  connection.armed = false;
  state.facts.last_time = std::max(state.facts.last_time, connection.last_time);
  for (std::size_t side = 0; side < 2; ++side) settle_side(connection, side);
}

void ExpressLane::settle_side(ExpressConnection& connection, std::size_t sender) {
  ExpressSide& side = connection.sides[sender];
  ConnectionState& state = *connection.state;
  ConnectionSide& facts = state.facts.sides[sender];
  flush(connection, sender);
  observers_.get<HostTable>().add_counts(state, sender, side.requests + side.responses, side.writes);
  facts.traffic.packets += side.requests + side.responses;
  facts.traffic.bytes += side.wire_bytes;
  CongestionWatch& congestion = observers_.get<CongestionWatch>();
  congestion.count(PacketRole::kAck, ExpressPacket::ecn_of(side.response_likeness),
                   ExpressPacket::class_of(side.response_likeness), side.responses);
  if (side.requests > 0) {
    const Ecn ecn = ExpressPacket::ecn_of(side.request_likeness);
    congestion.count(PacketRole::kData, ecn, ExpressPacket::class_of(side.request_likeness), side.requests);
    facts.ecn.packets[static_cast<std::size_t>(ecn)] += side.requests;
    facts.last_data_time = side.last_data_time;
    if (side.slot_bytes > 0) side.meter->add(side.slot_time, side.slot_bytes, window_);
    Conformance::Chain& chain = state.conformance.senders[sender].requests;
    chain.bytes = side.message_bytes;
    chain.dma_length = side.dma_length;
    chain.has_dma_length = side.has_dma_length;
    chain.last = side.last_opcode;
    chain.next = side.stream.next;
  }
  if (visitor_ && side.requests + side.responses > 0) report(connection, sender);
  if (side.is_answered) state.requesters[sender].get()->take_back(side.stream);
}

void ExpressLane::report(const ExpressConnection& connection, std::size_t sender) const {
  const ExpressSide& side = connection.sides[sender];
  const ExpressSide& receiver = connection.sides[1 - sender];
  visitor_({.key = {side.address, receiver.address, receiver.qpn, connection.overlay_id, connection.capture_point},
            .last_time = side.packet_time,
            .requests = side.requests,
            .responses = side.responses,
            .wire_bytes = side.wire_bytes,
            .payload_bytes = side.requests > 0 ? side.stream.payload : 0,
            .first_request = side.first_request,
            .first_response = side.first_response,
            .response_psns = side.response_psns});
}

/// Whether anything about the connection as a whole is unusual.
ExpressReason ExpressLane::look_at(const ConnectionState& state) const {
  const Connection& facts = state.facts;
  if (facts.transport != Transport::kRc || facts.paired_by == PairedBy::kNothing || facts.partial || facts.repeated) {
    return ExpressReason::kUnready;
  }
  if (state.uncounted.get() != nullptr || state.stray) return ExpressReason::kUnready;
  const Lifetime* const life = state.life.get();
  if (life != nullptr && (life->closed || life->waits || life->doubt != nullptr)) return ExpressReason::kUnready;
  if (const ReadDepth::State* const reads = state.reads.get()) {
    if (!(*reads)[0].ends.empty() || !(*reads)[1].ends.empty()) return ExpressReason::kReads;
  }
  const Conformance::State& rules = state.conformance;
  if (rules.stray.get() != nullptr || rules.transport != facts.transport) return ExpressReason::kUnready;
  if (facts.handshake != 0 && !state.progress.has_data) return ExpressReason::kUnready;
  return ExpressReason::kNone;
}

ExpressConnection& ExpressLane::make(ConnectionState& state) {
  if (state.slot >= connections_.size()) connections_.resize(state.slot + 1U);
  std::unique_ptr<ExpressConnection>& place = connections_[state.slot];
  if (!place || place->number != state.facts.number || place->state != &state) {
    place = std::make_unique<ExpressConnection>();
    place->state = &state;
    place->number = state.facts.number;
  }
  return *place;
}

void ExpressLane::forget_likeness() {
  for (const std::unique_ptr<ExpressConnection>& connection : connections_) {
    if (connection == nullptr) continue;
    for (ExpressSide& side : connection->sides) side.request_likeness = side.response_likeness = 0;
  }
}

void ExpressLane::refuse(const ConnectionState& state, ExpressReason reason) {
  if (state.slot >= refusals_.size()) refusals_.resize(state.slot + 1U, ExpressReason::kUnknown);
  refusals_[state.slot] = reason;
}

ExpressReason ExpressLane::try_to_arm(const TrackedPacket& tracked) {
  if (!tracked.counts || tracked.record.repeated) return ExpressReason::kCopies;
  const VerdictKind kind = tracked.verdict.kind;
  if (kind != VerdictKind::kInOrder && kind != VerdictKind::kResponse) return ExpressReason::kUnusual;
  ConnectionState& state = *tracked.state;
  if (state.on_express_lane) return ExpressReason::kNone;
  ExpressPacket packet;
  if (const ExpressReason reason = look_at(state); reason != ExpressReason::kNone) return reason;
  if (!table_.leads_to(state)) return ExpressReason::kUnready;
  if (read_express(tracked.packet().frame, packet) != ExpressReason::kNone) return ExpressReason::kUnusual;
  packet.set_icrc(tracked.record.icrc);
  if (packet.icrc_status == IcrcStatus::kBad) return ExpressReason::kUnusual;
  if (packet.icrc_status == IcrcStatus::kGood && state.wrong_icrcs[tracked.sender] != ConnectionState::kHadGoodIcrc)
    return ExpressReason::kUnusual;
  const std::uint16_t p_key = ExpressPacket::p_key_of(packet.likeness);
  constexpr unsigned kWithoutMembership = 0x7FFF;
  if (((p_key ^ state.conformance.p_key.value_or(p_key)) & kWithoutMembership) != 0) return ExpressReason::kUnusual;

  ExpressConnection& connection = make(state);
  ExpressSide& sender = connection.sides[tracked.sender];
  (packet.opcode->request ? sender.request_likeness : sender.response_likeness) = packet.likeness;
  connection.overlay_id = state.facts.overlay_id;
  connection.capture_point = state.facts.capture_point;
  connection.last_time = state.facts.last_time;
  for (std::size_t side = 0; side < 2; ++side) {
    connection.sides[side].refusal = arm_side(state, connection, side);
  }
  connection.armed = state.on_express_lane = connection.sides[0].is_answered || connection.sides[1].is_answered;
  return ExpressReason::kNone;
}

ExpressReason ExpressLane::arm_side(ConnectionState& state, ExpressConnection& connection, std::size_t side) {
  ConnectionSide& facts = state.facts.sides[side];
  ExpressSide& express = connection.sides[side];
  express.address = facts.address;
  express.qpn = facts.qpn.value_or(Qpn());
  express.last_data_time = facts.last_data_time;
  express.requests = express.responses = express.wire_bytes = express.writes = express.response_psns = 0;
  express.bucket = 0;
  express.sent = {};
  express.slot = express.slot_bytes = 0;
  express.passes = express.is_answered = false;

  Requester* const requester = state.requesters[side].get();
  if (requester == nullptr || !observers_.get<StateWatcher>().is_plain(state, side)) return ExpressReason::kUnready;
  if (!requester->lend(express.stream)) return ExpressReason::kOpen;
  express.is_answered = true;
  express.find_counts(facts);
  Congestion* const congestion = facts.congestion.get();
  express.meter = congestion == nullptr ? nullptr : &congestion->running.sent;
  if (congestion != nullptr && (congestion->running.after || !congestion->running.sent.started())) {
    return ExpressReason::kCongestion;
  }
  if (express.request_likeness == 0) return ExpressReason::kUnready;
  if (facts.data_class != ExpressPacket::class_of(express.request_likeness)) return ExpressReason::kLikeness;
  const Conformance::Chain& chain = state.conformance.senders[side].requests;
  if (!chain.last || chain.next != express.stream.next) return ExpressReason::kChain;
  const Position last = opcode_info(*chain.last).position;
  const bool is_open = last == Position::kFirst || last == Position::kMiddle;
  if (is_open != express.stream.is_open()) return ExpressReason::kChain;
  const std::uint32_t known = state.facts.path_mtu != 0 ? state.facts.path_mtu : state.conformance.mtus[side];
  if (known != 0 && requester->mtu() != known) return ExpressReason::kChain;
  express.mtu = known;
  express.last_opcode = *chain.last;
  express.message_bytes = chain.bytes;
  express.has_dma_length = chain.has_dma_length;
  express.dma_length = chain.dma_length;
  const ConnectionState::Progress& progress = state.progress;
  express.takes_keys = state.facts.handshake == 0 || progress.tries[side] >= HandshakeFollower::kMostTries;
  express.passes = true;
  return ExpressReason::kNone;
}

}  // namespace rocescope
