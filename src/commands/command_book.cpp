#include "commands/command_book.hpp"

#include <algorithm>
#include <iterator>

namespace rocescope {

OpenCommand OpenCommand::asked_by(const SendPayload& payload, std::uint64_t id) {
  OpenCommand open{.command = {}, .request = payload.first_psn, .response = {}, .memory = {}, .counts = payload.counts};
  open.command.initiator = static_cast<std::uint8_t>(payload.sender);
  open.command.id = id;
  open.command.request_packet = payload.first_frame;
  open.command.issued = payload.record->packet->frame.timestamp;
  return open;
}

OpenCommand CommandBook::take_answered(std::uint64_t id, const SendPayload& payload, std::uint64_t& known) {
  OpenCommand open;
  if (std::optional<OpenCommand> command = take(id)) {
    open = *std::move(command);
    ++known;
  } else {
    open.command.initiator = static_cast<std::uint8_t>(1 - payload.sender);
    open.command.id = id;
  }
  open.response = payload.first_psn;
  open.counts = payload.counts;
  open.command.response_packet = payload.record->packet->frame.number;
  open.command.completed = payload.record->packet->frame.timestamp;
  open.command.response_resent = payload.resent;
  return open;
}

OpenCommand* CommandBook::find(std::uint64_t id) {
  const auto place = outstanding_.find(id);
  return place == outstanding_.end() ? nullptr : &place->second;
}

OpenCommand& CommandBook::add(std::uint64_t id, OpenCommand&& open) {
  index(id, open);
  return outstanding_.emplace(id, std::move(open)).first->second;
}

void CommandBook::index(std::uint64_t id, const OpenCommand& open) {
  requests_[{open.request.value(), id}] = open.command.request_packet;
  for (const CommandMemory& memory : open.memory) memory_[{memory.key, memory.address}] = id;
}

void CommandBook::add_memory(std::uint64_t id, const CommandMemory& memory) {
  OpenCommand* const open = find(id);
  if (open == nullptr || open->memory.size() >= kMostMemory) return;
  open->memory.push_back(memory);
  memory_[{memory.key, memory.address}] = id;
}

std::optional<OpenCommand> CommandBook::take(std::uint64_t id) {
  const auto place = outstanding_.find(id);
  if (place == outstanding_.end()) return std::nullopt;
  OpenCommand open = std::move(place->second);
  outstanding_.erase(place);
  requests_.erase({open.request.value(), id});
  for (const CommandMemory& each : open.memory) {
    const auto memory = memory_.find({each.key, each.address});
    if (memory != memory_.end() && memory->second == id) memory_.erase(memory);
  }
  return open;
}

std::optional<OpenCommand> CommandBook::answer(OpenCommand&& open) {
  finishing_.push_back(std::move(open));
  if (finishing_.size() <= kMostFinishing) return std::nullopt;
  OpenCommand oldest = std::move(finishing_.front());
  finishing_.pop_front();
  return oldest;
}

std::vector<OpenCommand> CommandBook::end_response(const Message& message) {
  std::vector<OpenCommand> over;
  const auto place = std::ranges::find(finishing_, message.first_psn, &OpenCommand::response);
  if (place == finishing_.end()) return over;
  place->command.resent += message.resent ? 1U : 0U;
  // All before it are over as well: messages of one side end in their order.
  auto left = place - finishing_.begin() + 1;
  // And those that it answers too.
  for (auto next = place + 1; next != finishing_.end() && next->response == message.first_psn; ++next, ++left)
    next->command.resent += message.resent ? 1U : 0U;
  for (; left > 0; --left) {
    over.push_back(std::move(finishing_.front()));
    finishing_.pop_front();
  }
  return over;
}

void CommandBook::end_request(const Message& message) {
  const auto note = [&](Command& command) {
    command.resent += message.resent ? 1U : 0U;
    // One of several messages began with another.
    if (message.has_first && command.issued) command.issued = std::min(*command.issued, message.first_time);
    if (message.outcome == MessageOutcome::kCompleted && message.completion_frame != 0)
      command.acknowledged = message.completion_time;
  };
  const std::uint32_t psn = message.first_psn.value();
  for (auto place = requests_.lower_bound({psn, 0}); place != requests_.end() && place->first.first == psn;) {
    if (OpenCommand* const open = find(place->first.second); open != nullptr) note(open->command);
    place = requests_.erase(place);
  }
  for (OpenCommand& open : finishing_) {
    if (open.command.request_packet != 0 && open.request == message.first_psn) note(open.command);
  }
}

/// That asked for the message's data; null: none is known.
OpenCommand* CommandBook::with_data(const Message& message) {
  if (!message.address || !message.r_key) return nullptr;
  const auto has_it = [&](const OpenCommand& open) {
    return std::ranges::any_of(open.memory, [&](const CommandMemory& memory) { return memory.has(message); });
  };
  if (const auto open = std::ranges::find_if(finishing_, has_it); open != finishing_.end()) return &*open;
  const auto behind = memory_.upper_bound({*message.r_key, *message.address});
  if (behind == memory_.begin()) return nullptr;
  const auto place = outstanding_.find(std::prev(behind)->second);
  return place != outstanding_.end() && has_it(place->second) ? &place->second : nullptr;
}

void CommandBook::end_data(const Message& message) {
  OpenCommand* const open = with_data(message);
  if (open == nullptr) return;
  Command& command = open->command;
  command.resent += message.resent ? 1U : 0U;
  if (!message.reopened) command.data_bytes += message.bytes;
  const bool was_answered = message.is_read() && message.completion_frame != 0;
  const std::int64_t last = was_answered ? message.completion_time : message.last_time;
  if (message.has_first)
    command.first_data = std::min(command.first_data.value_or(message.first_time), message.first_time);
  command.last_data = std::max(command.last_data.value_or(last), last);
}

std::vector<OpenCommand> CommandBook::take_all() {
  std::vector<OpenCommand> all(std::make_move_iterator(finishing_.begin()), std::make_move_iterator(finishing_.end()));
  const auto finished = static_cast<std::ptrdiff_t>(all.size());
  for (auto& [id, open] : outstanding_) all.push_back(std::move(open));
  std::ranges::sort(all.begin() + finished, all.end(), {},
                    [](const OpenCommand& open) { return open.command.request_packet; });
  finishing_.clear();
  outstanding_.clear();
  requests_.clear();
  memory_.clear();
  return all;
}

void CommandBook::join(CommandBook& other) {
  for (auto& [id, open] : other.outstanding_) {
    if (!is_full() && !outstanding_.contains(id)) add(id, std::move(open));
  }
  for (OpenCommand& open : other.finishing_) finishing_.push_back(std::move(open));
}

}  // namespace rocescope
