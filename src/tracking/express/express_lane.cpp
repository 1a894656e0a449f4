#include "tracking/express/express_lane.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

/// As Requester::add_new() does.
void remember(const ExpressPacket& packet, std::uint64_t message, SentPacket& sent) {
  sent.psn = packet.psn;
  sent.span = 1;
  sent.icrc = packet.icrc_status == IcrcStatus::kGood ? packet.icrc : packet.identification;
  sent.hole_us = 0;
  sent.first_frame = packet.frame;
  sent.last_time = packet.time;
  sent.message = message;
  sent.lost = 0;
  sent.content = static_cast<std::uint16_t>(packet.payload);
  sent.identification = packet.identification;
  sent.opcode = packet.opcode->code;
  sent.missed = sent.late = sent.read = sent.depth = sent.seen_long_ago = false;
}

}  // namespace

ExpressReason ExpressLane::pass(const ExpressPacket& packet, std::uint32_t place) {
  ExpressConnection* const connection = place == ConnectionTable::kNowhere ? nullptr : at(place >> 1);
  if (connection == nullptr || !connection->armed) return refusal_of(place, packet.opcode->request);
  const std::size_t sender = place & 1U;
  ExpressSide& from = connection->sides[sender];
  const ExpressSide& to = connection->sides[1 - sender];
  const FlowKey& key = packet.key;
  const bool is_its = to.qpn == key.dest_qp && from.address == key.source && to.address == key.destination &&
                      connection->overlay_id == key.overlay_id && connection->capture_point == key.capture_point;
  const std::int64_t pause = packet.time - connection->last_time;
  if (!is_its) return ExpressReason::kUnknown;
  if (pause < 0 || pause >= kShortestPause) return ExpressReason::kTime;
  if (!plan_.goes_on(table_, packet.time)) return ExpressReason::kEvicts;
  const ExpressReason reason =
      packet.opcode->request ? pass_request(*connection, sender, packet) : pass_response(*connection, sender, packet);
  if (reason != ExpressReason::kNone) return reason;
  connection->last_time = from.packet_time = packet.time;
  latest_ = std::max(latest_, packet.time);
  return ExpressReason::kNone;
}

ExpressReason ExpressLane::refusal_of(std::uint32_t place, bool request) const {
  const std::uint32_t slot = place >> 1;
  if (place == ConnectionTable::kNowhere || slot >= refusals_.size()) return ExpressReason::kUnknown;
  ExpressReason reason = refusals_[slot];
  const std::size_t requester = request ? place & 1U : 1 - (place & 1U);
  if (reason == ExpressReason::kNone) reason = at(slot)->sides[requester].refusal;
  return reason == ExpressReason::kNone ? ExpressReason::kSettled : reason;
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
  if (opcode.request) {
    const ExpressSide& side = connection.sides[sender];
    side.stream.sent.prefetch_next();
    side.stream.messages.prefetch_next();
    if (side.meter != nullptr) rocescope::prefetch(side.meter);
    return;
  }
  const ExpressSide& requester = connection.sides[1 - sender];
  requester.stream.messages.prefetch_front();
  if (requester.message_times != nullptr) rocescope::prefetch(requester.message_times);
  if (requester.ack_latencies != nullptr) rocescope::prefetch(requester.ack_latencies);
  for (const OperationTotals* const totals : requester.operations) {
    if (totals != nullptr) rocescope::prefetch(totals);
  }
}

ExpressReason ExpressLane::pass_request(ExpressConnection& connection, std::size_t sender,
                                        const ExpressPacket& packet) {
  constexpr std::int32_t kMostOutstanding = 1'024;
  constexpr std::uint32_t kLongest = std::uint32_t{1} << 31;
  ExpressSide& side = connection.sides[sender];
  if (!side.passes) return side.refusal;
  if (packet.likeness != side.request_likeness) return ExpressReason::kLikeness;
  ExpressStream& stream = side.stream;
  const Operation operation = packet.opcode->operation;
  const bool begins = packet.begins();
  const bool ends = packet.ends();
  if (packet.psn != stream.next) return ExpressReason::kPsn;
  if (begins == stream.is_open()) return ExpressReason::kMessage;
  if (!begins && operation != stream.messages.back().operation) return ExpressReason::kMessage;
  if (stream.unacknowledged.distance_to(stream.next) >= kMostOutstanding) return ExpressReason::kOutstanding;
  const std::uint32_t most = side.mtu != 0 ? side.mtu : kLargestMtu;
  if (ends ? packet.payload > most || (!begins && packet.payload == 0)
           : side.mtu == 0 || packet.payload != side.mtu || packet.pad != 0) {
    return ExpressReason::kMessage;
  }
  const std::uint32_t bytes = packet.payload + (begins ? 0 : side.message_bytes);
  const bool has_length = begins ? packet.has_reth : side.has_dma_length;
  const std::uint32_t length = begins ? packet.dma_length : side.dma_length;
  if (bytes >= kLongest || (ends && has_length && bytes != length)) return ExpressReason::kMessage;
  if (packet.has_reth && !side.takes_keys) return ExpressReason::kUnready;
  if (side.meter == nullptr && packet.time - side.last_data_time < window_) return ExpressReason::kCongestion;

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
    message.first_psn = packet.psn;
    message.operation = operation;
    message.has_address = packet.has_reth;
    message.has_immediate = false;
    ++stream.begun;
  }
  message.last_frame = packet.frame;
  message.last_time = packet.time;
  message.last_psn = packet.psn;
  message.bytes += packet.payload;
  message.has_last = ends;
  if (packet.opcode->immediate) {
    message.immediate = packet.immediate;
    message.has_immediate = true;
  }
  if (stream.sent.is_full()) stream.sent.trim(stream.unacknowledged, RequestOrder::kRemembered);
  remember(packet, message.number, stream.sent.append());
  ++stream.now.packets;
  stream.now.bytes += packet.payload;
  stream.now.messages = stream.messages.size();
  stream.most.messages = std::max(stream.most.messages, stream.now.messages);
  stream.most.packets = std::max(stream.most.packets, stream.now.packets);
  stream.most.bytes = std::max(stream.most.bytes, stream.now.bytes);
  stream.next = packet.psn + 1;
  stream.last_request = packet.time;
  ++stream.requests;
  stream.payload += packet.payload;

  if (side.requests++ == 0) side.first_request = packet.psn;
  side.last_opcode = packet.opcode->code;
  side.message_bytes = bytes;
  side.has_dma_length = has_length;
  side.dma_length = length;
  side.last_data_time = packet.time;
  side.writes += begins && operation == Operation::kWrite ? 1 : 0;
  if (ExpressPacket::ecn_of(packet.likeness) == Ecn::kNotEct) {
    unplaced_.sightings.add(FindingId::kNotEct, packet.frame, packet.time);
  }
  side.wire_bytes += packet.wire_length;
  Sent& sent = bucket_at(connection, sender, packet.time);
  ++sent.packets;
  sent.wire_bytes += packet.wire_length;
  sent.payload_bytes += packet.payload;
  sent.goodput_bytes += packet.payload;
  if (side.meter != nullptr) {
    if (static_cast<std::uint64_t>(packet.time) - side.slot >= slot_) {
      if (side.slot_bytes > 0) side.meter->add(side.slot_time, side.slot_bytes, window_);
      side.slot = static_cast<std::uint64_t>(packet.time) / slot_ * slot_;
      side.slot_bytes = 0;
    }
    side.slot_time = packet.time;
    side.slot_bytes += packet.wire_length;
  }
  if (packet.icrc_status == IcrcStatus::kGood)
    observers_.get<PayloadWatch>().remember(packet, connection.number, sender);
  return ExpressReason::kNone;
}

ExpressReason ExpressLane::pass_response(ExpressConnection& connection, std::size_t sender,
                                         const ExpressPacket& packet) {
  ExpressSide& requester = connection.sides[1 - sender];
  ExpressStream& stream = requester.stream;
  if (!requester.is_answered) return requester.refusal;
  if (packet.likeness != connection.sides[sender].response_likeness) return ExpressReason::kLikeness;
  if (packet.psn.before(stream.unacknowledged) || !packet.psn.before(stream.next)) return ExpressReason::kPsn;
  ResponseWatch::Course& course = stream.course;
  if (packet.msn.before(course.msn)) return ExpressReason::kPsn;
  if (course.silence(stream.last_request, packet.time) >= ResponseWatch::kShortestStall) return ExpressReason::kTime;

  const auto covered = static_cast<std::uint32_t>(stream.unacknowledged.distance_to(packet.psn)) + 1;
  if (packet.psn + 1 == stream.next) {
    stream.now.packets = 0;
    stream.now.bytes = 0;
  } else {
    std::uint64_t bytes = 0;
    stream.sent.visit(stream.unacknowledged, covered, covered, [&](const SentPacket& sent) { bytes += sent.content; });
    stream.now.packets -= covered;
    stream.now.bytes -= bytes;
  }
  stream.unacknowledged = packet.psn + 1;
  course.acknowledged_at = course.progress_at = packet.time;
  end_messages(connection, 1 - sender, packet);
  course.psn = packet.psn;
  course.msn = packet.msn;
  ++stream.responses;
  ExpressSide& side = connection.sides[sender];
  if (side.responses++ == 0) {
    side.first_response = packet.psn;
  } else {
    side.response_psns += static_cast<std::uint64_t>(side.last_response.distance_to(packet.psn));
  }
  side.last_response = packet.psn;
  side.wire_bytes += packet.wire_length;
  Sent& sent = bucket_at(connection, sender, packet.time);
  ++sent.packets;
  sent.wire_bytes += packet.wire_length;
  return ExpressReason::kNone;
}

/// The packet answers what is before unacknowledged.
void ExpressLane::end_messages(ExpressConnection& connection, std::size_t requester, const ExpressPacket& by) {
  ExpressSide& side = connection.sides[requester];
  ExpressStream& stream = side.stream;
  const std::int64_t now = by.time;
  std::uint64_t ended = 0;
  for (; !stream.messages.empty(); stream.messages.pop_front()) {
    const ExpressMessage& message = stream.messages.front();
    if (!message.has_last || !message.last_psn.before(stream.unacknowledged)) break;
    ++ended;
    stream.ended_bytes += message.bytes;
    const std::int64_t latency = elapsed(message.last_time, now);
    stream.course.measure_wait(latency);
    ConnectionSide& facts = connection.state->facts.sides[requester];
    OperationTotals* const totals = side.operations[ExpressSide::index_of(message.operation)];
    if (totals == nullptr || side.message_times == nullptr || side.ack_latencies == nullptr) {
      facts.times.add(TimeKind::kMessageTime, elapsed(message.first_time, now));
      facts.times.add(TimeKind::kAckLatency, latency);
      MessageCounter::count(facts.operations.at(message.operation), message.bytes, MessageOutcome::kCompleted);
      side.find_counts(facts);
    } else {
      side.message_times->add(static_cast<std::uint64_t>(elapsed(message.first_time, now)));
      side.ack_latencies->add(static_cast<std::uint64_t>(latency));
      MessageCounter::count(*totals, message.bytes, MessageOutcome::kCompleted);
    }
    const MessageVisits& visits = observers_.get<MessageVisits>();
    if (!message.has_address && !visits.has_visitor()) continue;
    Message whole = message.message();
    whole.outcome = MessageOutcome::kCompleted;
    whole.completion_frame = by.frame;
    whole.completion_time = now;
    observers_.get<RegionTable>().count(whole, connection.state->facts, requester);
    visits.visit(connection.state->facts, requester, whole);
  }
  stream.ended += ended;
  if (ended > 0) bucket_at(connection, requester, now).messages += ended;
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
