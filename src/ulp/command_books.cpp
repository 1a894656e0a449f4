#include "ulp/command_books.hpp"

#include <algorithm>
#include <utility>

#include "dissectors/ulp/iser/iscsi_message.hpp"
#include "dissectors/ulp/nfs/nfs_call.hpp"
#include "dissectors/ulp/rtrs/rtrs_message.hpp"
#include "dissectors/ulp/smb_direct/smb_message.hpp"
#include "dissectors/ulp/srp/srp_message.hpp"

namespace rocescope {
namespace {

std::string_view status_name_of(UpperProtocol protocol, std::uint32_t status) {
  switch (protocol) {
    case UpperProtocol::kNfs:
      return nfs_status_name(status);
    case UpperProtocol::kIser:
      return iscsi_status_name(status);
    case UpperProtocol::kSrp:
      return srp_status_name(status);
    case UpperProtocol::kSmbDirect:
      return smb_status_name(status);
    case UpperProtocol::kRtrs:
      return errno_name(status);
    default:
      return {};
  }
}

}  // namespace

void CommandBooks::note_limit(const SendPayload& payload, std::size_t limit, CommandSink& log) const {
  if (!payload.counts || books_[payload.sender].outstanding() < limit) return;
  const Packet& packet = *payload.record->packet;
  log.add(SideEvent{.kind = CommandTroubles::Event::kQueueFull,
                    .connection = connection_,
                    .side = payload.sender,
                    .from = packet.frame.timestamp,
                    .to = packet.frame.timestamp,
                    .packet = packet.frame.number,
                    .limit = limit});
}

void CommandBooks::add_event(OpenCommand& open, CommandSink& log) {
  counts_.commands += open.counts ? 1U : 0U;
  open.command.outcome = CommandOutcome::kSucceeded;
  report(open, log);
}

void CommandBooks::end(std::size_t side, const Message& message, CommandSink& log, bool is_data) {
  if (is_data) return books_[1 - side].end_data(message);
  books_[side].end_request(message);
  CommandBook& book = books_[1 - side];
  for (std::size_t over = book.end_response(message); over > 0; --over) report(*book.take_oldest(), log);
}

void CommandBooks::finish(CommandSink& log) {
  for (CommandBook& book : books_) {
    for (const auto& open : book.take_all()) {
      // A read of SMB may wait for data of a pipe.
      if (open->is_unanswered() && protocol_ != UpperProtocol::kSmbDirect)
        log.add(SideEvent::unanswered(connection_, open->command));
      report(*open, log);
    }
  }
}

void CommandBooks::join(CommandBooks& other) {
  for (std::size_t side = 0; side < 2; ++side) {
    other.books_[side].visit([&](OpenCommand& open) { open.command.initiator = static_cast<std::uint8_t>(1 - side); });
    counts_.unfollowed += books_[1 - side].join(other.books_[side], counts_.depth);
  }
  counts_.join(other.counts_);
}

void CommandBooks::report(OpenCommand& open, CommandSink& log) {
  Command& command = open.command;
  command.connection = connection_;
  command.protocol = protocol_;
  if (command.status) command.status_name = status_name_of(protocol_, *command.status);
  const auto is_unsized = [](const CommandMemory& memory) { return memory.length == CommandMemory::kUnsized; };
  if (!command.size_is_cut && std::ranges::any_of(open.memory, is_unsized)) command.bytes = command.data_bytes;
  open.note_copies();
  CommandBook::end(open, counts_.depth, books_);
  log.add(std::move(command), open.counts);
}

}  // namespace rocescope
