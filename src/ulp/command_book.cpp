#include "ulp/command_book.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {
namespace {

#ifdef ROCESCOPE_SANITIZED
constexpr std::size_t kMostSpare = 0;  // so that the sanitizer sees a command that is used when it is over
#else
constexpr std::size_t kMostSpare = 64;
#endif

/// Memory of commands that are over, of a thread.
class SpareMemory {
 public:
  SpareMemory() = default;
  SpareMemory(const SpareMemory&) = delete;
  SpareMemory& operator=(const SpareMemory&) = delete;
  ~SpareMemory() {
    while (count_ > 0) ::operator delete(blocks_[--count_]);
  }
  [[nodiscard]] void* take(std::size_t size) { return count_ > 0 ? blocks_[--count_] : ::operator new(size); }
  /// An empty list that has room, if there is one.
  [[nodiscard]] std::vector<CommandMemory> take_list() {
    return lists_count_ > 0 ? std::move(lists_[--lists_count_]) : std::vector<CommandMemory>();
  }
  void give(void* memory) noexcept {
    if (count_ < blocks_.size()) {
      blocks_[count_++] = memory;
    } else {
      ::operator delete(memory);
    }
  }
  void give(std::vector<CommandMemory>&& list) noexcept {
    constexpr std::size_t kMostRoom = 64;  // places
    if (list.capacity() == 0 || list.capacity() > kMostRoom || lists_count_ == lists_.size()) return;
    list.clear();
    lists_[lists_count_++] = std::move(list);
  }

 private:
  std::array<void*, kMostSpare> blocks_{};
  std::size_t count_ = 0;
  std::array<std::vector<CommandMemory>, kMostSpare> lists_;
  std::size_t lists_count_ = 0;
};

thread_local SpareMemory spare_memory;

}  // namespace

void* OpenCommand::operator new(std::size_t size) { return spare_memory.take(size); }
void OpenCommand::operator delete(void* memory) noexcept { spare_memory.give(memory); }
OpenCommand::~OpenCommand() { spare_memory.give(std::move(memory)); }

std::unique_ptr<OpenCommand> OpenCommand::asked_by(const SendPayload& payload, std::uint64_t id) {
  auto open = std::make_unique<OpenCommand>();
  open->request = payload.first_psn;
  open->memory = spare_memory.take_list();
  open->counts = payload.counts;
  open->command.initiator = static_cast<std::uint8_t>(payload.sender);
  open->command.id = id;
  open->command.request_packet = payload.first_frame;
  open->command.issued = payload.record->packet->frame.timestamp;
  return open;
}

void OpenCommand::mark_copies() noexcept {
  const CommandWaits waits = command.waits();
  const auto note = [&](std::int64_t wait, Copied& copied) {
    if (copied == Copied::kNo && wait >= copy_after) copied = Copied::kLate;
  };
  note(waits.data, command.data_copied);
  note(waits.response, command.response_copied);
}

void OpenCommand::note_request_end(const Message& message) noexcept {
  command.resent += message.resent ? 1U : 0U;
  // If it has several messages, an earlier one began it.
  if (message.has_first && command.issued) command.issued = std::min(*command.issued, message.first_time);
  if (message.outcome == MessageOutcome::kCompleted && message.completion_frame != 0)
    command.acknowledged = message.completion_time;
}

std::unique_ptr<OpenCommand> CommandBook::take_answered(std::uint64_t id, const SendPayload& payload,
                                                        std::uint64_t& known) {
  std::unique_ptr<OpenCommand> open = take(id);
  if (open != nullptr) {
    ++known;
  } else {
    open = std::make_unique<OpenCommand>();
    open->command.initiator = static_cast<std::uint8_t>(1 - payload.sender);
    open->command.id = id;
  }
  open->response = payload.first_psn;
  open->response_end = payload.record->packet->roce.psn;
  open->counts = payload.counts;
  open->command.response_packet = payload.record->packet->frame.number;
  open->command.completed = payload.record->packet->frame.timestamp;
  open->command.response_copied = payload.resent ? Copied::kYes : Copied::kNo;
  open->copy_after = payload.copy_after;
  const bool may_follow = payload.copy_after > 0 && (last_late_ || open->is_long());
  if (may_follow && follows_copy(*open)) open->copy_after = 1;
  return open;
}

/// Whether it was answered directly after a command whose response may be a copy. Then its own response, too, may be
/// one, and those that follow.
bool CommandBook::follows_copy(const OpenCommand& open) {
  constexpr std::int64_t kTogether = 1'000'000;  // ns
  const std::int64_t now = *open.command.completed;
  const std::int64_t since = last_late_ ? elapsed(*last_late_, now) : kTogether;
  const bool follows = since >= 0 && since < kTogether;
  if (follows || (open.is_long() && open.command.waits().response >= open.copy_after)) last_late_ = now;
  return follows;
}

OpenCommand* CommandBook::find_with_key(std::uint32_t r_key) {
  auto place = memory_.lower_bound({r_key, 0});
  if (place == memory_.end() || place->first.first != r_key) return nullptr;
  const std::uint64_t id = place->second;
  for (; place != memory_.end() && place->first.first == r_key; ++place) {
    if (place->second != id) return nullptr;
  }
  return find(id);
}

void CommandBook::add(std::uint64_t id, std::unique_ptr<OpenCommand>&& open) {
  const std::pair request(open->request.value(), id);
  const bool is_last = requests_.empty() || requests_.back() < request;  // as most are
  requests_.insert(is_last ? requests_.end() : std::ranges::upper_bound(requests_, request), request);
  for (const CommandMemory& memory : open->memory) note_memory(memory, id);
  if (const auto& issued = open->command.issued) last_issued_ = std::max(last_issued_.value_or(*issued), *issued);
  outstanding_.emplace(place_of(id), id, std::move(open));
}

void CommandBook::note_memory(const CommandMemory& memory, std::uint64_t id) {
  const std::pair place(memory.key, memory.address);
  if (spare_.empty()) {
    memory_[place] = id;
    return;
  }
  spare_.key() = place;
  spare_.mapped() = id;
  auto noted = memory_.insert(std::move(spare_));
  spare_ = std::move(noted.node);
  if (!noted.inserted) noted.position->second = id;
}

void CommandBook::add_memory(std::uint64_t id, const CommandMemory& memory) {
  OpenCommand* const open = find(id);
  if (open == nullptr || open->memory.size() >= kMostMemory) return;
  open->memory.push_back(memory);
  note_memory(memory, id);
}

std::unique_ptr<OpenCommand> CommandBook::take(std::uint64_t id) {
  if (outstanding_.empty()) return nullptr;
  const auto place = place_of(id);
  if (place == outstanding_.end() || place->first != id) return nullptr;
  std::unique_ptr<OpenCommand> open = std::move(place->second);
  outstanding_.erase(place);
  const std::pair request(open->request.value(), id);
  const auto known = std::ranges::lower_bound(requests_, request);
  if (known != requests_.end() && *known == request) requests_.erase(known);
  for (const CommandMemory& each : open->memory) {
    const auto memory = memory_.find({each.key, each.address});
    if (memory != memory_.end() && memory->second == id) spare_ = memory_.extract(memory);
  }
  return open;
}

void CommandBook::note_taken(const TakenAgain& taken) {
  const bool begins = taken.opcode.position == Position::kFirst || taken.opcode.position == Position::kOnly;
  if (!begins && !taken_.empty() && taken.psn == taken_.back().last + 1) {
    taken_.back().last = taken.psn;
    taken_.back().time = taken.time;
    return;
  }
  if (taken_.size() >= kMostTaken) taken_.erase(taken_.begin());
  taken_.push_back({taken.psn, taken.psn, taken.time});
}

/// A WRITE of the data of `open`, which may be null, ended. Forgets what was taken again of it and of earlier WRITEs.
/// Returns whether some of it was.
bool CommandBook::end_taken(const Message& message, OpenCommand* open) {
  bool any = false;
  std::erase_if(taken_, [&](const TakenData& taken) {
    if (taken.last.after(message.last_psn)) return false;
    if (taken.last.before(message.first_psn)) return true;
    any = true;
    if (open == nullptr) return true;
    std::optional<std::int64_t>& last = open->command.data_taken;
    last = std::max(last.value_or(taken.time), taken.time);
    return true;
  });
  return any;
}

void CommandBook::observe(const TakenAgain& taken) {
  if (taken.opcode.operation == Operation::kWrite) note_taken(taken);
  for (const auto& open : finishing_) {
    Command& command = open->command;
    if (open->response_end.before(taken.psn) || !command.completed || *command.completed > taken.time) continue;
    if (!command.answered) command.answered = command.completed;
    command.completed = taken.time;
  }
}

std::size_t CommandBook::end_response(const Message& message) {
  const auto is_it = [&](const auto& open) { return open->response == message.first_psn; };
  const auto first = std::ranges::find_if(finishing_, is_it);
  auto behind = first;  // it answers the requests in between, too
  for (; behind != finishing_.end() && is_it(*behind); ++behind) (*behind)->command.resent += message.resent ? 1U : 0U;
  // All before it are over as well: messages of one side end in their order.
  return behind == first ? 0 : static_cast<std::size_t>(behind - finishing_.begin());
}

void CommandBook::note_request_end(const Message& message) {
  if (message.outcome == MessageOutcome::kCompleted && message.completion_frame != 0 && !message.resent) {
    const std::int64_t time = elapsed(message.last_time, message.completion_time);
    if (time >= 0) round_trip_ = acks_++ == 0 ? time : std::min(round_trip_, time);
  }
  const std::uint32_t psn = message.first_psn.value();
  const auto first = std::ranges::lower_bound(requests_, std::pair(psn, std::uint64_t{0}));
  auto behind = first;
  for (; behind != requests_.end() && behind->first == psn; ++behind) {
    if (OpenCommand* const open = find(behind->second); open != nullptr) open->note_request_end(message);
  }
  requests_.erase(first, behind);
  for (const auto& open : finishing_) {
    if (open->command.request_packet != 0 && open->request == message.first_psn) open->note_request_end(message);
  }
}

/// The command that asked for the data of the message; null: none is known.
OpenCommand* CommandBook::with_data(const Message& message) {
  if (!message.address || !message.r_key) return nullptr;
  const auto has_it = [&](const auto& open) {
    return std::ranges::any_of(open->memory, [&](const CommandMemory& memory) { return memory.has(message); });
  };
  if (const auto open = std::ranges::find_if(finishing_, has_it); open != finishing_.end()) return open->get();
  const auto behind = memory_.upper_bound({*message.r_key, *message.address});
  if (behind == memory_.begin()) return nullptr;
  const auto place = place_of(std::prev(behind)->second);
  const bool is_here = place != outstanding_.end() && place->first == std::prev(behind)->second;
  return is_here && has_it(place->second) ? place->second.get() : nullptr;
}

/// Data came again after all of them had been seen: they, or their ACK, were lost after the capture point.
void CommandBook::note_again(const Message& message, OpenCommand& open) {
  constexpr std::int64_t kMicrosecond = 1'000;
  const std::int64_t last = (std::int64_t{message.late_us} - 1) * kMicrosecond;  // it is rounded up
  const std::int64_t acknowledged = elapsed(message.first_time, message.completion_time);
  if (last <= elapsed(message.first_time, message.last_time) || message.completion_frame == 0 || acknowledged < last)
    return;
  open.data_again = std::max(open.data_again, message.first_time + last);
}

void CommandBook::end_data(const Message& message, OpenCommand* other) {
  OpenCommand* const known = with_data(message);
  OpenCommand* const open = known == nullptr ? other : known;
  const bool was_taken = !taken_.empty() && !message.is_read() && end_taken(message, open);
  if (open == nullptr) return;
  Command& command = open->command;
  command.resent += message.resent ? 1U : 0U;
  if (!message.reopened) command.data_bytes += message.bytes;
  const bool was_answered = message.is_read() && message.completion_frame != 0;
  const std::int64_t last = was_answered ? message.completion_time : message.last_time;
  if (message.has_first)
    command.first_data = std::min(command.first_data.value_or(message.first_time), message.first_time);
  command.last_data = std::max(command.last_data.value_or(last), last);
  if (message.resent && !message.is_read() && !was_taken) note_again(message, *open);
  if (!message.is_read()) return;
  constexpr std::uint64_t kEnoughAcks = 8;  // the first ones take longer: nothing is in a cache
  command.round_trip = round_trip_;
  command.round_trip_is_sure = acks_ >= kEnoughAcks;
}

std::vector<std::unique_ptr<OpenCommand>> CommandBook::take_all() {
  std::vector<std::unique_ptr<OpenCommand>> all(std::make_move_iterator(finishing_.begin()),
                                                std::make_move_iterator(finishing_.end()));
  const auto finished = static_cast<std::ptrdiff_t>(all.size());
  for (auto& [id, open] : outstanding_) {
    open->is_metered = false;  // it goes on behind the end
    all.push_back(std::move(open));
  }
  std::ranges::stable_sort(all.begin() + finished, all.end(), {},
                           [](const auto& open) { return open->command.request_packet; });
  finishing_.clear();
  outstanding_.clear();
  requests_.clear();
  memory_.clear();
  return all;
}

std::uint64_t CommandBook::join(CommandBook& other, DepthMeter& depth) {
  std::uint64_t dropped = 0;
  const auto begin = [&](OpenCommand& open) {
    if (open.is_metered) open.begin(depth);
  };
  for (auto& [id, open] : other.outstanding_) {
    if (is_full() || find(id) != nullptr) {
      dropped += open->counts ? 1U : 0U;
      continue;
    }
    begin(*open);
    add(id, std::move(open));
  }
  for (auto& open : other.finishing_) {
    begin(*open);
    finishing_.push_back(std::move(open));
  }
  last_late_ = std::max(last_late_, other.last_late_);
  if (acks_ == 0) round_trip_ = other.round_trip_;
  acks_ += other.acks_;
  if (taken_.empty()) taken_ = std::move(other.taken_);
  return dropped;
}

void CommandBook::end(const OpenCommand& open, DepthMeter& depth, std::span<const CommandBook> books) {
  const Command& command = open.command;
  if (open.is_metered)
    depth.end(open.asked, command.over().value_or(depth.latest()),
              std::max(command.request_packet, command.response_packet));
  if (!depth.is_due()) return;
  // A copy of a response may still come while the response is not taken.
  std::int64_t until = depth.latest();
  for (const CommandBook& book : books) {
    for (const auto& each : book.finishing_) until = std::min(until, each->command.completed.value_or(until));
  }
  depth.settle(until - DepthMeter::kMostBack);
}

}  // namespace rocescope
