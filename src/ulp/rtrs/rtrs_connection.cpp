#include "ulp/rtrs/rtrs_connection.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "rocescope/headers/rtrs.hpp"

namespace rocescope {
namespace {

// IDs of what has no buffer.
constexpr std::uint64_t kInfoId = 0x80000;
constexpr std::uint64_t kHeartbeatId = 0x80001;
constexpr std::uint16_t kInfoOpcode = 0x200;
constexpr std::uint16_t kHeartbeatOpcode = 0x208;
constexpr std::uint32_t kRtrsSector = 512;

void fill_rtrs(RtrsRequest&& request, OpenCommand& open) {
  Command& command = open.command;
  command.opcode = request.number;
  command.operation = request.operation;
  command.detail = std::move(request.detail);
  command.target = request.device;
  command.offset = request.sector;
  if (request.is_io) command.blocks = request.bytes / kRtrsSector;
  command.bytes = request.bytes;
  command.in_capsule = !request.is_read && request.data_length > 0;
  command.kind = request.is_io ? CommandKind::kIo : CommandKind::kOther;
  constexpr std::uint16_t kOpen = 0x102;
  constexpr std::uint16_t kSessionInfo = 0x100;
  if (request.number == kOpen || request.number == kSessionInfo) command.kind = CommandKind::kConnect;
  for (const RtrsMemory& each : request.memory) open.memory.push_back({each.key, each.address, each.length});
}

}  // namespace

MessageProtocol RtrsConnection::observe(const SendPayload& payload, CommandSink& log) {
  const Bytes message = payload.start();
  if (payload.immediate) observe_immediate(payload, {}, *payload.immediate, log);
  if (message.size() < 2) return payload.immediate ? MessageProtocol::kRtrs : MessageProtocol::kUnknown;
  const RtrsType type{static_cast<std::uint16_t>(load_little_endian(message.data(), 2))};
  if (type == RtrsType::kInfoRequest && payload.length == RtrsInfoRequest::kSize) {
    if (!known_.client) known_.client = static_cast<std::uint8_t>(payload.sender);
    if (!books_.admit(payload, kInfoId, log)) return MessageProtocol::kRtrs;
    auto open = OpenCommand::asked_by(payload, kInfoId);
    open->command.opcode = kInfoOpcode;
    open->command.operation = "Info";
    open->command.kind = CommandKind::kConnect;
    books_.add(kInfoId, std::move(open));
  } else if (type == RtrsType::kInfoResponse) {
    auto open = books_.take_answered(kInfoId, payload);
    open->command.opcode = kInfoOpcode;
    open->command.operation = "Info";
    open->command.status = 0;
    books_.counts().conclude(open->command, payload.counts);
    books_.answer(std::move(open), log);
  } else if (type != RtrsType::kRKeyResponse) {
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  return MessageProtocol::kRtrs;
}

MessageProtocol RtrsConnection::observe(const DataPayload& payload, CommandSink& log) {
  if (payload.is_read) return MessageProtocol::kUnknown;
  Write& write = writes_[payload.requester];
  const Packet& packet = *payload.record.packet;
  if (payload.offset == 0U) {
    write.bytes.clear();
    write.is_open = true;
    write.first_psn = packet.roce.psn;
    write.first_frame = packet.frame.number;
    write.first_time = packet.frame.timestamp;
    write.length = 0;
  }
  // Bytes after a gap are known; bytes before it are not needed.
  if (payload.skipped > 0 || (payload.offset && *payload.offset != write.length)) write.bytes.clear();
  write.length = payload.offset.value_or(write.length + payload.skipped) + payload.length;
  write.bytes.insert(write.bytes.end(), payload.bytes.begin(), payload.bytes.end());
  if (payload.bytes.size() < payload.length) write.bytes.clear();
  if (write.bytes.size() > kMostKept)
    write.bytes.erase(write.bytes.begin(), write.bytes.end() - static_cast<std::ptrdiff_t>(kMostKept));
  write.behind = 0;
  if (!payload.is_last) return MessageProtocol::kUnknown;
  if (!write.is_open) {  // its first packet was not seen
    write.first_psn = packet.roce.psn;
    write.first_frame = packet.frame.number;
    write.first_time = packet.frame.timestamp;
  }
  const bool is_only = payload.offset == 0U;
  ByForm form;
  if (payload.immediate && (is_only || !write.bytes.empty()))
    form.place = rtrs_place_by_form(is_only ? payload.bytes : Bytes(write.bytes), write.length, *payload.immediate);
  if (is_only && payload.bytes.size() < payload.length) form.read = rtrs_read_of_start(payload.bytes, payload.length);
  write.is_open = false;
  if (!payload.immediate) return MessageProtocol::kUnknown;
  SendPayload whole{.record = &payload.record, .connection = &payload.connection, .sender = payload.requester};
  whole.first_psn = write.first_psn;
  whole.first_frame = write.first_frame;
  whole.resent = payload.resent;
  whole.copy_after = payload.copy_after;
  whole.counts = payload.counts;
  observe_immediate(whole, form, *payload.immediate, log);
  return write.behind > 0 && write.behind <= payload.bytes.size() ? MessageProtocol::kRtrsRequest
                                                                  : MessageProtocol::kRtrs;
}

Bytes RtrsConnection::message_in(const DataPayload& payload) const {
  const std::uint32_t behind = writes_[payload.requester].behind;
  return behind > 0 && behind <= payload.bytes.size() ? payload.bytes.last(behind) : payload.bytes.first(0);
}

void RtrsConnection::observe_immediate(const SendPayload& payload, const ByForm& form, std::uint32_t immediate,
                                       CommandSink& log) {
  const std::uint32_t value = immediate & 0x0FFF'FFFFU;
  switch (RtrsImmediate(immediate >> 28U)) {
    case RtrsImmediate::kRequest:
      return observe_request(payload, form, value, log);
    case RtrsImmediate::kResponse:
    case RtrsImmediate::kResponseInvalidates:
      return observe_response(payload, value, log);
    case RtrsImmediate::kHeartbeat: {
      if (!books_.admit(payload, kHeartbeatId, log)) return;
      auto open = OpenCommand::asked_by(payload, kHeartbeatId);
      open->command.opcode = kHeartbeatOpcode;
      open->command.operation = "Heartbeat";
      return books_.add(kHeartbeatId, std::move(open));
    }
    case RtrsImmediate::kHeartbeatAck: {
      auto open = books_.take_answered(kHeartbeatId, payload);
      open->command.opcode = kHeartbeatOpcode;
      open->command.operation = "Heartbeat";
      open->command.status = 0;
      books_.counts().conclude(open->command, payload.counts);
      return books_.answer(std::move(open), log);
    }
  }
  ++books_.counts().fit.bad;
  ++books_.counts().fit.doubts;
}

void RtrsConnection::observe_request(const SendPayload& payload, const ByForm& form, std::uint32_t value,
                                     CommandSink& log) {
  const Write& write = writes_[payload.sender];
  if (!known_.client) known_.client = static_cast<std::uint8_t>(payload.sender);
  if (payload.sender != *known_.client) ++books_.counts().fit.doubts;
  if (!known_.place_bits && asked_.size() >= kMostAsked) drop_asked();
  const RtrsPlace by_form = form.place.value_or(RtrsPlace());
  const std::uint64_t place = known_.place_bits ? value & ((1U << *known_.place_bits) - 1) : by_form.place;
  const std::uint64_t id = known_.place_bits ? value >> *known_.place_bits : 0;
  auto request = rtrs_request_of(write.bytes, write.length, place);
  if (known_.place_bits) {
    forget_asked(id);
    if (!books_.admit(payload, id, log)) return;
  }
  auto open = OpenCommand::asked_by(payload, id);
  open->command.issued = write.first_time;
  if (request) {
    writes_[payload.sender].behind = request->size;
    fill_rtrs(*std::move(request), *open);
  } else if (form.read) {
    fill_rtrs(RtrsRequest(*form.read), *open);
    open->command.blocks.reset();
    open->command.size_is_cut = open->command.place_is_cut = true;
  } else {
    open->command.detail = "not captured";
    open->command.opcode_is_cut = open->command.size_is_cut = open->command.place_is_cut = true;
  }
  if (!known_.place_bits) {
    books_.note_asked(payload, *open);
    asked_.push_back({value, by_form.place, by_form.known, std::move(open)});
    return;
  }
  books_.add(id, std::move(open));
  if (known_.depth) books_.note_limit(payload, *known_.depth, log);
}

/// One command of each buffer is outstanding. In the immediate data of a request, the buffer is what stands before the
/// place.
bool RtrsConnection::find_asked(std::uint64_t buffer, std::size_t client) {
  constexpr int kLeastBits = 12;
  const auto bits_for = [&](const Asked& asked) {
    return static_cast<int>(std::bit_width(asked.value)) - static_cast<int>(std::bit_width(buffer));
  };
  const auto is_it = [&](const Asked& asked) {
    if (known_.place_bits) return asked.value >> *known_.place_bits == buffer;
    if (asked.known == 0) return false;
    if (buffer == 0) return asked.known == RtrsPlace::kAll && asked.value == asked.place;
    const int bits = bits_for(asked);
    return bits >= kLeastBits && asked.value >> bits == buffer &&
           RtrsPlace{asked.place, asked.known}.fits(asked.value, static_cast<unsigned>(bits));
  };
  // A buffer has one request at a time: responses to earlier requests were not seen.
  std::optional<Asked> last;
  bool is_clear = true;
  std::uint64_t fit = 0;
  for (Asked& asked : asked_) {
    if (!is_it(asked)) continue;
    const bool is_same = !last || known_.place_bits || buffer == 0 || bits_for(*last) == bits_for(asked);
    is_clear = is_clear && is_same;
    last = std::move(asked);
    ++fit;
  }
  if (!last) return false;
  std::erase_if(asked_, [](const Asked& asked) { return asked.open == nullptr; });
  Asked found = *std::move(last);
  const bool is_known = is_clear && books_.of(client).find(buffer) == nullptr;
  books_.counts().unfollowed += fit - (is_known ? 1U : 0U);
  if (!is_known) return false;
  books_.add_late(buffer, std::move(found.open));
  if (buffer > 0 && !known_.place_bits) vote(static_cast<std::uint8_t>(bits_for(found)), client);
  return true;
}

void RtrsConnection::vote(std::uint8_t place_bits, std::size_t client) {
  constexpr std::uint8_t kEnough = 2;
  votes_ = place_bits == likely_bits_ ? static_cast<std::uint8_t>(votes_ + 1) : std::uint8_t{1};
  likely_bits_ = place_bits;
  if (votes_ < kEnough) return;
  known_.place_bits = place_bits;
  for (Asked& asked : asked_) {
    const std::uint64_t id = asked.value >> place_bits;
    if (asked.may_be_over || books_.of(client).find(id) != nullptr) continue;
    books_.add_late(id, std::move(asked.open));
  }
  std::erase_if(asked_, [](const Asked& asked) { return asked.open == nullptr; });
}

void RtrsConnection::note_asked_end(std::size_t side, const Message& message) {
  for (Asked& asked : asked_) {
    OpenCommand& open = *asked.open;
    if (open.command.initiator == side && open.request == message.first_psn) open.note_request_end(message);
  }
}

OpenCommand* RtrsConnection::asked_with_data(std::size_t side, const Message& message) const {
  if (!message.address || !message.r_key) return nullptr;
  const auto has_it = [&](const CommandMemory& memory) { return memory.has(message); };
  // Takes the last: responses to earlier ones with the same memory were not seen.
  for (auto asked = asked_.rbegin(); asked != asked_.rend(); ++asked) {
    if (asked->open->command.initiator != side && std::ranges::any_of(asked->open->memory, has_it))
      return asked->open.get();
  }
  return nullptr;
}

/// Drops the first request that says nothing of its place, since its response cannot be recognized; else the oldest.
void RtrsConnection::drop_asked() {
  auto dropped = std::ranges::find(asked_, 0U, &Asked::known);
  if (dropped == asked_.end()) dropped = asked_.begin();
  books_.counts().unfollowed += dropped->open->counts ? 1U : 0U;
  asked_.erase(dropped);
}

void RtrsConnection::forget_asked(std::uint64_t buffer) {
  books_.counts().unfollowed +=
      std::erase_if(asked_, [&](const Asked& asked) { return asked.value >> *known_.place_bits == buffer; });
}

void RtrsConnection::observe_response(const SendPayload& payload, std::uint32_t value, CommandSink& log) {
  constexpr unsigned kBufferBits = 19;
  const std::uint64_t buffer = value & ((1U << kBufferBits) - 1);
  const std::size_t client = 1 - payload.sender;
  const bool is_unknown = books_.of(client).find(buffer) == nullptr && !asked_.empty();
  if (is_unknown && !find_asked(buffer, client) && !known_.place_bits) {
    for (Asked& asked : asked_) asked.may_be_over = true;
    return;
  }
  auto open = books_.take_answered(buffer, payload);
  open->command.status = value >> kBufferBits;
  books_.counts().conclude(open->command, payload.counts);
  books_.answer(std::move(open), log);
}

void RtrsConnection::finish(CommandSink& log) {
  books_.counts().unfollowed += asked_.size();
  asked_.clear();
  books_.finish(log);
}

void RtrsConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<RtrsConnection*>(&other);
  if (joined == nullptr) return;
  if (!known_.client && joined->known_.client) known_.client = static_cast<std::uint8_t>(1 - *joined->known_.client);
  if (!known_.place_bits) known_.place_bits = joined->known_.place_bits;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!writes_[1 - side].is_open) writes_[1 - side] = std::move(joined->writes_[side]);
  }
  books_.join(joined->books_);
  for (Asked& asked : joined->asked_) {
    asked.open->command.initiator = static_cast<std::uint8_t>(1 - asked.open->command.initiator);
    asked.may_be_over = true;
    if (asked_.size() >= kMostAsked) drop_asked();
    asked_.push_back(std::move(asked));
  }
}

void RtrsConnection::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kRtrs;
  carried.initiator = known_.client;
  carried.depth = known_.depth;
  books_.counts().describe(carried);
}

}  // namespace rocescope
