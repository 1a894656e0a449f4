#include "ulp/smb_direct/smb_connection.hpp"

#include <algorithm>
#include <utility>

#include "dissectors/crc32.hpp"

namespace rocescope {
namespace {

CommandKind kind_of_smb(SmbCommand command) {
  switch (command) {
    case SmbCommand::kNegotiate:
    case SmbCommand::kSessionSetup:
    case SmbCommand::kTreeConnect:
      return CommandKind::kConnect;
    case SmbCommand::kRead:
    case SmbCommand::kWrite:
    case SmbCommand::kFlush:
      return CommandKind::kIo;
    case SmbCommand::kLogoff:
    case SmbCommand::kTreeDisconnect:
    case SmbCommand::kCancel:
    case SmbCommand::kEcho:
    case SmbCommand::kNotification:
      return CommandKind::kOther;
    default:
      return CommandKind::kFile;
  }
}

std::unique_ptr<OpenCommand> asked_of_smb(const SendPayload& payload, SmbMessage&& message) {
  auto open = OpenCommand::asked_by(payload, message.id);
  Command& command = open->command;
  command.opcode = message.number;
  command.operation = message.operation;
  command.detail = std::move(message.detail);
  command.target = message.tree;
  command.offset = message.offset;
  command.file = message.file;
  command.bytes = message.bytes;
  command.size_is_cut = message.size_is_cut;
  command.in_capsule = message.is_inline;
  command.place_is_cut = message.place_is_cut;
  command.kind = kind_of_smb(message.command());
  for (const SmbMemory& each : message.memory) open->memory.push_back({each.key, each.address, each.length});
  return open;
}

}  // namespace

MessageProtocol SmbConnection::observe(const SendPayload& payload, CommandSink& log) {
  const auto message = smb_direct_message_of(payload.start(), payload.length);
  if (!message) {
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  credits_.observe(payload, *message, log);
  if (message->kind == SmbDirectMessage::Kind::kData) {
    if (message->data_length > 0) observe_fragment(payload, *message, log);
  } else if (!client_) {
    const bool is_request = message->kind == SmbDirectMessage::Kind::kRequest;
    client_ = static_cast<std::uint8_t>(is_request ? payload.sender : 1 - payload.sender);
  }
  return MessageProtocol::kSmbDirect;
}

void SmbConnection::observe_fragment(const SendPayload& payload, const SmbDirectMessage& fragment, CommandSink& log) {
  Fragments& so_far = fragments_[payload.sender];
  const std::uint64_t left = std::uint64_t{fragment.data_length} + fragment.remaining;
  if (so_far.left != left) {  // the first, or others before it were not seen
    cut_ += so_far.left > 0 ? 1U : 0U;
    so_far = {.first_frame = payload.first_frame, .first_time = payload.record->packet->frame.timestamp, .bytes = {}};
    if (smb_form_of(fragment.data) == SmbForm::kNone) {
      ++cut_;
      return;
    }
    if (fragment.remaining == 0) return observe_message(payload, fragment.data, so_far, log);
  }
  so_far.left = fragment.remaining;
  if (so_far.is_whole) {
    const std::size_t size = std::min(fragment.data.size(), kMostKept - so_far.bytes.size());
    so_far.bytes.insert(so_far.bytes.end(), fragment.data.begin(),
                        fragment.data.begin() + static_cast<std::ptrdiff_t>(size));
    so_far.is_whole = size == fragment.data_length;
  }
  if (so_far.left > 0) return;
  const Fragments whole = std::exchange(so_far, {});
  observe_message(payload, whole.bytes, whole, log);
}

void SmbConnection::observe_message(const SendPayload& payload, Bytes message, const Fragments& first,
                                    CommandSink& log) {
  // An application that sends the same bytes again and again has no commands.
  constexpr std::size_t kHeader = 64;
  const std::uint32_t hash = crc32(0, message.data(), std::min(message.size(), kHeader));
  books_.counts().fit.news += last_hash_ == hash ? 0U : 1U;
  last_hash_ = hash;
  if (smb_form_of(message) == SmbForm::kEncrypted) {
    encrypted_ += payload.counts ? 1U : 0U;
    return;
  }
  std::vector<SmbMessage> commands;
  if (smb_form_of(message) == SmbForm::kPlain) commands = smb_messages_of(message);
  if (!commands.empty() && !find_id(payload, commands.back())) {
    commands.pop_back();
    if (!commands.empty()) commands.back().next_is_cut = true;
  }
  if (commands.empty() || commands.back().next_is_cut) ++cut_;
  const bool is_cut_answer = !commands.empty() && commands.back().is_response && commands.back().next_is_cut;
  const std::uint64_t last = commands.empty() ? 0 : commands.back().id;
  const OpenCommand* const asked = is_cut_answer ? books_.of(1 - payload.sender).find(last) : nullptr;
  const std::uint64_t request = asked == nullptr ? 0 : asked->command.request_packet;
  for (SmbMessage& each : commands) observe_command(payload, std::move(each), first, log);
  if (request != 0) observe_cut_responses(payload, request, log);
}

/// Only a part of the ID of a response may have been captured: it is known if only one outstanding command has that
/// part.
bool SmbConnection::find_id(const SendPayload& payload, SmbMessage& message) {
  if (message.id_size == 8) return true;
  const std::uint64_t known = (std::uint64_t{1} << 8U * message.id_size) - 1;
  std::uint64_t found = 0;
  std::uint64_t id = 0;
  books_.of(1 - payload.sender).visit_outstanding([&](const OpenCommand& open) {
    const bool is_it = (open.command.id & known) == message.id && open.command.opcode == message.number;
    found += is_it ? 1U : 0U;
    if (is_it) id = open.command.id;
  });
  message.id = id;
  return found == 1;
}

/// Responses to the other commands of the message that `request` begins follow in this one, and were not captured.
void SmbConnection::observe_cut_responses(const SendPayload& payload, std::uint64_t request, CommandSink& log) {
  std::vector<std::uint64_t> ids;
  books_.of(1 - payload.sender).visit_outstanding([&](const OpenCommand& open) {
    if (open.command.request_packet == request) ids.push_back(open.command.id);
  });
  for (const std::uint64_t id : ids) {
    auto open = books_.take_answered(id, payload);
    books_.counts().conclude(open->command, payload.counts);
    books_.answer(std::move(open), log);
  }
}

void SmbConnection::observe_command(const SendPayload& payload, SmbMessage&& message, const Fragments& first,
                                    CommandSink& log) {
  const std::size_t client = message.is_response ? 1 - payload.sender : payload.sender;
  if (!client_) client_ = static_cast<std::uint8_t>(client);
  if (client != *client_) {
    ++books_.counts().fit.bad;
    return;
  }
  if (message.is_notice() || message.command() == SmbCommand::kCancel) {
    books_.add_event(*asked_of_smb(payload, std::move(message)), log);
  } else if (message.is_response) {
    observe_response(payload, message, log);
  } else {
    observe_request(payload, std::move(message), first, log);
  }
}

void SmbConnection::observe_request(const SendPayload& payload, SmbMessage&& message, const Fragments& first,
                                    CommandSink& log) {
  const std::uint64_t id = message.id;
  if (!books_.admit(payload, id, log)) return;
  auto open = asked_of_smb(payload, std::move(message));
  open->command.request_packet = first.first_frame;
  open->command.issued = first.first_time;
  books_.add(id, std::move(open));
}

void SmbConnection::observe_response(const SendPayload& payload, const SmbMessage& message, CommandSink& log) {
  if (message.is_pending) return;
  auto open = books_.take_answered(message.id, payload);
  Command& command = open->command;
  if (command.operation.empty()) {  // its request was not seen
    command.opcode = message.number;
    command.operation = message.operation;
    command.kind = kind_of_smb(message.command());
  }
  if (!command.target) command.target = message.tree;
  command.status = message.status;
  command.is_answer = message.follows_failure || (command.kind != CommandKind::kConnect &&
                                                  is_smb_answer(message.status, command.kind == CommandKind::kIo));
  books_.counts().conclude(command, payload.counts, !is_smb_success(message.status));
  if (message.command() == SmbCommand::kTreeConnect && message.status == 0 && !command.detail.empty())
    share_ = command.detail;
  books_.answer(std::move(open), log);
}

void SmbConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<SmbConnection*>(&other);
  if (joined == nullptr) return;
  if (!client_ && joined->client_) client_ = static_cast<std::uint8_t>(1 - *joined->client_);
  for (std::size_t side = 0; side < 2; ++side) {
    if (fragments_[1 - side].left == 0) fragments_[1 - side] = std::move(joined->fragments_[side]);
  }
  credits_.forget();
  books_.join(joined->books_);
  if (share_.empty()) share_ = joined->share_;
  encrypted_ += joined->encrypted_;
  cut_ += joined->cut_;
}

void SmbConnection::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kSmbDirect;
  carried.initiator = client_;
  carried.target_name = share_;
  books_.counts().describe(carried);
  carried.unreadable += cut_;
  carried.encrypted = encrypted_;
}

}  // namespace rocescope
