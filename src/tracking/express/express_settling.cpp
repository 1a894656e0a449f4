// When a connection takes the express lane, and what it brings back from there.
#include <algorithm>

#include "tracking/express/express_lane.hpp"
#include "tracking/watchers/payload_watch.hpp"

namespace rocescope {
namespace {

/// Whether packets like this have the partition of those before; their membership may differ.
bool has_p_key_of(const ConnectionState& state, std::uint64_t likeness) noexcept {
  constexpr unsigned kWithoutMembership = 0x7FFF;
  const std::uint16_t p_key = ExpressPacket::p_key_of(likeness);
  return ((p_key ^ state.conformance.p_key.value_or(p_key)) & kWithoutMembership) == 0;
}

/// Whether a side sent packets with a wrong ICRC, and the next may show that it computes none: until that is known,
/// each packet goes the full way.
bool is_in_doubt_about_icrc(const ConnectionState& state) noexcept {
  return std::ranges::any_of(
      state.wrong_icrcs, [](std::uint8_t wrong) { return wrong > 0 && wrong < ConnectionState::kSendsWithoutIcrc; });
}

/// The first request of a kind is mostly like those of the other kind, and the first ACK like READ responses. The first READ response
/// is not supposed to be like ACKs: it may be the first data of its side, which are news.
void suppose_likenesses(ExpressSide& side) noexcept {
  const auto of = [&side](ExpressKind kind) -> std::uint64_t& {
    return side.likenesses[static_cast<std::size_t>(kind)];
  };
  const auto suppose = [&of](ExpressKind kind, ExpressKind like) {
    if (of(kind) == 0) of(kind) = of(like);
  };
  suppose(ExpressKind::kSendOrWrite, ExpressKind::kReadRequest);
  suppose(ExpressKind::kReadRequest, ExpressKind::kSendOrWrite);
  suppose(ExpressKind::kAck, ExpressKind::kReadResponse);
}

}  // namespace

void ExpressSide::find_counts(ConnectionSide& facts) {
  for (const Operation operation : {Operation::kSend, Operation::kWrite, Operation::kReadRequest}) {
    operations[index_of(operation)] = facts.operations.find(operation);
  }
  for (std::size_t kind = 0; kind < kTimes; ++kind) times[kind] = facts.times.find(static_cast<TimeKind>(kind));
}

void ExpressSide::add_first_time(ConnectionSide& facts, TimeKind kind, std::int64_t ns) {
  if (counted == nullptr) counted = std::make_unique<Counted>();
  facts.times.add(kind, ns);
  find_counts(facts);
}

void ExpressSide::move_times() {
  if (counted == nullptr) return;
  for (const TimeKind kind :
       {TimeKind::kAckLatency, TimeKind::kReadFirst, TimeKind::kReadLast, TimeKind::kMessageTime}) {
    (*counted)[counted_of(kind)].move_to(times[static_cast<std::size_t>(kind)]);
  }
}

void ExpressSide::add_messages(ConnectionSide& facts, Operation operation, std::uint64_t bytes,
                               std::uint64_t messages) {
  OperationTotals* const known = operations[index_of(operation)];
  OperationTotals& totals = known != nullptr ? *known : facts.operations.at(operation);
  MessageCounter::count(totals, bytes, MessageOutcome::kCompleted, messages);
  if (known == nullptr) find_counts(facts);
}

void ExpressLane::settle(ConnectionState& state) {
  state.on_express_lane = false;
  ExpressConnection& connection = *at(state.slot);
  count_waiting(connection);
  connection.armed = false;
  state.facts.last_time = std::max(state.facts.last_time, connection.last_time);
  for (std::size_t side = 0; side < 2; ++side) settle_side(connection, side);
}

void ExpressLane::settle_side(ExpressConnection& connection, std::size_t sender) {
  ExpressSide& side = connection.sides[sender];
  ConnectionState& state = *connection.state;
  ConnectionSide& facts = state.facts.sides[sender];
  flush(connection, sender);
  side.move_times();
  const std::uint64_t packets = side.requests.packets + side.responses.packets;
  observers_.get<HostTable>().add_counts(
      state, sender,
      {.packets = packets,
       .bad_icrc = side.bad_packets(),
       .write_requests = side.writes,
       .read_requests = side.packets[static_cast<std::size_t>(ExpressKind::kReadRequest)]});
  facts.traffic.packets += packets;
  facts.traffic.bytes += side.wire_bytes;
  for (std::size_t kind = 0; kind < kExpressKinds; ++kind) {
    if (side.packets[kind] == 0) continue;
    const bool is_ack = kind == static_cast<std::size_t>(ExpressKind::kAck);
    const Ecn ecn = ExpressPacket::ecn_of(side.likenesses[kind]);
    observers_.get<CongestionWatch>().count(is_ack ? PacketRole::kAck : PacketRole::kData, ecn,
                                            ExpressPacket::class_of(side.likenesses[kind]), side.packets[kind]);
    if (!is_ack) facts.ecn.packets[static_cast<std::size_t>(ecn)] += side.packets[kind];
  }
  facts.last_data_time = side.last_data_time;
  if (side.slot_bytes > 0) side.meter->add(side.slot_time, side.slot_bytes, window_);
  if (side.requests.packets > 0) {
    Conformance::Chain& chain = state.conformance.senders[sender].requests;
    chain.bytes = side.message_bytes;
    chain.dma_length = side.dma_length;
    chain.has_dma_length = side.has_dma_length;
    chain.last = side.last_opcode;
    chain.next = side.stream.next;
  }
  if (side.packets[static_cast<std::size_t>(ExpressKind::kReadResponse)] > 0) {
    Conformance::Chain& chain = state.conformance.senders[sender].read_responses.make();
    chain.last = side.last_answer;
    chain.next = side.next_answer;
  }
  if (!side.reads.empty() || state.reads.get() != nullptr) state.reads.make()[sender] = std::move(side.reads);
  if (visitor_ && packets > 0) report(connection, sender);
  if (!std::exchange(side.stream.is_lent, false)) return;
  const ExpressSide& responder = connection.sides[1 - sender];
  state.requesters[sender].get()->take_back(side.stream, side.requests.packets, responder.responses.packets,
                                            responder.packets[static_cast<std::size_t>(ExpressKind::kAck)], news_);
}

void ExpressLane::report(const ExpressConnection& connection, std::size_t sender) const {
  const ExpressSide& side = connection.sides[sender];
  visitor_({.key = connection.key_of(sender),
            .last_time = side.packet_time,
            .requests = side.requests,
            .responses = side.responses,
            .bad_packets = side.bad_packets(),
            .wire_bytes = side.wire_bytes,
            .payload_bytes = side.payload_bytes});
}

/// Whether anything about the connection as a whole is unusual.
ExpressReason ExpressLane::look_at(const ConnectionState& state) const {
  const Connection& facts = state.facts;
  if (facts.transport != Transport::kRc || facts.paired_by == PairedBy::kNothing || facts.partial || facts.repeated) {
    return ExpressReason::kUnready;
  }
  if (state.uncounted.get() != nullptr || state.stray || facts.overlay_id != 0) return ExpressReason::kUnready;
  if (is_in_doubt_about_icrc(state)) return ExpressReason::kChecksum;
  const Lifetime* const life = state.life.get();
  if (life != nullptr && (life->closed || life->waits || life->doubt != nullptr)) return ExpressReason::kUnready;
  // The path MTU that one direction showed reaches the other direction with the next packet.
  const Requester* const one = state.requesters[0].get();
  const Requester* const other = state.requesters[1].get();
  const bool both = one != nullptr && other != nullptr;
  if (both && !state.shares_mtu && (one->mtu() == 0) != (other->mtu() == 0)) return ExpressReason::kUnready;
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
    for (ExpressSide& side : connection->sides) side.likenesses = {};
  }
}

/// The lane needs twice as much memory for a connection as its full state. If there are very many connections, only
/// those that go on get it. The more there are, the more packets it takes to decide that, since fresh memory costs the
/// most time.
bool ExpressLane::is_worth(const ConnectionState& state) {
  constexpr std::size_t kMany = 16'384;
  constexpr std::uint64_t kPackets = 6;
  if (!are_many_ && table_.size() <= kMany) return true;
  const std::uint64_t enough = std::max<std::uint64_t>(kPackets, table_.size() / (kMany / 2));
  const auto goes_on = [enough](const ConnectionState& it) {
    return it.facts.sides[0].traffic.packets + it.facts.sides[1].traffic.packets >= enough;
  };
  if (!std::exchange(are_many_, true)) {
    for (std::unique_ptr<ExpressConnection>& connection : connections_) {
      if (connection == nullptr || (connection->armed && goes_on(*connection->state))) continue;
      if (connection->armed) settle(*connection->state);
      connection.reset();
    }
  }
  return goes_on(state);
}

ExpressReason ExpressLane::try_to_arm(const TrackedPacket& tracked) {
  if (!tracked.counts || tracked.record.repeated) return ExpressReason::kCopies;
  const VerdictKind kind = tracked.verdict.kind;
  if (kind != VerdictKind::kInOrder && kind != VerdictKind::kResponse) return ExpressReason::kUnusual;
  ConnectionState& state = *tracked.state;
  if (state.on_express_lane) return ExpressReason::kNone;
  if (!is_worth(state)) return ExpressReason::kYoung;
  ExpressPacket packet;
  RocePacket roce;
  if (const ExpressReason reason = look_at(state); reason != ExpressReason::kNone) return reason;
  const Requester* const requester = state.requesters[tracked.requester].get();
  // The next packet most probably belongs to the same requests; without them, only those of the other side would be
  // lent.
  if (requester == nullptr || !requester->is_quiet()) return ExpressReason::kOpen;
  if (!table_.leads_to(state)) return ExpressReason::kUnready;
  if (read_express(tracked.packet().frame, packet, roce) != ExpressReason::kNone) return ExpressReason::kUnusual;
  packet.set_icrc(tracked.record.icrc);
  const std::uint8_t wrong = state.wrong_icrcs[tracked.sender];
  if (packet.icrc_status() == IcrcStatus::kGood && wrong != ConnectionState::kHadGoodIcrc) {
    return ExpressReason::kUnusual;
  }
  if (packet.icrc_status() == IcrcStatus::kBad) {
    const bool all_are = wrong >= ConnectionState::kSendsWithoutIcrc && wrong != ConnectionState::kHadGoodIcrc;
    if (packet.is_data() || !all_are) return ExpressReason::kChecksum;
  }
  if (!has_p_key_of(state, packet.likeness)) return ExpressReason::kUnusual;

  ExpressConnection& connection = make(state);
  ExpressSide& sender = connection.sides[tracked.sender];
  sender.likenesses[static_cast<std::size_t>(packet.kind)] = packet.likeness;
  connection.capture_point = state.facts.capture_point;
  connection.path_mtu = state.facts.path_mtu;
  connection.identity = PayloadWatch::identity_of(state.facts);  // another one if a packet is earlier than the first
  connection.last_time = state.facts.last_time;
  connection.is_outdated = true;
  connection.payload = interest_in(state);
  for (std::size_t side = 0; side < 2; ++side) {
    connection.sides[side].refusal = arm_side(state, connection, side);
  }
  connection.armed = state.on_express_lane = connection.sides[0].stream.is_lent || connection.sides[1].stream.is_lent;
  if (ReadDepth::State* const reads = state.reads.get(); connection.armed && reads != nullptr) {
    for (std::size_t side = 0; side < 2; ++side) connection.sides[side].reads = std::move((*reads)[side]);
  }
  return ExpressReason::kNone;
}

/// Nothing of the connection waits to be counted.
void ExpressLane::preview(ExpressConnection& connection) {
  connection.is_outdated = false;
  for (std::size_t side = 0; side < 2; ++side) preview(connection, side);
}

/// Packets wait only if the result does not depend on the order in which connections are counted: nobody is shown the
/// messages, and the memory is already known.
void ExpressLane::preview(ExpressConnection& connection, std::size_t requester) {
  constexpr std::uint32_t kFew = 64;
  ExpressSide& side = connection.sides[requester];
  const ExpressSide& responder = connection.sides[1 - requester];
  ExpressStream& stream = side.stream;
  ExpressPreview& preview = connection.previews[requester];
  ExpressReads& reads = connection.reads[requester];
  preview = {};
  reads = {};
  if (!stream.is_lent || stream.messages.size() > kFew || stream.now.reads > ExpressReads::kMost) return;
  if (stream.now.packets + ExpressLargeBlocks::kPackets > ExpressStream::kMostOutstanding) return;
  if (observers_.get<MessageVisits>().shows_all()) return;
  const std::optional<std::uint32_t> r_key = observers_.get<RegionTable>().last_key(connection.number, requester);
  for (std::uint32_t i = 0; i < stream.messages.size(); ++i) {
    const ExpressMessage& message = stream.messages.at(i);
    if (message.has_address && message.r_key != r_key) return;
    if (!message.is_read()) continue;
    const auto span = static_cast<std::uint32_t>(message.first_psn.distance_to(message.last_psn)) + 1;
    if (reads.count == ExpressReads::kMost || span > UINT16_MAX) return;
    reads.add(message.first_psn, span);
    if (reads.count > 1 || message.next_response == message.first_psn) continue;
    reads.next_response = message.next_response;
    reads.is_answering = true;
  }

  preview = {.likeness = side.likenesses[static_cast<std::size_t>(ExpressKind::kSendOrWrite)],
             .ack_likeness = responder.likenesses[static_cast<std::size_t>(ExpressKind::kAck)],
             .last_request = stream.last_request,
             .progress_at = stream.course.progress_at,
             .next = stream.next,
             .unacknowledged = stream.unacknowledged,
             .msn = stream.course.msn,
             .r_key = r_key.value_or(0),
             .message_bytes = side.message_bytes,
             .dma_length = side.dma_length,
             .mtu = side.mtu,
             .operation = stream.is_open() ? stream.messages.back().operation : Operation{},
             .takes_requests = side.passes && side.is_metered,
             .takes_acks = stream.has_course,
             .is_open = stream.is_open(),
             .sends_full = side.sends_full,
             .has_key = r_key && side.takes_keys,
             .has_dma_length = side.has_dma_length,
             .has_reads = reads.count > 0};
  reads.likeness = side.likenesses[static_cast<std::size_t>(ExpressKind::kReadRequest)];
  reads.answer_likeness = responder.likenesses[static_cast<std::size_t>(ExpressKind::kReadResponse)];
  reads.mtu = static_cast<std::uint16_t>(side.read_mtu);
  reads.answer_mtu = static_cast<std::uint16_t>(responder.mtu);
  reads.answers_full = responder.sends_full;
  const bool goes_on = !reads.is_answering || responder.goes_on_answering(reads.next_response);
  reads.takes_answers = stream.has_course && goes_on && responder.is_metered;
}

ExpressReason ExpressLane::arm_side(ConnectionState& state, ExpressConnection& connection, std::size_t side) {
  ConnectionSide& facts = state.facts.sides[side];
  ExpressSide& express = connection.sides[side];
  connection.addresses[side] = facts.address;
  connection.qpns[side] = facts.qpn.value_or(Qpn());
  express.last_data_time = facts.last_data_time;
  express.packets = {};
  express.requests = express.responses = {};
  express.wire_bytes = express.payload_bytes = express.writes = 0;
  express.bucket = 0;
  express.sent = {};
  express.slot = express.slot_bytes = 0;
  express.bad_icrcs = nullptr;
  express.passes = express.stream.is_lent = false;
  for (std::size_t kind = 0; kind < kExpressKinds; ++kind) {
    const bool is_ack = kind == static_cast<std::size_t>(ExpressKind::kAck);
    std::uint64_t& likeness = express.likenesses[kind];
    if (!is_ack && facts.data_class != ExpressPacket::class_of(likeness)) likeness = 0;
    // A right one of any kind came since: now a wrong one is damaged.
    const bool is_bad = ExpressPacket::icrc_of(likeness) == IcrcStatus::kBad;
    if (is_bad && state.wrong_icrcs[side] == ConnectionState::kHadGoodIcrc) likeness = 0;
    if (!has_p_key_of(state, likeness)) likeness = 0;
    if (ExpressPacket::capture_of(likeness) != state.captures[side]) likeness = 0;
  }
  suppose_likenesses(express);
  CongestionState* const congestion = facts.congestion.get();
  const bool has_meter = congestion != nullptr && congestion->running.sent.started();
  express.meter = has_meter ? &congestion->running.sent : nullptr;
  express.is_metered = congestion == nullptr || !congestion->running.after;
  const std::uint32_t announced = state.facts.path_mtu;
  express.mtu = announced != 0 ? announced : state.conformance.mtus[side];
  express.sends_full = state.conformance.mtus[side] != 0;
  const Conformance::Chain& answers = *state.conformance.senders[side].read_responses;
  express.next_answer = answers.next;
  express.last_answer = answers.last.value_or(0);
  express.most_reads = facts.reads_outstanding->most;
  express.read_mtu = 0;

  Requester* const requester = state.requesters[side].get();
  if (requester == nullptr || !observers_.get<StateWatcher>().is_plain(state, side)) return ExpressReason::kUnready;
  const bool waits = state.facts.joined != 0 && !requester->heard();  // the first answer says more
  if (waits || !requester->lend(express.stream, news_)) return ExpressReason::kOpen;
  express.find_counts(facts);
  const std::uint32_t mtu = requester->mtu();
  const std::uint32_t learned = std::max(state.conformance.mtus[0], state.conformance.mtus[1]);
  if (is_mtu(mtu) && mtu == (announced != 0 ? announced : learned)) express.read_mtu = mtu;
  const Conformance::Chain& chain = state.conformance.senders[side].requests;
  if (!chain.last || chain.next != express.stream.next) return ExpressReason::kChain;
  const Position last = opcode_info(*chain.last).position;
  const bool is_open = last == Position::kFirst || last == Position::kMiddle;
  if (is_open != express.stream.is_open()) return ExpressReason::kChain;
  if ((express.mtu != 0 && express.mtu != mtu) || (mtu != 0 && !is_mtu(mtu))) return ExpressReason::kChain;
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
