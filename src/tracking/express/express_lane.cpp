#include "tracking/express/express_lane.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

/// As Requester::add_new() does.
void remember(const ExpressPacket& packet, std::uint32_t span, std::uint64_t message, SentPacket& sent) {
  const bool read = packet.kind == ExpressKind::kReadRequest;
  sent.psn = packet.psn;
  sent.span = span;
  sent.icrc = packet.icrc_status == IcrcStatus::kGood ? packet.icrc : packet.identification;
  sent.hole_us = 0;
  sent.first_frame = packet.frame;
  sent.last_time = packet.time;
  sent.message = message;
  sent.lost = 0;
  sent.content = read ? fingerprint_of_read(packet.address, packet.r_key) : static_cast<std::uint16_t>(packet.payload);
  sent.identification = packet.identification;
  sent.opcode = packet.opcode->code;
  sent.missed = sent.late = sent.seen_long_ago = false;
  sent.read = sent.depth = read;
  sent.unused = 0;
}

/// Whether the payload is as long as the position of the packet in its message asks for, of packets that `side` sends.
bool has_usual_length(const ExpressPacket& packet, const ExpressSide& side) noexcept {
  if (!packet.ends()) return side.sends_full && packet.payload == side.mtu && packet.pad == 0;
  return packet.payload <= (side.mtu != 0 ? side.mtu : kLargestMtu) && (packet.begins() || packet.payload > 0);
}

}  // namespace

ExpressReason ExpressLane::pass(const ExpressPacket& packet, std::uint32_t place) {
  ExpressConnection* const connection = place == ConnectionTable::kNowhere ? nullptr : at(place >> 1);
  if (connection == nullptr || !connection->armed) return refusal_of(place, packet.opcode->request);
  const std::size_t sender = place & 1U;
  const std::int64_t pause = packet.time - connection->last_time;
  if (packet.key != connection->key_of(sender)) return ExpressReason::kUnknown;
  if (pause < 0 || pause >= kShortestPause) return ExpressReason::kTime;
  if (!plan_.goes_on(table_, packet.time)) return ExpressReason::kEvicts;
  const ExpressReason reason =
      packet.opcode->request ? pass_request(*connection, sender, packet) : pass_response(*connection, sender, packet);
  if (reason != ExpressReason::kNone) return reason;
  connection->last_time = connection->sides[sender].packet_time = packet.time;
  latest_ = std::max(latest_, packet.time);
  return ExpressReason::kNone;
}

ExpressReason ExpressLane::refusal_of(std::uint32_t place, bool request) const {
  const ConnectionState* const state = table_.at_place(place);
  if (state == nullptr) return ExpressReason::kUnknown;
  ExpressReason reason = state->refusal;
  const std::size_t requester = request ? place & 1U : 1 - (place & 1U);
  const ExpressConnection* const connection = at(place >> 1);
  if (reason == ExpressReason::kNone && connection != nullptr) reason = connection->sides[requester].refusal;
  return reason == ExpressReason::kNone ? ExpressReason::kSettled : reason;
}

ExpressReason ExpressLane::pass_request(ExpressConnection& connection, std::size_t sender,
                                        const ExpressPacket& packet) {
  constexpr std::uint32_t kLongest = std::uint32_t{1} << 31;
  ExpressSide& side = connection.sides[sender];
  if (!side.passes) return side.refusal;
  if (!side.knows(packet)) return ExpressReason::kLikeness;
  ExpressStream& stream = side.stream;
  const bool is_read = packet.kind == ExpressKind::kReadRequest;
  const Operation operation = packet.opcode->operation;
  const bool begins = packet.begins();
  const bool ends = packet.ends();
  if (packet.psn != stream.next) return ExpressReason::kPsn;
  if (begins == stream.is_open()) return ExpressReason::kMessage;
  if (!begins && operation != stream.messages.back().operation) return ExpressReason::kMessage;
  const std::uint32_t span = is_read ? side.span_of_read(packet.dma_length) : 1;
  const auto outstanding = static_cast<std::uint32_t>(stream.unacknowledged.distance_to(stream.next));
  if (span == 0 || span > ExpressStream::kMostPsns || outstanding + span > ExpressStream::kMostPsns ||
      stream.now.packets >= ExpressStream::kMostOutstanding) {
    return ExpressReason::kOutstanding;
  }
  if (!has_usual_length(packet, side)) return ExpressReason::kMessage;
  const std::uint32_t bytes = packet.payload + (begins ? 0 : side.message_bytes);
  const bool has_length = begins ? packet.has_reth && !is_read : side.has_dma_length;
  const std::uint32_t length = begins ? packet.dma_length : side.dma_length;
  if (bytes >= kLongest || (ends && has_length && bytes != length)) return ExpressReason::kMessage;
  if (packet.has_reth && !side.takes_keys) return ExpressReason::kUnready;
  if (!can_count_data(side, packet.time)) return ExpressReason::kCongestion;

  const std::int64_t since = elapsed(stream.last_request, packet.time);
  stream.send_order.follow(packet.identification, stream.sent.empty() ? -1 : since);
  stream.send_order.observe(packet.identification, since);
  ExpressMessage& message = begins ? stream.messages.add() : stream.messages.back();
  if (begins) {
    message.number = ++news_.messages;
    message.first_frame = packet.frame;
    message.first_time = packet.time;
    message.bytes = 0;
    message.address = packet.address;
    message.r_key = packet.r_key;
    message.first_psn = message.next_response = packet.psn;
    message.operation = operation;
    message.has_address = packet.has_reth;
    message.has_immediate = false;
    ++stream.begun;
  }
  message.last_frame = packet.frame;
  message.last_time = packet.time;
  message.last_psn = packet.psn + (span - 1);
  message.bytes += is_read ? packet.dma_length : packet.payload;
  message.has_last = ends;
  if (packet.opcode->immediate) {
    message.immediate = packet.immediate;
    message.has_immediate = true;
  }
  if (stream.sent.is_full()) stream.sent.trim(stream.unacknowledged, RequestOrder::kRemembered);
  remember(packet, span, message.number, stream.sent.append());
  ++stream.now.packets;
  stream.now.bytes += packet.payload;
  stream.now.reads += is_read ? 1 : 0;
  stream.now.messages = stream.messages.size();
  stream.most.messages = std::max(stream.most.messages, stream.now.messages);
  stream.most.packets = std::max(stream.most.packets, stream.now.packets);
  stream.most.bytes = std::max(stream.most.bytes, stream.now.bytes);
  stream.most.reads = std::max(stream.most.reads, stream.now.reads);
  stream.next = packet.psn + span;
  stream.last_request = packet.time;
  stream.payload += packet.payload;

  side.requests.add(packet.psn);
  side.last_opcode = packet.opcode->code;
  side.message_bytes = bytes;
  side.has_dma_length = has_length;
  side.dma_length = length;
  side.writes += begins && operation == Operation::kWrite ? 1 : 0;
  count_data(side, packet);
  count_sent(connection, sender, packet);
  if (is_read) {
    const std::uint32_t reads = side.reads.ask(ReadDepth::end_of(packet.psn, packet.dma_length, connection.path_mtu));
    if (reads > side.most_reads) {
      side.most_reads = reads;
      connection.state->facts.sides[sender].reads_outstanding.make() = {
          .most = reads, .packet = packet.frame, .time = packet.time};
    }
  } else if (packet.icrc_status == IcrcStatus::kGood) {
    observers_.get<PayloadWatch>().remember(packet, connection.number, sender);
  }
  return ExpressReason::kNone;
}

/// Whether there is a meter, or none is needed yet.
bool ExpressLane::can_count_data(const ExpressSide& side, std::int64_t time) const noexcept {
  return side.is_metered && (side.meter != nullptr || time - side.last_data_time >= window_);
}

/// What data says of congestion.
void ExpressLane::count_data(ExpressSide& side, const ExpressPacket& packet) {
  side.last_data_time = packet.time;
  if (ExpressPacket::ecn_of(packet.likeness) == Ecn::kNotEct) {
    unplaced_.sightings.add(FindingId::kNotEct, packet.frame, packet.time);
  }
  if (side.meter == nullptr) return;
  if (static_cast<std::uint64_t>(packet.time) - side.slot >= slot_) {
    if (side.slot_bytes > 0) side.meter->add(side.slot_time, side.slot_bytes, window_);
    side.slot = static_cast<std::uint64_t>(packet.time) / slot_ * slot_;
    side.slot_bytes = 0;
  }
  side.slot_time = packet.time;
  side.slot_bytes += packet.wire_length;
}

void ExpressLane::count_sent(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet) {
  ExpressSide& side = connection.sides[sender];
  ++side.packets[static_cast<std::size_t>(packet.kind)];
  Sent& sent = bucket_at(connection, sender, packet.time);
  ++sent.packets;
  sent.wire_bytes += packet.wire_length;
  sent.payload_bytes += packet.payload;
}

ExpressReason ExpressLane::pass_response(ExpressConnection& connection, std::size_t sender,
                                         const ExpressPacket& packet) {
  ExpressSide& side = connection.sides[sender];
  ExpressSide& requester = connection.sides[1 - sender];
  ExpressStream& stream = requester.stream;
  if (!stream.is_lent) return requester.refusal;
  if (!stream.has_course) return ExpressReason::kOpen;
  if (!side.knows(packet)) return ExpressReason::kLikeness;
  if (packet.psn.before(stream.unacknowledged) || !packet.psn.before(stream.next)) return ExpressReason::kPsn;
  ResponseWatch::Course& course = stream.course;
  if (packet.has_msn && packet.msn.before(course.msn)) return ExpressReason::kPsn;
  const bool is_answer = packet.kind == ExpressKind::kReadResponse;
  ExpressMessage* const read = stream.read_up_to(packet.psn);
  if (is_answer ? read == nullptr || !is_next_answer(side, requester, *read, packet) : read != nullptr) {
    return ExpressReason::kMessage;
  }
  // A READ response acknowledges what is before the READ, and the last one the READ as well.
  const Psn before = is_answer ? read->first_psn : packet.psn + 1;
  const Psn end = is_answer && !packet.ends() ? before : packet.psn + 1;
  if (stream.unacknowledged.before(before) &&
      course.silence(stream.last_request, packet.time) >= ResponseWatch::kShortestStall) {
    return ExpressReason::kTime;
  }

  if (is_answer) {
    if (packet.begins()) {
      requester.add_time(connection.state->facts.sides[1 - sender], TimeKind::kReadFirst,
                         elapsed(read->first_time, packet.time));
    }
    read->next_response = side.next_answer = packet.psn + 1;
    side.last_answer = packet.opcode->code;
    count_data(side, packet);
  }
  if (stream.unacknowledged.before(end)) {
    acknowledge(stream, end);
    course.acknowledged_at = packet.time;
    stream.by_ack = !is_answer;
    end_messages(connection, 1 - sender, packet);
  }
  if (packet.icrc_status == IcrcStatus::kBad) {
    connection.state->facts.sides[sender].sightings.add(FindingId::kIcrcBadAllTx, packet.frame, packet.time);
  }
  course.progress_at = packet.time;
  course.psn = packet.psn;
  if (packet.has_msn) course.msn = packet.msn;
  side.responses.add(packet.psn);
  count_sent(connection, sender, packet);
  if (!requester.reads.empty()) requester.reads.answer_before(packet.psn + (is_answer && packet.ends() ? 1 : 0));
  return ExpressReason::kNone;
}

/// Whether the packet is the response that comes next, of `read`, the oldest READ that did not end.
bool ExpressLane::is_next_answer(const ExpressSide& side, const ExpressSide& requester, const ExpressMessage& read,
                                 const ExpressPacket& packet) const noexcept {
  if (packet.psn != read.next_response || packet.begins() != (packet.psn == read.first_psn) ||
      packet.ends() != (packet.psn == read.last_psn)) {
    return false;
  }
  if (!has_usual_length(packet, side) || !can_count_data(side, packet.time)) return false;
  if (!packet.ends() && requester.read_mtu == 0) return false;
  if (packet.begins()) return true;
  const Position last = opcode_info(side.last_answer).position;
  return side.last_answer != 0 && side.next_answer == packet.psn &&
         (last == Position::kFirst || last == Position::kMiddle);
}

/// All before `psn` arrived.
void ExpressLane::acknowledge(ExpressStream& stream, Psn psn) {
  InFlight& now = stream.now;
  if (psn == stream.next) {
    now = {.messages = now.messages};
  } else {
    // Of what was sent, all that is outstanding stands behind the rest.
    for (std::uint32_t left = now.packets; left > 0; --left) {
      const SentPacket& sent = stream.sent.from_last(left);
      if (!sent.psn.before(psn)) break;
      --now.packets;
      now.bytes -= sent.payload();
      now.reads -= sent.depth ? 1 : 0;
    }
  }
  stream.unacknowledged = psn;
}

/// The packet answers what is before unacknowledged.
void ExpressLane::end_messages(ExpressConnection& connection, std::size_t requester, const ExpressPacket& by) {
  ExpressSide& side = connection.sides[requester];
  ExpressStream& stream = side.stream;
  ConnectionSide& facts = connection.state->facts.sides[requester];
  std::uint64_t ended = 0;
  for (; !stream.messages.empty(); stream.messages.pop_front()) {
    const ExpressMessage& message = stream.messages.front();
    if (!message.has_last || !message.last_psn.before(stream.unacknowledged)) break;
    ++ended;
    if (message.is_read()) {
      side.add_time(facts, TimeKind::kReadLast, elapsed(message.first_time, by.time));
    } else {
      const std::int64_t latency = elapsed(message.last_time, by.time);
      stream.ended_bytes += message.bytes;
      stream.course.measure_wait(latency);
      side.add_time(facts, TimeKind::kMessageTime, elapsed(message.first_time, by.time));
      side.add_time(facts, TimeKind::kAckLatency, latency);
    }
    side.add_message(facts, message);
    if (message.has_address) {
      const MemoryAccess access{.address = message.address,
                                .bytes = message.bytes,
                                .first_frame = message.first_frame,
                                .first_time = message.first_time,
                                .last_time = message.last_time,
                                .r_key = message.r_key,
                                .operation = message.operation};
      observers_.get<RegionTable>().count(access, connection.state->facts, requester);
    }
    MessageVisits& visits = observers_.get<MessageVisits>();
    if (!message.is_read() && !visits.has_visitor()) continue;
    Message whole = message.message();
    whole.outcome = MessageOutcome::kCompleted;
    whole.completion_frame = by.frame;
    whole.completion_time = by.time;
    visits.visit(connection.state->facts, requester, whole);
    if (!whole.is_read()) continue;
    if (const Message* const over = stream.answered.replaced()) {
      if (const auto ns = time_of(*over)) side.add_time(facts, TimeKind::kMessageTime, *ns);
    }
    stream.answered.keep(whole);
  }
  stream.ended += ended;
  if (ended > 0) bucket_at(connection, requester, by.time).messages += ended;
}

Sent& ExpressLane::bucket_at(ExpressConnection& connection, std::size_t side, std::int64_t time) {
  ExpressSide& its = connection.sides[side];
  const auto now = static_cast<std::uint64_t>(time);
  if (now - its.bucket >= interval_) {
    flush(connection, side);
    its.bucket = now / interval_ * interval_;
  }
  its.bucket_time = time;
  return its.sent;
}

void ExpressLane::flush(ExpressConnection& connection, std::size_t sender) {
  ExpressSide& side = connection.sides[sender];
  if (side.sent.packets + side.sent.messages == 0) return;
  side.sent.goodput_bytes = side.sent.payload_bytes;
  observers_.get<HostTable>().add(*connection.state, sender, side.bucket_time, side.sent);
  side.wire_bytes += side.sent.wire_bytes;
  side.payload_bytes += side.sent.payload_bytes;
  side.sent = {};
}

}  // namespace rocescope
