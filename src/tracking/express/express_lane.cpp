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
}

/// Whether the payload is as long as the position of the packet in its message asks for, where a full one has `mtu` bytes; 0: not known.
bool has_usual_length(const ExpressPacket& packet, std::uint32_t mtu) noexcept {
  if (!packet.ends()) return mtu != 0 && packet.payload == mtu && packet.pad == 0;
  return packet.payload <= (mtu != 0 ? mtu : kLargestMtu) && (packet.begins() || packet.payload > 0);
}

}  // namespace

bool ExpressLane::pass(const ExpressPacket& packet, std::uint32_t place) {
  ExpressConnection* const connection = place == ConnectionTable::kNowhere ? nullptr : at(place >> 1);
  if (connection == nullptr || !connection->armed) return false;
  const std::size_t sender = place & 1U;
  ExpressSide& from = connection->sides[sender];
  const ExpressSide& to = connection->sides[1 - sender];
  const FlowKey& key = packet.key;
  const bool is_its = to.qpn == key.dest_qp && from.address == key.source && to.address == key.destination &&
                      connection->overlay_id == key.overlay_id && connection->capture_point == key.capture_point;
  const std::int64_t pause = packet.time - connection->last_time;
  if (!is_its || pause < 0 || pause >= kShortestPause) return false;
  const bool passed =
      packet.opcode->request ? pass_request(*connection, sender, packet) : pass_response(*connection, sender, packet);
  if (!passed) return false;
  connection->last_time = from.packet_time = packet.time;
  latest_ = std::max(latest_, packet.time);
  return true;
}

bool ExpressLane::prefetch(std::uint32_t place, bool request) const noexcept {
  const ExpressConnection* const connection = place == ConnectionTable::kNowhere ? nullptr : at(place >> 1);
  if (connection == nullptr || !connection->armed) return false;
  const std::size_t sender = place & 1U;
  rocescope::prefetch(&connection->number);
  rocescope::prefetch(&connection->sides[sender]);
  if (!request) rocescope::prefetch(&connection->sides[1 - sender]);
  return true;
}

void ExpressLane::prefetch_parts(std::uint32_t place, const OpcodeInfo& opcode) const noexcept {
  const ExpressConnection& connection = *at(place >> 1);
  const std::size_t sender = place & 1U;
  const ExpressSide& side = connection.sides[sender];
  const bool is_data = opcode.operation != Operation::kAcknowledge;
  if (is_data && side.meter != nullptr) rocescope::prefetch(side.meter);
  if (opcode.request) {
    side.stream.sent.prefetch_next();
    side.stream.messages.prefetch_next();
    return;
  }
  const ExpressSide& requester = connection.sides[1 - sender];
  requester.stream.messages.prefetch_front();
  if (opcode.position == Position::kMiddle) return;  // it ends nothing
  requester.stream.answered.prefetch_next();
  for (const Histogram* const times : requester.times) {
    if (times != nullptr) rocescope::prefetch(times);
  }
  for (const OperationTotals* const totals : requester.operations) {
    if (totals != nullptr) rocescope::prefetch(totals);
  }
}

bool ExpressLane::pass_request(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet) {
  constexpr std::uint32_t kLongest = std::uint32_t{1} << 31;
  ExpressSide& side = connection.sides[sender];
  if (!side.passes || !side.knows(packet)) return false;
  ExpressStream& stream = side.stream;
  const bool is_read = packet.kind == ExpressKind::kReadRequest;
  const Operation operation = packet.opcode->operation;
  const bool begins = packet.begins();
  const bool ends = packet.ends();
  if (packet.psn != stream.next || begins == stream.is_open()) return false;
  if (!begins && operation != stream.messages.back().operation) return false;
  const std::uint32_t span = is_read ? side.span_of_read(packet.dma_length) : 1;
  const auto outstanding = static_cast<std::uint32_t>(stream.unacknowledged.distance_to(stream.next));
  if (span == 0 || span > ExpressStream::kMostPsns || outstanding + span > ExpressStream::kMostPsns ||
      stream.now.packets >= ExpressStream::kMostOutstanding) {
    return false;
  }
  if (!has_usual_length(packet, side.mtu)) return false;
  const std::uint32_t bytes = packet.payload + (begins ? 0 : side.message_bytes);
  const bool has_length = begins ? packet.has_reth && !is_read : side.has_dma_length;
  const std::uint32_t length = begins ? packet.dma_length : side.dma_length;
  if (bytes >= kLongest || (ends && has_length && bytes != length)) return false;
  if (packet.has_reth && !side.takes_keys) return false;
  if (!can_count_data(side, packet.time)) return false;

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
  ++stream.requests;
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
  return true;
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
  side.wire_bytes += packet.wire_length;
  side.payload_bytes += packet.payload;
  Sent& sent = bucket_at(connection, sender, packet.time);
  ++sent.packets;
  sent.wire_bytes += packet.wire_length;
  sent.payload_bytes += packet.payload;
  sent.goodput_bytes += packet.payload;
}

bool ExpressLane::pass_response(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet) {
  ExpressSide& side = connection.sides[sender];
  ExpressSide& requester = connection.sides[1 - sender];
  ExpressStream& stream = requester.stream;
  if (!requester.is_answered || !side.knows(packet)) return false;
  if (packet.psn.before(stream.unacknowledged) || !packet.psn.before(stream.next)) return false;
  ResponseWatch::Course& course = stream.course;
  if (packet.has_msn && packet.msn.before(course.msn)) return false;
  const bool is_answer = packet.kind == ExpressKind::kReadResponse;
  ExpressMessage* const read = stream.read_up_to(packet.psn);
  if (is_answer ? read == nullptr || !is_next_answer(side, requester, *read, packet) : read != nullptr) return false;
  // A READ response acknowledges what is before the READ, and the last one the READ as well.
  const Psn before = is_answer ? read->first_psn : packet.psn + 1;
  const Psn end = is_answer && !packet.ends() ? before : packet.psn + 1;
  if (stream.unacknowledged.before(before) &&
      course.silence(stream.last_request, packet.time) >= ResponseWatch::kShortestStall) {
    return false;
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
  course.progress_at = packet.time;
  course.psn = packet.psn;
  if (packet.has_msn) course.msn = packet.msn;
  ++stream.responses;
  stream.acks += is_answer ? 0 : 1;
  side.responses.add(packet.psn);
  count_sent(connection, sender, packet);
  if (!requester.reads.empty()) requester.reads.answer_before(packet.psn + (is_answer && packet.ends() ? 1 : 0));
  return true;
}

/// Whether the packet is the response that comes next, of `read`, the oldest READ that did not end.
bool ExpressLane::is_next_answer(const ExpressSide& side, const ExpressSide& requester, const ExpressMessage& read,
                                 const ExpressPacket& packet) const noexcept {
  if (packet.psn != read.next_response || packet.begins() != (packet.psn == read.first_psn) ||
      packet.ends() != (packet.psn == read.last_psn)) {
    return false;
  }
  if (!has_usual_length(packet, side.mtu) || !can_count_data(side, packet.time)) return false;
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
    const auto psns = static_cast<std::uint32_t>(stream.unacknowledged.distance_to(psn));
    stream.sent.visit(stream.unacknowledged, psns, psns, [&](const SentPacket& sent) {
      --now.packets;
      now.bytes -= sent.payload();
      now.reads -= sent.depth ? 1 : 0;
    });
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
    MessageVisits& visits = observers_.get<MessageVisits>();
    if (!message.has_address && !visits.has_visitor()) continue;
    Message whole = message.message();
    whole.outcome = MessageOutcome::kCompleted;
    whole.completion_frame = by.frame;
    whole.completion_time = by.time;
    observers_.get<RegionTable>().count(whole, connection.state->facts, requester);
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
  observers_.get<HostTable>().add(*connection.state, sender, side.bucket_time, side.sent);
  side.sent = {};
}

}  // namespace rocescope
