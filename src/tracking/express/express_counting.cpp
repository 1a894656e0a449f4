// What changes with packets that pass on the express lane.
#include <algorithm>
#include <span>
#include <utility>

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

bool is_send_or_write(const ExpressFacts& facts) noexcept {
  const Operation operation = facts.opcode().operation;
  return operation == Operation::kSend || operation == Operation::kWrite;
}

/// Messages that end together are alike as a rule: they are added up first.
class Ended {
 public:
  Ended(ExpressSide& side, ConnectionSide& facts) : side_(side), facts_(facts) {}
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;
  ~Ended() {
    if (!message_times_.empty()) side_.add_times(facts_, TimeKind::kMessageTime, message_times_);
    if (!ack_latencies_.empty()) side_.add_times(facts_, TimeKind::kAckLatency, ack_latencies_);
    add_messages();
  }

  void add(const ExpressMessage& message) {
    if (message.operation != operation_ || message.bytes != bytes_) add_messages();
    operation_ = message.operation;
    bytes_ = message.bytes;
    ++messages_;
  }
  void add_times(std::int64_t message_time, std::int64_t ack_latency) {
    add_time(TimeKind::kMessageTime, message_time, message_times_);
    add_time(TimeKind::kAckLatency, ack_latency, ack_latencies_);
  }

 private:
  void add_time(TimeKind kind, std::int64_t ns, Histogram::Run& run) {
    if (side_.times[static_cast<std::size_t>(kind)] == nullptr)
      return side_.add_time(facts_, kind, ns);  // in its order
    if (run.take(static_cast<std::uint64_t>(ns))) return;
    side_.add_times(facts_, kind, std::exchange(run, {}));
    (void)run.take(static_cast<std::uint64_t>(ns));
  }
  void add_messages() {
    if (messages_ > 0) side_.add_messages(facts_, operation_, bytes_, messages_);
    messages_ = 0;
  }

  ExpressSide& side_;
  ConnectionSide& facts_;
  Histogram::Run message_times_;
  Histogram::Run ack_latencies_;
  Operation operation_{};
  std::uint64_t bytes_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace

void ExpressLane::count_waiting(ExpressConnection& connection) {
  const std::span<const ExpressFacts> waiting = connection.all_waiting();
  if (waiting.size() > 1) prefetch_buckets(connection);
  for (std::size_t i = 0; i < waiting.size();) {
    const ExpressFacts& facts = waiting[i];
    const std::size_t sender = facts.sender();
    std::size_t end = i + 1;
    if (facts.opcode().request) {
      const auto goes_on = [&](const ExpressFacts& next) { return next.sender() == sender && is_send_or_write(next); };
      while (is_send_or_write(facts) && end < waiting.size() && goes_on(waiting[end])) ++end;
      count_requests(connection, sender, waiting.subspan(i, end - i));
    } else {
      count_response(connection, sender, facts);
    }
    i = end;
  }
  connection.waits = 0;
  for (const ExpressSide& side : connection.sides) {
    if (side.stream.now.packets + connection.waiting.size() > ExpressStream::kMostOutstanding)
      connection.is_outdated = true;
  }
}

/// SENDs and WRITEs, or one READ.
void ExpressLane::count_requests(ExpressConnection& connection, std::size_t sender, std::span<const ExpressFacts> run) {
  ExpressSide& side = connection.sides[sender];
  ExpressStream& stream = side.stream;
  const bool is_read = run.front().opcode().operation == Operation::kReadRequest;
  const std::uint32_t span = is_read ? span_of_read(run.front().dma_length, side.read_mtu) : 1;
  const bool is_first = stream.sent.empty();
  std::int64_t last_request = stream.last_request;
  std::uint64_t payload = 0;
  for (const ExpressFacts& facts : run) {
    const std::int64_t since = elapsed(std::exchange(last_request, facts.time), facts.time);
    stream.send_order.follow(facts.identification, is_first && &facts == &run.front() ? -1 : since);
    stream.send_order.observe(facts.identification, since);
    const std::uint64_t message = add_to_message(side, facts, span);
    if (stream.sent.is_full()) stream.sent.trim(stream.unacknowledged, RequestOrder::kRemembered);
    remember(facts, span, message, stream.sent.append());
    payload += facts.payload;
  }
  stream.now.packets += static_cast<std::uint32_t>(run.size());
  stream.now.bytes += payload;
  stream.now.reads += is_read ? 1 : 0;
  stream.now.messages = stream.messages.size();
  stream.most.messages = std::max(stream.most.messages, stream.now.messages);
  stream.most.packets = std::max(stream.most.packets, stream.now.packets);
  stream.most.bytes = std::max(stream.most.bytes, stream.now.bytes);
  stream.most.reads = std::max(stream.most.reads, stream.now.reads);
  stream.next = run.back().psn + span;
  stream.last_request = last_request;
  stream.payload += payload;
  side.requests.add(run.front().psn, run.back().psn, run.size());
  side.last_opcode = run.back().code;
  count_data(side, run);
  count_sent(connection, sender, run, is_read ? ExpressKind::kReadRequest : ExpressKind::kSendOrWrite);
  if (is_read) count_outstanding_read(connection, sender, run.front());
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
    message.has_immediate = false;
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
  if (opcode.immediate) {
    message.immediate = facts.immediate;
    message.has_immediate = true;
  }
  return message.number;
}

void ExpressLane::count_data(ExpressSide& side, std::span<const ExpressFacts> run) {
  side.last_data_time = run.back().time;
  if (side.meter == nullptr) return;
  for (const ExpressFacts& facts : run) {
    if (static_cast<std::uint64_t>(facts.time) - side.slot >= slot_) {
      if (side.slot_bytes > 0) side.meter->add(side.slot_time, side.slot_bytes, window_);
      side.slot = static_cast<std::uint64_t>(facts.time) / slot_ * slot_;
      side.slot_bytes = 0;
    }
    side.slot_time = facts.time;
    side.slot_bytes += facts.wire_length;
  }
}

void ExpressLane::count_sent(ExpressConnection& connection, std::size_t sender, std::span<const ExpressFacts> run,
                             ExpressKind kind) {
  ExpressSide& side = connection.sides[sender];
  side.packet_time = run.back().time;
  side.packets[static_cast<std::size_t>(kind)] += run.size();
  for (const ExpressFacts& facts : run) {
    Sent& sent = bucket_at(connection, sender, facts.time);
    ++sent.packets;
    sent.wire_bytes += facts.wire_length;
    sent.payload_bytes += facts.payload;
  }
}

void ExpressLane::count_response(ExpressConnection& connection, std::size_t sender, const ExpressFacts& facts) {
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
    count_data(side, {&facts, 1});
  }
  if (stream.unacknowledged.before(end)) {
    acknowledge(stream, end);
    course.acknowledged_at = facts.time;
    stream.by_ack = !is_answer;
    end_messages(connection, 1 - sender, facts);
  }
  if (facts.icrc_status() == IcrcStatus::kBad) {
    connection.state->facts.sides[sender].sightings.add(FindingId::kIcrcBadAllTx, facts.frame, facts.time);
  }
  course.progress_at = facts.time;
  course.psn = facts.psn;
  if (facts.has_msn()) course.msn = facts.msn();
  side.responses.add(facts.psn);
  count_sent(connection, sender, {&facts, 1}, is_answer ? ExpressKind::kReadResponse : ExpressKind::kAck);
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
void ExpressLane::end_messages(ExpressConnection& connection, std::size_t requester, const ExpressFacts& by) {
  ExpressSide& side = connection.sides[requester];
  ExpressStream& stream = side.stream;
  ConnectionSide& facts = connection.state->facts.sides[requester];
  MessageVisits& visits = observers_.get<MessageVisits>();
  std::uint64_t count = 0;
  Ended ended(side, facts);
  for (; !stream.messages.empty(); stream.messages.pop_front()) {
    const ExpressMessage& message = stream.messages.front();
    if (!message.has_last || !message.last_psn.before(stream.unacknowledged)) break;
    ++count;
    ended.add(message);
    if (message.is_read()) {
      side.add_time(facts, TimeKind::kReadLast, elapsed(message.first_time, by.time));
    } else {
      const std::int64_t latency = elapsed(message.last_time, by.time);
      stream.ended_bytes += message.bytes;
      stream.course.measure_wait(latency);
      ended.add_times(elapsed(message.first_time, by.time), latency);
    }
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
    const bool is_watched = connection.payload > PayloadInterest::kUndecided;
    if (!message.is_read() && !visits.has_visitor() && !is_watched) continue;
    Message whole = message.message();
    whole.outcome = MessageOutcome::kCompleted;
    whole.completion_frame = by.frame;
    whole.completion_time = by.time;
    visits.visit(connection.state->facts, requester, whole);
    if (is_watched) payloads_.observe_end(connection.state->facts, requester, whole);
    if (!whole.is_read()) continue;
    if (const Message* const over = stream.answered.replaced()) {
      if (const auto ns = time_of(*over)) side.add_time(facts, TimeKind::kMessageTime, *ns);
    }
    stream.answered.keep(whole);
  }
  stream.ended += count;
  if (count > 0) bucket_at(connection, requester, by.time).messages += count;
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
