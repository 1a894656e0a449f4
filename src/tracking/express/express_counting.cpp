// Counts packets that pass on the express lane.
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "tracking/express/ended_messages.hpp"
#include "tracking/express/express_lane.hpp"

namespace rocescope {
namespace {

/// All ones, or none: what a packet is, nobody could foresee, so that a branch would cost more.
constexpr std::uint32_t mask_of(bool is_so) noexcept { return 0U - static_cast<std::uint32_t>(is_so); }

/// As Requester::add_new() does.
void remember(const ExpressFacts& facts, bool is_read, std::uint32_t span, std::uint64_t message, SentPacket& sent) {
  sent.psn = facts.psn;
  sent.span = span;
  sent.icrc = facts.icrc_status() == IcrcStatus::kGood ? facts.icrc : facts.identification;
  sent.hole_us = 0;
  sent.first_frame = facts.frame;
  sent.last_time = facts.time;
  sent.message = message;
  sent.lost = 0;
  const std::uint16_t payload = static_cast<std::uint16_t>(facts.payload);
  const std::uint16_t either = payload ^ fingerprint_of_read(facts.address, facts.r_key());
  sent.content = static_cast<std::uint16_t>(payload ^ (either & mask_of(is_read)));
  sent.identification = facts.identification;
  sent.opcode = facts.code;
  sent.missed = sent.late = sent.seen_long_ago = false;
  sent.read = sent.depth = is_read;
  sent.unused = 0;
}

/// The message that the request begins.
void begin_express_message(const ExpressFacts& facts, std::uint8_t role, ExpressMessage& message) {
  const bool is_read = (role & ExpressRole::kRead) != 0;
  message.number = facts.message;
  message.first_frame = facts.frame;
  message.first_time = facts.time;
  message.bytes = facts.dma_length & mask_of(is_read);
  message.address = facts.address;
  message.r_key = facts.r_key();
  message.first_icrc = facts.icrc_status() == IcrcStatus::kGood ? facts.icrc : 0;
  message.first_psn = message.next_response = facts.psn;
  message.operation = facts.operation();
  const bool announces = (role & ExpressRole::kEnds) == 0 && message.operation == Operation::kWrite;
  if (announces) message.next_response = facts.psn + span_of_write(facts.dma_length, facts.payload);
  message.has_address = facts.has_reth();
  message.has_immediate = message.invalidates = false;
}

/// The message goes on with the request, or begins with it.
void add_to_message(const ExpressFacts& facts, std::uint8_t role, std::uint32_t span, ExpressMessage& message) {
  message.last_frame = facts.frame;
  message.last_time = facts.time;
  message.last_psn = facts.psn + (span - 1);
  message.bytes += facts.payload;
  message.has_last = (role & ExpressRole::kEnds) != 0;
  if ((role & ExpressRole::kWord) == 0) return;
  message.immediate = facts.immediate;
  message.has_immediate = facts.opcode().immediate;
  message.invalidates = facts.opcode().invalidate;
}

/// Sums over packets of one side that are counted together.
struct RunSum {
  std::uint64_t wire_bytes = 0;
  std::uint64_t payload_bytes = 0;
};

/// Adds to the bucket and the side that run_at() found.
void add_run(std::span<const ExpressFacts> run, const RunSum& sum, ExpressSide& side) {
  side.packet_time = side.bucket_time = run.back().time;
  side.sent.packets += run.size();
  side.sent.wire_bytes += sum.wire_bytes;
  side.sent.payload_bytes += sum.payload_bytes;
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

/// The first data are metered as CongestionWatch does it: there is a meter once data came soon behind others. Returns the data behind.
std::span<const ExpressFacts> ExpressLane::start_meter(std::span<const ExpressFacts> data, ConnectionSide& facts,
                                                       ExpressSide& side) const {
  while (!data.empty() && side.meter == nullptr) {
    const ExpressFacts& first = data.front();
    const bool is_busy = elapsed(side.last_data_time, first.time) < window_;
    side.last_data_time = first.time;
    if (is_busy || facts.congestion.get() != nullptr) {
      side.meter = &facts.congestion.make().running.sent;
      side.meter->add(first.time, first.wire_length, window_);
    }
    data = data.subspan(1);
  }
  return data;
}

/// Adds the data that the meter still remembers after the last of them. `bytes`: of all of them.
void ExpressLane::add_data(std::span<const ExpressFacts> data, std::uint64_t bytes, ConnectionSide& facts,
                           ExpressSide& side) const {
  if (side.meter == nullptr) [[unlikely]] {
    const std::span<const ExpressFacts> first = data;
    data = start_meter(data, facts, side);
    if (data.empty()) return;
    for (const ExpressFacts& packet : first.first(first.size() - data.size())) bytes -= packet.wire_length;
  }
  side.last_data_time = data.back().time;
  constexpr auto kForgotten = static_cast<std::uint64_t>(RateMeter::kForgotten);
  const auto start_of = [&](std::int64_t time) { return static_cast<std::uint64_t>(time) / slot_ * slot_; };
  const auto is_in = [&](std::int64_t time, std::uint64_t slot) {
    return static_cast<std::uint64_t>(time) - slot < slot_;
  };
  if (is_in(data.front().time, side.slot) && is_in(data.back().time, side.slot)) {  // most are
    side.slot_time = data.back().time;
    side.slot_bytes += bytes;
    return;
  }
  const std::uint64_t last = is_in(data.back().time, side.slot) ? side.slot : start_of(data.back().time);
  const std::uint64_t begin = last - std::min(last, (kForgotten - 1) * slot_);
  for (const ExpressFacts& packet : data) {
    if (static_cast<std::uint64_t>(packet.time) < begin) continue;
    if (!is_in(packet.time, side.slot)) {
      if (side.slot_bytes > 0 && side.slot >= begin) side.meter->add(side.slot_time, side.slot_bytes, window_);
      side.slot = is_in(packet.time, last) ? last : start_of(packet.time);
      side.slot_bytes = 0;
    }
    side.slot_time = packet.time;
    side.slot_bytes += packet.wire_length;
  }
}

void ExpressLane::count_waiting(ExpressConnection& connection) {
  if (connection.waits > 0) {
    count(connection, all_waiting(connection));
    connection.waits = 0;
    if (connection.has_large_block) {
      large_blocks_.give_back(connection.block);
    } else {
      small_blocks_.give_back(connection.block);
    }
  }
  for (const ExpressSide& side : connection.sides) {
    if (side.stream.now.packets + ExpressLargeBlocks::kPackets > ExpressStream::kMostOutstanding)
      connection.is_outdated = true;
  }
}

void ExpressLane::count(ExpressConnection& connection, std::span<const ExpressFacts> packets) {
  ConnectionState& state = *connection.state;
  RegionTable& regions = observers_.get<RegionTable>();
  std::array<EndedMessages, 2> ended{EndedMessages(connection.sides[0], state.facts, regions, 0),
                                     EndedMessages(connection.sides[1], state.facts, regions, 1)};
  while (!packets.empty()) {
    const std::span<const ExpressFacts> run = run_at(connection, packets);
    const std::size_t sender = run.front().sender();
    if ((run.front().role() & ExpressRole::kRequest) != 0) {
      count_requests(connection, sender, run);
    } else {
      count_responses(connection, sender, run, ended[1 - sender]);
    }
    packets = packets.subspan(run.size());
  }
  for (std::size_t side = 0; side < ended.size(); ++side) {
    ended[side].flush();
    connection.sides[side].stream.note_most();
  }
}

/// Returns the first of these packets and those right after it that have the same side, the same bucket, and the same
/// kind: all requests, all READ responses, or all ACKs. Their sums are added once. No packet is earlier than the one
/// before it (pass()).
std::span<const ExpressFacts> ExpressLane::run_at(ExpressConnection& connection,
                                                  std::span<const ExpressFacts> packets) {
  const ExpressFacts& first = packets.front();
  ExpressSide& side = connection.sides[first.sender()];
  (void)bucket_at(connection, first.sender(), first.time);
  const std::uint64_t end = side.bucket + interval_;
  std::size_t size = 1;
  for (; size < packets.size(); ++size) {
    const ExpressFacts& packet = packets[size];
    const bool is_alike = ((packet.flags ^ first.flags) & ExpressFacts::kSender) == 0 &&
                          ((packet.role() ^ first.role()) & (ExpressRole::kRequest | ExpressRole::kAnswer)) == 0;
    if (!is_alike || static_cast<std::uint64_t>(packet.time) >= end) break;
  }
  return packets.first(size);
}

void ExpressLane::count_requests(ExpressConnection& connection, std::size_t sender, std::span<const ExpressFacts> run) {
  ExpressSide& side = connection.sides[sender];
  ExpressStream& stream = side.stream;
  SendOrder order = stream.send_order;
  std::int64_t last_request = stream.last_request;
  RunSum sum;
  std::uint32_t reads = 0;
  stream.sent.prepare(run.size());
  for (const ExpressFacts& facts : run) {
    const std::uint8_t role = facts.role();
    const bool is_read = (role & ExpressRole::kRead) != 0;
    const std::uint32_t span = span_of_read(facts.dma_length & mask_of(is_read), side.read_mtu);  // without a branch
    const std::int64_t since = elapsed(last_request, facts.time);
    last_request = facts.time;
    order.follow(facts.identification, stream.sent.empty() ? -1 : since);
    order.observe(facts.identification, since);
    const bool begins = (role & ExpressRole::kBegins) != 0;
    ExpressMessage& message = begins ? stream.messages.add() : stream.messages.back();
    if (begins) {
      begin_express_message(facts, role, message);
      ++stream.begun;
      side.message_bytes = 0;
      side.has_dma_length = facts.has_reth() && !is_read;
      side.dma_length = facts.dma_length;
      side.writes += message.operation == Operation::kWrite ? 1 : 0;
    }
    add_to_message(facts, role, span, message);
    side.message_bytes += facts.payload;
    if (stream.sent.is_full()) [[unlikely]]
      stream.sent.trim(stream.unacknowledged, RequestOrder::kRemembered);
    remember(facts, is_read, span, message.number, stream.sent.append());
    stream.next = facts.psn + span;
    sum.wire_bytes += facts.wire_length;
    sum.payload_bytes += facts.payload;
    if (!is_read) continue;
    ++reads;
    count_outstanding_read(connection, sender, facts);
  }
  stream.send_order = order;
  stream.last_request = last_request;
  stream.now.packets += static_cast<std::uint32_t>(run.size());
  stream.now.bytes += sum.payload_bytes;
  stream.now.reads += reads;
  stream.now.messages = stream.messages.size();
  stream.payload += sum.payload_bytes;
  side.requests.add(run.front().psn, run.back().psn, run.size());
  side.last_opcode = run.back().code;
  side.packets[static_cast<std::size_t>(ExpressKind::kReadRequest)] += reads;
  side.packets[static_cast<std::size_t>(ExpressKind::kSendOrWrite)] += run.size() - reads;
  add_data(run, sum.wire_bytes, connection.state->facts.sides[sender], side);
  add_run(run, sum, side);
}

void ExpressLane::count_outstanding_read(ExpressConnection& connection, std::size_t sender, const ExpressFacts& read) {
  ExpressSide& side = connection.sides[sender];
  const std::uint32_t reads = side.reads.ask(ReadDepth::end_of(read.psn, read.dma_length, connection.path_mtu));
  if (reads <= side.most_reads) return;
  side.most_reads = reads;
  connection.state->facts.sides[sender].reads_outstanding.make() = {
      .most = reads, .packet = read.frame, .time = read.time};
}

void ExpressLane::count_responses(ExpressConnection& connection, std::size_t sender, std::span<const ExpressFacts> run,
                                  EndedMessages& ended) {
  ExpressSide& side = connection.sides[sender];
  ExpressSide& requester = connection.sides[1 - sender];
  ExpressStream& stream = requester.stream;
  ResponseWatch::Course& course = stream.course;
  RunSum sum;
  const bool is_answer = (run.front().role() & ExpressRole::kAnswer) != 0;
  for (const ExpressFacts& facts : run) {
    const bool ends = facts.ends();
    sum.wire_bytes += facts.wire_length;
    sum.payload_bytes += facts.payload;
    Psn end = facts.psn + 1;
    if (is_answer) {
      ExpressMessage& read = *stream.read_up_to(facts.psn);
      count_answer(connection, sender, facts, read);
      // A response acknowledges what is before the READ; the last response also the READ.
      if (!ends) end = read.first_psn;
    }
    if (stream.unacknowledged.before(end)) {
      stream.note_most();
      acknowledge(stream, end);
      course.acknowledged_at = facts.time;
      stream.by_ack = !is_answer;
      end_messages(connection, 1 - sender, facts, ended);
    }
    if (facts.icrc_status() == IcrcStatus::kBad) {
      if (side.bad_icrcs == nullptr)
        side.bad_icrcs = &connection.state->facts.sides[sender].sightings.at(FindingId::kIcrcBadAllTx).seen;
      side.bad_icrcs->add(facts.frame, facts.time);
    }
    if (facts.has_msn()) course.msn = facts.msn();
    if (!requester.reads.empty()) requester.reads.answer_before(facts.psn + (is_answer && ends ? 1 : 0));
  }
  course.progress_at = run.back().time;
  course.psn = run.back().psn;
  side.responses.add(run.front().psn, run.back().psn, run.size());
  side.packets[static_cast<std::size_t>(is_answer ? ExpressKind::kReadResponse : ExpressKind::kAck)] += run.size();
  if (is_answer) add_data(run, sum.wire_bytes, connection.state->facts.sides[sender], side);
  add_run(run, sum, side);
}

/// A response to the READ.
void ExpressLane::count_answer(ExpressConnection& connection, std::size_t sender, const ExpressFacts& facts,
                               ExpressMessage& read) {
  ExpressSide& side = connection.sides[sender];
  if (facts.begins()) {
    connection.sides[1 - sender].add_time(connection.state->facts.sides[1 - sender], TimeKind::kReadFirst,
                                          elapsed(read.first_time, facts.time));
  }
  ++connection.sides[1 - sender].stream.responses;
  read.next_response = side.next_answer = facts.psn + 1;
  side.last_answer = facts.code;
}

/// All before `psn` arrived.
void ExpressLane::acknowledge(ExpressStream& stream, Psn psn) {
  InFlight& now = stream.now;
  if (psn == stream.next) {
    now = {.messages = now.messages};
  } else {
    // All outstanding packets stand after the others that were sent.
    for (std::uint32_t left = now.packets; left > 0; --left) {
      const SentPacket& sent = stream.sent.from_last(left);
      if (!sent.psn.before(psn)) break;
      --now.packets;
      now.bytes -= sent.content & ~mask_of(sent.read);
      now.reads -= sent.depth ? 1 : 0;
    }
  }
  stream.unacknowledged = psn;
}

/// Ends the messages before `unacknowledged`, which the packet answers.
void ExpressLane::end_messages(ExpressConnection& connection, std::size_t requester, const ExpressFacts& by,
                               EndedMessages& ended) {
  ExpressStream& stream = connection.sides[requester].stream;
  MessageVisits& visits = observers_.get<MessageVisits>();
  const bool is_watched = connection.payload > PayloadInterest::kUndecided;
  const bool is_shown = is_watched || visits.shows_all();
  const std::uint64_t before = stream.ended;
  for (; !stream.messages.empty(); stream.messages.pop_front()) {
    const ExpressMessage& message = stream.messages.front();
    if (!message.has_last || !message.last_psn.before(stream.unacknowledged)) break;
    ++stream.ended;
    ended.add(message, by);
    if (!is_shown) [[likely]]
      continue;
    message.complete(by.frame, by.time, ended_);
    ended_.all_responses = message.is_read() ? stream.responses : 0;
    visits.visit(connection.state->facts, requester, ended_);
    if (is_watched) payloads_.observe_end(connection.state->facts, requester, ended_);
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
