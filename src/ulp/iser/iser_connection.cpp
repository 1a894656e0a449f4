#include "ulp/iser/iser_connection.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "dissectors/crc32.hpp"
#include "dissectors/ulp/forms.hpp"
#include "rocescope/headers/iscsi.hpp"
#include "ulp/scsi_status.hpp"

namespace rocescope {
namespace {

constexpr std::uint8_t kHelloTypes[] = {0x2, 0x3};

bool is_hello(Bytes message) { return !message.empty() && std::ranges::count(kHelloTypes, message[0] >> 4U) > 0; }

bool is_iscsi_name(std::string_view name) {
  return name.starts_with("iqn.") || name.starts_with("eui.") || name.starts_with("naa.");
}

std::uint64_t less(std::uint64_t whole, std::uint64_t part) { return whole > part ? whole - part : 0; }

}  // namespace

MessageProtocol IserConnection::observe(const SendPayload& payload, CommandSink& log) {
  const Bytes start = payload.start();
  auto message = iscsi_message_of(start);
  if (message && message->tag_is_cut && !find_tag(payload, *message)) message.reset();
  if (!message) {
    if (is_hello(start) && payload.length == IserHello::kSize) return MessageProtocol::kIser;
    if (has_form_of_iser(start, payload.length)) return observe_cut(start);
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  const std::size_t initiator = message->is_of_target() ? 1 - payload.sender : payload.sender;
  if (!initiator_) initiator_ = static_cast<std::uint8_t>(initiator);
  if (initiator != *initiator_) {
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  // An application that sends the same bytes again and again has no commands.
  books_.counts().fit.news += last_tag_ == message->tag ? 0U : 1U;
  last_tag_ = message->tag;
  switch (message->opcode) {
    case IscsiOpcode::kNopOut:
      if (message->tag == kNoIscsiTag) {
        if (message->transfer_tag != kNoIscsiTag) observe_response(payload, *message, message->transfer_tag, log);
        break;
      }
      observe_request(payload, *message, message->tag, log);
      break;
    case IscsiOpcode::kNopIn:
      if (message->tag != kNoIscsiTag) {
        observe_response(payload, *message, message->tag, log);
      } else if (message->transfer_tag != kNoIscsiTag) {
        observe_request(payload, *message, message->transfer_tag, log);
      }
      break;
    case IscsiOpcode::kScsiCommand:
    case IscsiOpcode::kTaskManagement:
    case IscsiOpcode::kLogin:
    case IscsiOpcode::kText:
    case IscsiOpcode::kLogout:
      observe_request(payload, *message, message->tag, log);
      break;
    case IscsiOpcode::kScsiResponse:
    case IscsiOpcode::kTaskManagementResponse:
    case IscsiOpcode::kLoginResponse:
    case IscsiOpcode::kTextResponse:
    case IscsiOpcode::kLogoutResponse:
      observe_response(payload, *message, message->tag, log);
      break;
    case IscsiOpcode::kReject: {
      constexpr std::size_t kTag = 16;  // in the header of what it is about
      if (message->data.size() < kTag + 4) break;
      observe_response(payload, *message, static_cast<std::uint32_t>(load_big_endian(message->data.data() + kTag, 4)),
                       log);
      break;
    }
    case IscsiOpcode::kAsyncMessage:
      observe_event(payload, *message, log);
      break;
    case IscsiOpcode::kDataOut:  // of a command that is known
    case IscsiOpcode::kSnack:
      break;
    case IscsiOpcode::kDataIn:  // not over iSER
    case IscsiOpcode::kReadyToTransfer:
      ++books_.counts().fit.bad;
      break;
  }
  return MessageProtocol::kIser;
}

/// Finds the tag of a SCSI Response whose tag the capture cut off: the response may invalidate an R_Key that only one
/// command offered. A request of the same length is not cut there: it has no R_Key before the message.
bool IserConnection::find_tag(const SendPayload& payload, IscsiMessage& message) {
  if (message.opcode != IscsiOpcode::kScsiResponse || !payload.invalidated_r_key) return false;
  if (!has_form_of_iser(payload.start(), payload.length)) return false;
  const OpenCommand* const asked = books_.of(1 - payload.sender).find_with_key(*payload.invalidated_r_key);
  if (asked == nullptr) return false;
  message.tag = static_cast<std::uint32_t>(asked->command.id);
  return true;
}

MessageProtocol IserConnection::observe_cut(Bytes start) {
  ++cut_;
  const std::uint32_t hash = crc32(0, start.data(), start.size());
  books_.counts().fit.news += last_tag_ == hash ? 0U : 1U;
  last_tag_ = hash;
  return MessageProtocol::kIser;
}

void IserConnection::observe_request(const SendPayload& payload, const IscsiMessage& message, std::uint32_t id,
                                     CommandSink& log) {
  if (message.opcode == IscsiOpcode::kLogin) {
    if (std::string name = iscsi_text(message.data, "InitiatorName"); !name.empty()) initiator_name_ = std::move(name);
    if (std::string name = iscsi_text(message.data, "TargetName"); !name.empty()) target_name_ = std::move(name);
  }
  if (OpenCommand* const task = message.task_tag ? books_.of(payload.sender).find(*message.task_tag) : nullptr;
      task != nullptr)
    task->command.detail = message.operation;
  if (!books_.admit(payload, id, log)) return;
  auto open = OpenCommand::asked_by(payload, id);
  Command& command = open->command;
  command.opcode = message.number;
  command.opcode_is_cut = message.opcode_is_cut;
  command.operation = message.operation;
  if (!message.detail.empty()) command.detail = message.detail;
  command.target = message.lun;
  command.offset = message.offset;
  command.blocks = message.blocks;
  command.bytes = message.bytes;
  command.size_is_cut = message.size_is_cut;
  if (message.is_io) command.kind = CommandKind::kIo;
  if (message.opcode == IscsiOpcode::kLogin) command.kind = CommandKind::kConnect;
  if (message.opcode == IscsiOpcode::kTaskManagement) command.kind = CommandKind::kTask;
  if (message.opcode == IscsiOpcode::kScsiCommand)
    command.in_capsule = message.data_length > 0 && message.data_length >= message.bytes;
  const std::uint64_t bytes = message.size_is_cut ? CommandMemory::kUnsized : message.bytes;
  if (message.write_from) {
    // Data that came with the command need no READ.
    const std::uint64_t left = less(bytes, message.data_length);
    open->memory.push_back({message.write_from->key, message.write_from->address, left});
  }
  if (message.read_to) open->memory.push_back({message.read_to->key, message.read_to->address, bytes});
  books_.add(id, std::move(open));
}

void IserConnection::observe_response(const SendPayload& payload, const IscsiMessage& message, std::uint32_t id,
                                      CommandSink& log) {
  auto open = books_.take_answered(id, payload);
  Command& command = open->command;
  // A connection that was refused has no other command: names are a strong sign (RFC 3720, 3.2.6.3).
  const bool is_login = message.opcode == IscsiOpcode::kLoginResponse && command.kind == CommandKind::kConnect;
  if (is_login && is_iscsi_name(initiator_name_)) books_.counts().fit.is_proven = true;
  const std::optional<std::uint32_t> status = message.opcode == IscsiOpcode::kNopOut
                                                  ? std::optional<std::uint32_t>(0)
                                                  : message.status;  // it answers the target
  note_scsi_status(message, status, status && is_iscsi_answer(*status), command);
  books_.counts().conclude(command, payload.counts);
  books_.answer(std::move(open), log);
}

void IserConnection::observe_event(const SendPayload& payload, const IscsiMessage& message, CommandSink& log) {
  const auto open = OpenCommand::asked_by(payload, message.tag);
  Command& command = open->command;
  command.opcode = message.number;
  command.operation = message.operation;
  command.detail = message.detail;
  command.target = message.lun;
  books_.add_event(*open, log);
}

void IserConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<IserConnection*>(&other);
  if (joined == nullptr) return;
  if (!initiator_ && joined->initiator_) initiator_ = static_cast<std::uint8_t>(1 - *joined->initiator_);
  books_.join(joined->books_);
  if (initiator_name_.empty()) initiator_name_ = joined->initiator_name_;
  if (target_name_.empty()) target_name_ = joined->target_name_;
  cut_ += joined->cut_;
}

void IserConnection::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kIser;
  carried.initiator = initiator_;
  carried.initiator_name = initiator_name_;
  carried.target_name = target_name_;
  books_.counts().describe(carried);
  carried.unreadable += cut_;
}

}  // namespace rocescope
