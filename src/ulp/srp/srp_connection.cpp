#include "ulp/srp/srp_connection.hpp"

#include <algorithm>
#include <utility>

#include "ulp/scsi_status.hpp"

namespace rocescope {
namespace {

std::unique_ptr<OpenCommand> asked_of_srp(const SendPayload& payload, const SrpMessage& message) {
  auto open = OpenCommand::asked_by(payload, message.tag);
  Command& command = open->command;
  command.opcode = message.number;
  command.opcode_is_cut = message.opcode_is_cut;
  command.operation = message.operation;
  command.detail = message.detail;
  command.target = message.lun;
  command.offset = message.offset;
  command.blocks = message.blocks;
  command.bytes = message.bytes;
  command.size_is_cut = message.size_is_cut;
  command.in_capsule = message.is_immediate;
  if (message.is_io) command.kind = CommandKind::kIo;
  if (message.opcode == SrpOpcode::kTaskManagement) command.kind = CommandKind::kTask;
  return open;
}

CommandMemory memory_of(const SrpMemory& memory) { return {memory.key, memory.address, memory.length}; }

}  // namespace

MessageProtocol SrpConnection::observe(const SendPayload& payload, CommandSink& log) {
  const auto message = srp_message_of(payload.start());
  if (!message) {
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  const std::size_t initiator = message->is_of_target() ? 1 - payload.sender : payload.sender;
  if (!known_.initiator) known_.initiator = static_cast<std::uint8_t>(initiator);
  if (initiator != *known_.initiator) {
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  // An application that sends the same bytes again and again has no commands.
  books_.counts().fit.news += last_tag_ == message->tag ? 0U : 1U;
  last_tag_ = message->tag;
  switch (message->opcode) {
    case SrpOpcode::kCommand:
    case SrpOpcode::kTaskManagement:
    case SrpOpcode::kCreditRequest:
    case SrpOpcode::kEventRequest:
      observe_request(payload, *message, log);
      break;
    case SrpOpcode::kResponse:
    case SrpOpcode::kCreditResponse:
    case SrpOpcode::kEventResponse:
      observe_response(payload, *message, log);
      break;
    case SrpOpcode::kInitiatorLogout:
    case SrpOpcode::kTargetLogout:
      books_.add_event(*asked_of_srp(payload, *message), log);
      break;
    case SrpOpcode::kLoginRequest:  // srp_message_of() takes none
    case SrpOpcode::kLoginResponse:
    case SrpOpcode::kLoginReject:
      break;
  }
  return MessageProtocol::kSrp;
}

/// Descriptors that did not fit into the command. Each packet of a READ begins with a whole one, as an MTU is a multiple
/// of their size.
MessageProtocol SrpConnection::observe(const DataPayload& payload, CommandSink& /*log*/) {
  if (!payload.is_read || !payload.address || !payload.r_key) return MessageProtocol::kUnknown;
  const std::size_t initiator = 1 - payload.requester;
  for (const auto& [tag, tables] : tables_[initiator]) {
    for (const CommandMemory& table : tables) {
      if (table.key == *payload.r_key) observe_table(initiator, tag, table, *payload.address, payload);
    }
  }
  return MessageProtocol::kUnknown;
}

void SrpConnection::observe_table(std::size_t initiator, std::uint64_t tag, const CommandMemory& table,
                                  std::uint64_t address, const DataPayload& payload) {
  constexpr std::uint64_t kDescriptor = 16;
  const std::uint64_t offset = address - table.address;
  if (address < table.address || offset >= table.length || offset % kDescriptor != 0) return;
  const Bytes bytes = payload.bytes;
  Bytes left = bytes.first(std::min<std::uint64_t>(bytes.size(), table.length - offset));
  if (OpenCommand* const open = books_.of(initiator).find(tag);
      open != nullptr && bytes.size() < std::min<std::uint64_t>(payload.length, table.length - offset))
    open->command.place_is_cut = true;
  for (; left.size() >= kDescriptor; left = left.subspan(kDescriptor)) {
    books_.of(initiator).add_memory(tag, memory_of(srp_descriptor_of(left)));
  }
}

void SrpConnection::observe_request(const SendPayload& payload, const SrpMessage& message, CommandSink& log) {
  tables_[payload.sender].erase(message.tag);
  if (OpenCommand* const task = message.task_tag ? books_.of(payload.sender).find(*message.task_tag) : nullptr;
      task != nullptr)
    task->command.detail = message.operation;
  if (!books_.admit(payload, message.tag, log)) return;
  auto open = asked_of_srp(payload, message);
  if (message.opcode == SrpOpcode::kCommand) {
    const SrpOffer offer = srp_offer_of(payload.start());
    open->command.place_is_cut = offer.is_cut;
    for (const SrpMemory& each : offer.data) open->memory.push_back(memory_of(each));
    for (const SrpMemory& each : offer.tables) tables_[payload.sender][message.tag].push_back(memory_of(each));
  }
  books_.add(message.tag, std::move(open));
  // Linux keeps one for task management.
  if (known_.credits.value_or(0) > 1) books_.note_limit(payload, *known_.credits - 1, log);
}

void SrpConnection::observe_response(const SendPayload& payload, const SrpMessage& message, CommandSink& log) {
  tables_[1 - payload.sender].erase(message.tag);
  auto open = books_.take_answered(message.tag, payload);
  const bool is_answer = message.status && is_scsi_answer(*message.status);
  note_scsi_status(message, message.status, is_answer, open->command);
  books_.counts().conclude(open->command, payload.counts);
  books_.answer(std::move(open), log);
}

void SrpConnection::finish(CommandSink& log) {
  books_.finish(log);
  tables_ = {};
}

void SrpConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<SrpConnection*>(&other);
  if (joined == nullptr) return;
  const Known& known = joined->known_;
  if (!known_.initiator && known.initiator) known_.initiator = static_cast<std::uint8_t>(1 - *known.initiator);
  if (!known_.credits) known_.credits = known.credits;
  if (known_.initiator_port.empty()) known_.initiator_port = known.initiator_port;
  if (known_.target_port.empty()) known_.target_port = known.target_port;
  for (std::size_t side = 0; side < 2; ++side) tables_[1 - side].merge(joined->tables_[side]);
  books_.join(joined->books_);
}

void SrpConnection::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kSrp;
  carried.initiator = known_.initiator;
  carried.depth = known_.credits;
  carried.initiator_name = known_.initiator_port;
  carried.target_name = known_.target_port;
  books_.counts().describe(carried);
}

}  // namespace rocescope
