#include "ulp/nvme/nvme_queue.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/headers/nvme/commands.hpp"

namespace rocescope {
namespace {

/// Whether it is a Connect that no other protocol resembles: reserved bytes are zero, and it has 1,024 bytes of data,
/// in the capsule or in one buffer (NVMe over Fabrics 1.1, 3.3).
bool is_surely_connect(const SendPayload& payload, const NvmeSgl& sgl) {
  constexpr std::uint32_t kData = 1'024;
  constexpr std::size_t kReserved = 5;
  constexpr std::size_t kReservedEnd = 24;
  if (payload.start().size() < kReservedEnd || sgl.length != kData) return false;
  const Bytes reserved = payload.start().subspan(kReserved, kReservedEnd - kReserved);
  if (!std::ranges::all_of(reserved, [](std::uint8_t byte) { return byte == 0; })) return false;
  const std::uint64_t in_capsule = sgl.is_in_capsule ? kData : 0;
  return payload.length == NvmeAdminCommand::kSize + in_capsule && (sgl.is_keyed || sgl.address == 0);
}

/// The layers of the response to a command.
MessageProtocol completion_of(std::uint16_t opcode) {
  switch (opcode) {
    case kNvmeConnect:
      return MessageProtocol::kNvmeConnectCompletion;
    case kNvmePropertySet:
      return MessageProtocol::kNvmePropertySetCompletion;
    case kNvmePropertyGet:
      return MessageProtocol::kNvmePropertyCompletion;
    default:
      return (opcode & kNvmeFabricsBit) != 0 ? MessageProtocol::kNvmeFabricsCompletion
                                             : MessageProtocol::kNvmeCompletion;
  }
}

}  // namespace

MessageProtocol NvmeQueue::observe(const SendPayload& payload, CommandSink& log) {
  const bool is_response = payload.length == NvmeCompletion::kSize;
  if (!known_.host && (is_response || payload.length >= NvmeAdminCommand::kSize)) {
    known_.host = static_cast<std::uint8_t>(is_response ? 1 - payload.sender : payload.sender);
  }
  if (payload.sender == known_.host && payload.length >= NvmeAdminCommand::kSize) return observe_command(payload, log);
  if (payload.sender != known_.host && is_response) return observe_response(payload, log);
  ++counts_.fit.bad;
  return MessageProtocol::kUnknown;
}

MessageProtocol NvmeQueue::observe_command(const SendPayload& payload, CommandSink& log) {
  const CapsuleReader capsule(payload);
  const auto opcode = nvme_opcode_of(capsule);
  const auto id = capsule.number(2, 2);
  constexpr std::uint64_t kFormed = 0x40;  // with an SGL, not fused
  if (!opcode || !id || (capsule.number_or_zero(1, 1) & 0xC0U) != kFormed) {
    ++counts_.fit.bad;
    return MessageProtocol::kUnknown;
  }
  note_id(*id);
  counts_.commands += payload.counts ? 1U : 0U;
  counts_.depth.pass(payload.record->packet->frame.timestamp);
  const auto command_id = static_cast<std::uint32_t>(*id);
  if (data_ && data_->id == *id) data_.reset();
  if (const auto before = book_.take(command_id)) report(*before, log);  // its response was not seen
  if (*opcode == kNvmeConnect) {
    if (const auto queue = capsule.number(42, 2)) known_.queue = static_cast<std::uint16_t>(*queue);
  }
  if (book_.is_full()) {
    ++counts_.unfollowed;
    return is_admin() ? MessageProtocol::kNvmeAdmin : MessageProtocol::kNvmeIo;
  }
  const std::optional<NvmeSgl> known_sgl = nvme_sgl_of(capsule);
  const NvmeSgl sgl = known_sgl.value_or(NvmeSgl());
  auto open = OpenCommand::asked_by(payload, *id);
  if (sgl.is_keyed) open->memory.push_back({sgl.key, sgl.address, sgl.length});
  Command& command = open->command;
  command.opcode = *opcode;
  command.bytes = sgl.length;
  command.size_is_cut = command.place_is_cut = !known_sgl;
  command.in_capsule = sgl.is_in_capsule && sgl.length > 0;
  if ((*opcode & kNvmeFabricsBit) == 0) command.target = capsule.number(4, 4);
  if (nvme_has_blocks(*opcode, is_admin())) {
    command.offset = capsule.number(40, 8);
    if (const auto blocks = capsule.number(48, 2)) command.blocks = *blocks + 1;
  }
  command.detail = nvme_detail(capsule, *opcode, is_admin());
  if (*opcode == kNvmeConnect) {
    note_connect(capsule);
    if (is_surely_connect(payload, sgl)) connect_id_ = id;
  }
  if (nvme_reads_data(capsule, *opcode, is_admin())) expect_data(capsule, command, sgl);
  open->ask(counts_.depth);
  open->begin(counts_.depth);
  book_.add(command_id, std::move(open));
  if (payload.counts) note_events(payload, log);
  last_command_ = payload.record->packet->frame.timestamp;
  last_packet_ = payload.record->packet->frame.number;
  return is_admin() ? MessageProtocol::kNvmeAdmin : MessageProtocol::kNvmeIo;
}

MessageProtocol NvmeQueue::observe_response(const SendPayload& payload, CommandSink& log) {
  const CapsuleReader capsule(payload);
  const auto id = capsule.number(12, 2);
  if (!id) {
    ++counts_.fit.bad;
    return MessageProtocol::kNvmeCompletion;
  }
  note_id(*id);
  if (!known_.queue) {
    if (const auto queue = capsule.number(10, 2)) known_.queue = static_cast<std::uint16_t>(*queue);
  }
  auto open = book_.take_answered(static_cast<std::uint32_t>(*id), payload, counts_.fit.good);
  Command& command = open->command;
  if (const auto status = capsule.number(14, 2)) {
    command.status = static_cast<std::uint32_t>(*status >> 1U & 0x7FFU);
    command.do_not_retry = *status >> 15U != 0;
  }
  const bool is_known = command.request_packet != 0;
  // A queue that was refused has no other command.
  if (is_known && connect_id_ == id) counts_.fit.is_proven = true;
  connect_id_.reset();
  if (is_known && data_ && data_->id == *id) {
    note_data(data_->bytes, data_->opcode, command);
    data_.reset();
  }
  const bool is_failure = command.status.value_or(0) != 0 || !command.status_name.empty();
  counts_.conclude(command, payload.counts, is_failure);
  const MessageProtocol protocol = is_known ? completion_of(command.opcode) : MessageProtocol::kNvmeCompletion;
  if (const auto oldest = book_.answer(std::move(open))) report(*oldest, log);
  return protocol;
}

void NvmeQueue::note_events(const SendPayload& payload, CommandSink& log) {
  using Event = CommandTroubles::Event;
  const Packet& packet = *payload.record->packet;
  const std::int64_t now = packet.frame.timestamp;
  SideEvent event{
      .connection = connection_, .side = payload.sender, .from = now, .to = now, .packet = packet.frame.number};
  // One entry stays free, which distinguishes a full queue from an empty one.
  if (!is_admin() && known_.depth.value_or(0) > 1 && book_.outstanding() >= *known_.depth - 1) {
    event.kind = Event::kQueueFull;
    event.limit = book_.outstanding();
    log.add(event);
  }
  if (is_admin() && keep_alive_ms_.value_or(0) > 0) {
    constexpr std::int64_t kMillisecond = 1'000'000;
    const std::int64_t promised = std::int64_t{*keep_alive_ms_} * kMillisecond;
    if (last_command_ && now - *last_command_ > promised) {
      event.kind = Event::kKeepAliveLate;
      event.from = *last_command_;
      event.limit = static_cast<std::uint64_t>(promised);
      log.add(event);
    }
  }
}

/// An application that sends the same bytes again and again has no commands.
void NvmeQueue::note_id(std::uint64_t id) {
  counts_.fit.news += last_id_ == id ? 0U : 1U;
  last_id_ = id;
}

void NvmeQueue::note_connect(const CapsuleReader& capsule) {
  if (const auto keep_alive = capsule.number(48, 4)) keep_alive_ms_ = static_cast<std::uint32_t>(*keep_alive);
  if (const auto entries = capsule.number(44, 2)) known_.depth = static_cast<std::uint32_t>(*entries + 1);
}

void NvmeQueue::expect_data(const CapsuleReader& capsule, Command& command, const NvmeSgl& sgl) {
  constexpr std::size_t kCommand = NvmeAdminCommand::kSize;
  constexpr std::size_t kLogOffset = 48;
  const bool is_log = (command.opcode & kNvmeFabricsBit) == 0;
  if (sgl.is_keyed) {
    data_ = NvmeDataBuffer{.id = command.id,
                           .opcode = command.opcode,
                           .sgl = sgl,
                           .from = is_log ? capsule.number_or_zero(kLogOffset, 8) : 0,
                           .bytes = {}};
  } else if (sgl.is_in_capsule && !is_log) {
    const Bytes rest = capsule.bytes().subspan(std::min(kCommand, capsule.bytes().size()));
    if (sgl.address <= rest.size()) note_data(rest.subspan(sgl.address), command.opcode, command);
  }
}

void NvmeQueue::note_data(Bytes data, std::uint16_t opcode, Command& command) {
  if (opcode == kNvmeConnect) {
    note_names(CapsuleReader(data));
  } else if (nvme_connects(opcode)) {
    command.detail = nvme_auth_message_name(data);
    command.status_name = nvme_auth_failure(data);
  } else if (data_->from == 0) {
    if (std::string detail = nvme_discovery_detail(data); !detail.empty()) command.detail = std::move(detail);
  }
}

void NvmeQueue::note_names(const CapsuleReader& data) {
  constexpr std::size_t kSubsystem = 256;
  constexpr std::size_t kHost = 512;
  constexpr std::size_t kLength = 256;
  if (std::string name = data.text(kSubsystem, kLength); !name.empty()) subsystem_ = std::move(name);
  if (std::string name = data.text(kHost, kLength); !name.empty()) host_name_ = std::move(name);
}

MessageProtocol NvmeQueue::observe(const DataPayload& payload, CommandSink& /*log*/) {
  if (!data_ || payload.requester == known_.host) return MessageProtocol::kUnknown;
  const MessageProtocol protocol = data_->add(payload);
  if (data_->is_whole() || payload.is_last) {
    if (OpenCommand* const open = book_.find(data_->id)) note_data(data_->bytes, data_->opcode, open->command);
  }
  return protocol;
}

void NvmeQueue::observe_end(std::size_t side, const Message& message, CommandSink& log) {
  const bool is_send = message.operation == Operation::kSend;
  if (side == known_.host) {
    if (is_send) book_.end_request(message);
  } else if (is_send) {
    for (std::size_t over = book_.end_response(message); over > 0; --over) report(*book_.take_oldest(), log);
  } else {
    book_.end_data(message);
  }
}

std::string_view NvmeQueue::operation_of(const Command& command) const {
  return nvme_operation_name(command.opcode, is_admin());
}

void NvmeQueue::name(Command& command) const {
  command.connection = connection_;
  command.initiator = known_.host.value_or(0);
  command.protocol = UpperProtocol::kNvme;
  command.queue = known_.queue.value_or(0);
  command.queue_is_known = known_.queue.has_value();
  const bool is_unseen = command.request_packet == 0;
  const bool may_refuse = is_unseen && nvme_refuses_connect(command.status.value_or(0));
  if (may_refuse && known_.queue == 0) command.opcode = kNvmeConnect;
  const bool fabrics = (command.opcode & kNvmeFabricsBit) != 0;
  if (!is_unseen || fabrics) command.operation = operation_of(command);
  // The data say why authentication failed; the status is that of success.
  const bool has_reason = !command.status_name.empty() && command.status.value_or(0) == 0;
  if (command.status && !has_reason) command.status_name = nvme_status_name(*command.status, fabrics);
  // A queue that was refused has one response: that of a Connect, which may not have been seen.
  const bool is_accepted = !is_unseen || (!may_refuse && (last_command_ || counts_.answered > 1));
  const bool is_io = known_.queue.value_or(0) != 0 && is_accepted;
  const bool connects = (!is_unseen || fabrics) && nvme_connects(command.opcode);
  command.kind = connects ? CommandKind::kConnect : is_io ? CommandKind::kIo : CommandKind::kOther;
}

void NvmeQueue::report(OpenCommand& open, CommandSink& log) {
  Command& command = open.command;
  // Its data say that authentication failed, whether its response came or not.
  if (command.outcome == CommandOutcome::kOutstanding && !command.status_name.empty()) {
    command.outcome = CommandOutcome::kFailed;
    counts_.failed += open.counts ? 1U : 0U;
  }
  name(command);
  open.note_copies();
  CommandBook::end(open, counts_.depth, books());
  log.add(std::move(command), open.counts);
}

void NvmeQueue::finish(CommandSink& log) {
  if (last_command_ && known_.host) {
    constexpr std::uint64_t kMillisecond = 1'000'000;
    const std::uint64_t promised = is_admin() ? keep_alive_ms_.value_or(0) * kMillisecond : 0;
    log.add(SideEvent{.kind = CommandTroubles::Event::kLastCommand,
                      .connection = connection_,
                      .side = *known_.host,
                      .from = *last_command_,
                      .to = *last_command_,
                      .packet = last_packet_,
                      .limit = promised});
  }
  for (const auto& open : book_.take_all()) {
    name(open->command);
    if (open->is_unanswered()) log.add(SideEvent::unanswered(connection_, open->command));
    report(*open, log);
  }
}

void NvmeQueue::join(Carried& other) {
  auto* const queue = dynamic_cast<NvmeQueue*>(&other);
  if (queue == nullptr) return;
  if (!known_.host && queue->known_.host) known_.host = static_cast<std::uint8_t>(1 - *queue->known_.host);
  counts_.unfollowed += book_.join(queue->book_, counts_.depth);
  if (!known_.queue) known_.queue = queue->known_.queue;
  if (!known_.depth) known_.depth = queue->known_.depth;
  if (queue->last_command_ && last_command_.value_or(*queue->last_command_) <= *queue->last_command_) {
    last_command_ = queue->last_command_;
    last_packet_ = queue->last_packet_;
  }
  if (!keep_alive_ms_) keep_alive_ms_ = queue->keep_alive_ms_;
  if (host_name_.empty()) host_name_ = queue->host_name_;
  if (subsystem_.empty()) subsystem_ = queue->subsystem_;
  counts_.join(queue->counts_);
}

void NvmeQueue::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kNvme;
  carried.initiator = known_.host;
  if (known_.queue) carried.queue = *known_.queue;
  carried.depth = known_.depth;
  carried.initiator_name = host_name_;
  carried.target_name = subsystem_;
  carried.keep_alive_ms = keep_alive_ms_;
  counts_.describe(carried);
}

}  // namespace rocescope
