#include "tracking/express/express_lane.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/tail.hpp"
#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

/// Whether somebody looks at payload of the packet that the lane does not show: the first message of a protocol, and
/// data that a READ fetched, which are looked at before the READ ends.
bool needs_full_way(const ExpressPacket& packet, PayloadInterest interest) {
  if (interest == PayloadInterest::kData) return packet.kind == ExpressKind::kReadResponse;
  return interest == PayloadInterest::kUndecided && packet.is_like_message;
}

}  // namespace

void ExpressLane::take_block(ExpressConnection& connection) {
  connection.has_large_block = connection.goes_on && large_blocks_.has_room();
  if (connection.has_large_block) {
    connection.block = large_blocks_.take(connection);
    return;
  }
  if (!small_blocks_.has_room()) count_waiting(small_blocks_.next_owner());
  connection.block = small_blocks_.take(connection);
}

/// Lets the packet wait, to be counted with others.
inline void ExpressLane::wait(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet) {
  if (connection.waits == 0) [[unlikely]]
    take_block(connection);
  ExpressFacts& facts = block_of(connection)[connection.waits++];
  facts = packet;
  facts.flags = static_cast<std::uint8_t>(facts.flags | sender << ExpressFacts::kSenderShift);
  if (packet.is_request() && packet.begins()) facts.message = news_.begin_message();
  if (connection.waits == room_of(connection)) {
    connection.goes_on = true;
    count_waiting(connection);
  }
}

/// Does at once what depends on the order of packets of all connections.
inline void ExpressLane::note(const ExpressPacket& packet, std::uint64_t identity, std::size_t sender) {
  if (packet.is_data() && ExpressPacket::ecn_of(packet.likeness) == Ecn::kNotEct) {
    unplaced_.sightings.add(FindingId::kNotEct, packet.frame, packet.time);
  }
  if (packet.kind == ExpressKind::kSendOrWrite && packet.icrc_status() == IcrcStatus::kGood) {
    observers_.get<PayloadWatch>().remember(packet, identity, sender);
  }
}

ExpressReason ExpressLane::pass(const ExpressPacket& packet, std::uint32_t place, const Frame& frame) {
  ExpressConnection* const connection = place == ConnectionTable::kNowhere ? nullptr : at(place >> 1);
  if (connection == nullptr || !connection->armed) return refusal_of(place, packet.is_request());
  news_.moment = packet.frame;
  const std::size_t sender = place & 1U;
  const std::int64_t pause = elapsed(connection->last_time, packet.time);
  if (!connection->sends(packet, sender)) return ExpressReason::kUnknown;
  const bool may_be_watched = packet.is_like_message || connection->payload > PayloadInterest::kUndecided;
  if (may_be_watched && needs_full_way(packet, connection->payload)) [[unlikely]]
    return ExpressReason::kPayload;
  const bool is_watched = connection->payload > PayloadInterest::kUndecided;
  if (pause < 0 || pause >= kShortestPause) return ExpressReason::kTime;
  if (!plan_.goes_on(table_, packet.time)) return ExpressReason::kEvicts;
  if (connection->is_outdated) preview(*connection);
  const std::size_t requester = sender ^ static_cast<std::size_t>(!packet.is_request());
  const bool waits = connection->previews[requester].take(packet, connection->reads[requester]);
  if (!waits) {
    count_waiting(*connection);
    const ExpressReason reason =
        packet.is_request() ? pass_request(*connection, sender, packet) : pass_response(*connection, sender, packet);
    if (reason != ExpressReason::kNone) return reason;
    connection->is_outdated = true;
  }
  note(packet, connection->identity, sender);
  if (waits) wait(*connection, sender, packet);
  if (is_watched) [[unlikely]]
    show(*connection, sender, packet, frame);
  connection->last_time = packet.time;
  latest_ = std::max(latest_, packet.time);
  return ExpressReason::kNone;
}

/// Shows the packet to those who want payload, as on the full way and in the same order among all connections.
void ExpressLane::show(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet,
                       const Frame& frame) {
  if (!packet.is_request()) {
    const bool may_end_messages = packet.kind == ExpressKind::kAck || packet.begins() || packet.ends();
    if (may_end_messages) count_waiting(connection);
    return;
  }
  const bool is_shown = connection.payload == PayloadInterest::kData || packet.opcode().operation == Operation::kSend ||
                        packet.is_like_message;
  if (is_shown) show_payload(connection, sender, packet, frame);
}

void ExpressLane::show_payload(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet,
                               const Frame& frame) {
  ConnectionState& state = *connection.state;
  const OpcodeInfo& opcode = packet.opcode();
  const auto icrc_and_pad = static_cast<std::uint32_t>(Icrc::kSize) + packet.pad();
  const std::uint32_t offset = packet.wire_length - icrc_and_pad - packet.payload;
  shown_.frame = frame;
  shown_.roce.opcode = &opcode;
  shown_.roce.psn = packet.psn;
  shown_.roce.payload_offset = offset;
  shown_.roce.payload_length = packet.payload;
  shown_.layer_count = 0;
  shown_.kinds = 0;
  std::uint32_t end = offset;  // of the header before
  const auto add = [&](HeaderKind kind, std::size_t size) {
    const auto length = static_cast<std::uint32_t>(size);
    end -= length;
    shown_.kinds |= Packet::bit_of(kind);
    shown_.layer_storage[shown_.layer_count++] = {.kind = kind, .offset = end, .length = length};
  };
  if (opcode.immediate) add(ImmDt::kKind, ImmDt::kSize);
  if (opcode.invalidate) add(Ieth::kKind, Ieth::kSize);
  if (packet.has_reth()) add(Reth::kKind, Reth::kSize);
  state.payload.interest = payloads_.observe({.record = shown_record_,
                                              .connection = state.facts,
                                              .handshakes = handshakes_,
                                              .sender = sender,
                                              .requester = sender,
                                              .verdict = VerdictKind::kInOrder,
                                              .ended = {},
                                              .copy_after = state.requesters[sender]->copy_after()});
  connection.payload = interest_in(state);
}

/// Of those who want payload.
PayloadInterest ExpressLane::interest_in(const ConnectionState& state) noexcept {
  const bool is_looked_at = state.payload.interest == PayloadInterest::kUndecided && state.payload.is_like_some;
  return is_looked_at ? PayloadInterest::kSends : state.payload.interest;
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
  const Operation operation = packet.opcode().operation;
  const bool begins = packet.begins();
  const bool ends = packet.ends();
  if (packet.psn != stream.next) return ExpressReason::kPsn;
  if (begins == stream.is_open()) return ExpressReason::kMessage;
  if (!begins && operation != stream.messages.back().operation) return ExpressReason::kMessage;
  const std::uint32_t span = is_read ? span_of_read(packet.dma_length, side.read_mtu) : 1;
  const auto outstanding = static_cast<std::uint32_t>(stream.unacknowledged.distance_to(stream.next));
  if (span == 0 || span > ExpressStream::kMostPsns || outstanding + span > ExpressStream::kMostPsns ||
      stream.now.packets >= ExpressStream::kMostOutstanding) {
    return ExpressReason::kOutstanding;
  }
  if (!has_usual_length(packet, begins, ends, side.mtu, side.sends_full)) return ExpressReason::kMessage;
  const std::uint32_t bytes = packet.payload + (begins ? 0 : side.message_bytes);
  const bool has_length = begins ? packet.has_reth() && !is_read : side.has_dma_length;
  const std::uint32_t length = begins ? packet.dma_length : side.dma_length;
  if (bytes >= kLongest || (ends && has_length && bytes != length)) return ExpressReason::kMessage;
  if (packet.has_reth() && !side.takes_keys) return ExpressReason::kUnready;
  if (!side.is_metered) return ExpressReason::kCongestion;

  ExpressFacts facts = packet;
  if (sender != 0) facts.flags |= ExpressFacts::kSender;
  if (begins) facts.message = news_.begin_message();
  count(connection, {&facts, 1});
  return ExpressReason::kNone;
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
  if (packet.has_msn() && packet.msn().before(course.msn)) return ExpressReason::kPsn;
  const bool is_answer = packet.kind == ExpressKind::kReadResponse;
  ExpressMessage* const read = stream.read_up_to(packet.psn);
  if (is_answer ? read == nullptr || !is_next_answer(side, requester, *read, packet) : read != nullptr) {
    return ExpressReason::kMessage;
  }
  const Psn before = is_answer ? read->first_psn : packet.psn + 1;
  const std::int64_t silence = course.silence(stream.last_request, packet.time);
  const bool goes_on = is_answer && packet.psn != read->first_psn;
  if (goes_on && course.is_stall_within(read->first_time, silence)) return ExpressReason::kTime;
  if (stream.unacknowledged.before(before) && course.is_stall(silence)) return ExpressReason::kTime;

  ExpressFacts facts = packet;
  if (sender != 0) facts.flags |= ExpressFacts::kSender;
  count(connection, {&facts, 1});
  return ExpressReason::kNone;
}

/// Whether the packet is the response that comes next, of `read`, the oldest READ that did not end.
bool ExpressLane::is_next_answer(const ExpressSide& side, const ExpressSide& requester, const ExpressMessage& read,
                                 const ExpressPacket& packet) const noexcept {
  if (packet.psn != read.next_response || packet.begins() != (packet.psn == read.first_psn) ||
      packet.ends() != (packet.psn == read.last_psn)) {
    return false;
  }
  const bool is_usual = has_usual_length(packet, packet.begins(), packet.ends(), side.mtu, side.sends_full);
  if (!is_usual || !side.is_metered) return false;
  if (!packet.ends() && requester.read_mtu == 0) return false;
  return packet.begins() || side.goes_on_answering(packet.psn);
}

}  // namespace rocescope
