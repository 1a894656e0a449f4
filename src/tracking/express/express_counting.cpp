// What changes with packets that pass on the express lane.
#include <algorithm>
#include <span>
#include <utility>

#include "tracking/express/ended_messages.hpp"
#include "tracking/express/express_lane.hpp"

namespace rocescope {
namespace {

/// As Requester::add_new() does.
void remember(const ExpressFacts& facts, std::uint32_t span, std::uint64_t message, SentPacket& sent) {
  const bool read = facts.opcode().operation == Operation::kReadRequest;
  sent.psn = facts.psn;
  sent.span = span;
  sent.icrc = facts.icrc_status() == IcrcStatus::kGood ? facts.icrc : facts.identification;
  sent.hole_us = 0;
  sent.first_frame = facts.frame;
  sent.last_time = facts.time;
  sent.message = message;
  sent.lost = 0;
  sent.content = read ? fingerprint_of_read(facts.address, facts.r_key()) : static_cast<std::uint16_t>(facts.payload);
  sent.identification = facts.identification;
  sent.opcode = facts.code;
  sent.missed = sent.late = sent.seen_long_ago = false;
  sent.read = sent.depth = read;
  sent.unused = 0;
}

}  // namespace

/// The bucket of the rates that `side` sends, with the time of a packet.
inline Sent& ExpressLane::bucket_at(ExpressConnection& connection, std::size_t side, std::int64_t time) {
  ExpressSide& its = connection.sides[side];
  const auto now = static_cast<std::uint64_t>(time);
  if (now - its.bucket >= interval_) [[unlikely]] {
    flush(connection, side);
    its.bucket = now / interval_ * interval_;
  }
  its.bucket_time = time;
  return its.sent;
}

inline void ExpressLane::count_data(ExpressSide& side, const ExpressFacts& facts) {
  side.last_data_time = facts.time;
  if (side.meter == nullptr) return;
  if (static_cast<std::uint64_t>(facts.time) - side.slot >= slot_) [[unlikely]] {
    if (side.slot_bytes > 0) side.meter->add(side.slot_time, side.slot_bytes, window_);
    side.slot = static_cast<std::uint64_t>(facts.time) / slot_ * slot_;
    side.slot_bytes = 0;
  }
  side.slot_time = facts.time;
  side.slot_bytes += facts.wire_length;
}

inline void ExpressLane::count_sent(ExpressConnection& connection, std::size_t sender, const ExpressFacts& facts,
                                    ExpressKind kind) {
  ExpressSide& side = connection.sides[sender];
  side.packet_time = facts.time;
  ++side.packets[static_cast<std::size_t>(kind)];
  Sent& sent = bucket_at(connection, sender, facts.time);
  ++sent.packets;
  sent.wire_bytes += facts.wire_length;
  sent.payload_bytes += facts.payload;
}

void ExpressLane::count_waiting(ExpressConnection& connection) {
  const std::span<const ExpressFacts> waiting = connection.all_waiting();
  if (!waiting.empty()) {
    if (waiting.size() > 1) prefetch_buckets(connection);
    count(connection, waiting);
    connection.waits = 0;
  }
  for (const ExpressSide& side : connection.sides) {
    if (side.stream.now.packets + connection.waiting.size() > ExpressStream::kMostOutstanding)
      connection.is_outdated = true;
  }
}

void ExpressLane::count(ExpressConnection& connection, std::span<const ExpressFacts> packets) {
  ConnectionState& state = *connection.state;
  RegionTable& regions = observers_.get<RegionTable>();
  std::array<EndedMessages, 2> ended{EndedMessages(connection.sides[0], state.facts, regions, 0),
                                     EndedMessages(connection.sides[1], state.facts, regions, 1)};
  for (const ExpressFacts& facts : packets) {
    const std::size_t sender = facts.sender();
    if (facts.opcode().request) {
      count_request(connection, sender, facts);
    } else {
      count_response(connection, sender, facts, ended[1 - sender]);
    }
  }
  for (std::size_t side = 0; side < ended.size(); ++side) {
    ended[side].flush();
    connection.sides[side].stream.note_most();
  }
}

void ExpressLane::count_request(ExpressConnection& connection, std::size_t sender, const ExpressFacts& facts) {
  ExpressSide& side = connection.sides[sender];
  ExpressStream& stream = side.stream;
  const bool is_read = facts.opcode().operation == Operation::kReadRequest;
  const std::uint32_t span = is_read ? span_of_read(facts.dma_length, side.read_mtu) : 1;
  const std::int64_t since = elapsed(stream.last_request, facts.time);
  stream.send_order.follow(facts.identification, stream.sent.empty() ? -1 : since);
  stream.send_order.observe(facts.identification, since);
  const std::uint64_t message = add_to_message(side, facts, span);
  if (stream.sent.is_full()) [[unlikely]]
    stream.sent.trim(stream.unacknowledged, RequestOrder::kRemembered);
  remember(facts, span, message, stream.sent.append());
  ++stream.now.packets;
  stream.now.bytes += facts.payload;
  stream.now.reads += is_read ? 1 : 0;
  stream.now.messages = stream.messages.size();
  stream.next = facts.psn + span;
  stream.last_request = facts.time;
  stream.payload += facts.payload;
  side.requests.add(facts.psn);
  side.last_opcode = facts.code;
  count_data(side, facts);
  count_sent(connection, sender, facts, is_read ? ExpressKind::kReadRequest : ExpressKind::kSendOrWrite);
  if (is_read) count_outstanding_read(connection, sender, facts);
}

void ExpressLane::count_outstanding_read(ExpressConnection& connection, std::size_t sender, const ExpressFacts& read) {
  ExpressSide& side = connection.sides[sender];
  const std::uint32_t reads = side.reads.ask(ReadDepth::end_of(read.psn, read.dma_length, connection.path_mtu));
  if (reads <= side.most_reads) return;
  side.most_reads = reads;
  connection.state->facts.sides[sender].reads_outstanding.make() = {
      .most = reads, .packet = read.frame, .time = read.time};
}

/// The number of the message that the request is of.
std::uint64_t ExpressLane::add_to_message(ExpressSide& side, const ExpressFacts& facts, std::uint32_t span) {
  ExpressStream& stream = side.stream;
  const OpcodeInfo& opcode = facts.opcode();
  const bool is_read = opcode.operation == Operation::kReadRequest;
  const bool begins = facts.begins();
  ExpressMessage& message = begins ? stream.messages.add() : stream.messages.back();
  if (begins) {
    message.number = facts.message;
    message.first_frame = facts.frame;
    message.first_time = facts.time;
    message.bytes = 0;
    message.address = facts.address;
    message.r_key = facts.r_key();
    message.first_psn = message.next_response = facts.psn;
    message.operation = opcode.operation;
    message.has_address = facts.has_reth();
    message.has_immediate = message.invalidates = false;
    ++stream.begun;
    side.message_bytes = 0;
    side.has_dma_length = facts.has_reth() && !is_read;
    side.dma_length = facts.dma_length;
    side.writes += opcode.operation == Operation::kWrite ? 1 : 0;
  }
  side.message_bytes += facts.payload;
  message.last_frame = facts.frame;
  message.last_time = facts.time;
  message.last_psn = facts.psn + (span - 1);
  message.bytes += is_read ? facts.dma_length : facts.payload;
  message.has_last = facts.ends();
  if (opcode.immediate || opcode.invalidate) {
    message.immediate = facts.immediate;
    message.has_immediate = opcode.immediate;
    message.invalidates = opcode.invalidate;
  }
  return message.number;
}

void ExpressLane::count_response(ExpressConnection& connection, std::size_t sender, const ExpressFacts& facts,
                                 EndedMessages& ended) {
  ExpressSide& side = connection.sides[sender];
  ExpressSide& requester = connection.sides[1 - sender];
  ExpressStream& stream = requester.stream;
  ResponseWatch::Course& course = stream.course;
  const bool is_answer = facts.opcode().operation == Operation::kReadResponse;
  ExpressMessage* const read = is_answer ? stream.read_up_to(facts.psn) : nullptr;
  // A READ response acknowledges what is before the READ, and the last one the READ as well.
  const Psn end = is_answer && !facts.ends() ? read->first_psn : facts.psn + 1;
  if (is_answer) {
    if (facts.begins()) {
      requester.add_time(connection.state->facts.sides[1 - sender], TimeKind::kReadFirst,
                         elapsed(read->first_time, facts.time));
    }
    read->next_response = side.next_answer = facts.psn + 1;
    side.last_answer = facts.code;
    count_data(side, facts);
  }
  if (stream.unacknowledged.before(end)) {
    stream.note_most();
    acknowledge(stream, end);
    course.acknowledged_at = facts.time;
    stream.by_ack = !is_answer;
    end_messages(connection, 1 - sender, facts, ended);
  }
  if (facts.icrc_status() == IcrcStatus::kBad) {
    connection.state->facts.sides[sender].sightings.add(FindingId::kIcrcBadAllTx, facts.frame, facts.time);
  }
  course.progress_at = facts.time;
  course.psn = facts.psn;
  if (facts.has_msn()) course.msn = facts.msn();
  side.responses.add(facts.psn);
  count_sent(connection, sender, facts, is_answer ? ExpressKind::kReadResponse : ExpressKind::kAck);
  if (!requester.reads.empty()) requester.reads.answer_before(facts.psn + (is_answer && facts.ends() ? 1 : 0));
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
void ExpressLane::end_messages(ExpressConnection& connection, std::size_t requester, const ExpressFacts& by,
                               EndedMessages& ended) {
  ExpressStream& stream = connection.sides[requester].stream;
  MessageVisits& visits = observers_.get<MessageVisits>();
  const std::uint64_t before = stream.ended;
  for (; !stream.messages.empty(); stream.messages.pop_front()) {
    const ExpressMessage& message = stream.messages.front();
    if (!message.has_last || !message.last_psn.before(stream.unacknowledged)) break;
    ++stream.ended;
    ended.add(message, by);
    const bool is_watched = connection.payload > PayloadInterest::kUndecided;
    if (!visits.shows_all() && !is_watched) [[likely]]
      continue;
    const Message whole = message.completed(by.frame, by.time);
    visits.visit(connection.state->facts, requester, whole);
    if (is_watched) payloads_.observe_end(connection.state->facts, requester, whole);
  }
  if (stream.ended > before) bucket_at(connection, requester, by.time).messages += stream.ended - before;
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
