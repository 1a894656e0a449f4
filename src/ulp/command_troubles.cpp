#include "model/command_troubles.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {
namespace {

/// Whether the target takes no data in the capsule, or not so many (NVMe over Fabrics 1.1a, 2.3.1).
bool refuses_capsule(const Command& command) {
  constexpr std::uint32_t kLengthInvalid = 0x0F;  // Data SGL Length Invalid
  constexpr std::uint32_t kOffsetInvalid = 0x16;  // SGL Offset Invalid
  const std::uint32_t status = command.status.value_or(0);
  return command.protocol == UpperProtocol::kNvme && command.in_capsule &&
         (status == kLengthInvalid || status == kOffsetInvalid);
}

FindingId failure_of(const Command& command) {
  if (command.kind == CommandKind::kConnect) return FindingId::kQueueRefused;
  if (command.kind == CommandKind::kIo && refuses_capsule(command)) return FindingId::kInCapsuleRefused;
  const bool moves_data = command.kind == CommandKind::kIo || command.kind == CommandKind::kFile;
  return moves_data ? FindingId::kIoFailed : FindingId::kCommandRefused;
}

/// Where the command was not seen, its response may still say what kind it is.
bool is_failure(const Command& command) {
  if (command.is_answer) return false;
  const bool is_unseen = command.outcome == CommandOutcome::kUnseen && command.kind != CommandKind::kOther;
  return command.outcome == CommandOutcome::kFailed || (is_unseen && command.status.value_or(0) != 0);
}

void add_failure(CommandTroubles::Failure failure, std::vector<CommandTroubles::Failure>& failures) {
  const auto is_alike = [&](const CommandTroubles::Failure& each) {
    return each.id == failure.id && each.operation == failure.operation && each.status == failure.status &&
           each.status_name == failure.status_name && each.detail == failure.detail;
  };
  auto place = std::ranges::find_if(failures, is_alike);
  if (place == failures.end() && failures.size() >= CommandTroubles::kMostKinds) {
    // Counts it with another failure of the same finding, which keeps the number exact.
    place = std::ranges::find(failures, failure.id, &CommandTroubles::Failure::id);
    if (place == failures.end()) return;
  }
  if (place == failures.end()) {
    failures.push_back(std::move(failure));
  } else {
    place->seen.interleave(failure.seen);
  }
}

void add_slow(const Command& command, const CommandTimes& times, Box<CommandTroubles::Slow>& all) {
  CommandTroubles::Slow& slow = all.make();
  slow.seen.add(command.response_packet, *command.completed);
  if (times.total <= slow.worst.total) return;
  slow.worst = times;
  slow.operation = command.operation;
  slow.packet = command.request_packet;
  slow.resent = command.resent;
}

template <class T>
void merge_boxes(const Box<T>& other, Box<T>& into) {
  if (other.get() != nullptr) into.make().merge(*other);
}

/// Where packets were sent again, what is late may be a copy as well.
CommandTimes doubtful_times(Command command) {
  command.doubt_late();
  return command.times().value_or(CommandTimes());
}

/// Whether it has so many unseen data that they may have taken the time counted as the target's.
bool has_unseen_data(const Command& command) {
  constexpr std::uint64_t kMuch = 16'384;  // bytes
  if (command.size_is_cut && command.data_bytes == 0 && !command.in_capsule) return true;
  const std::uint64_t seen = command.in_capsule ? command.bytes : command.data_bytes;
  return command.outcome == CommandOutcome::kSucceeded && command.bytes >= seen + kMuch;
}

}  // namespace

void CommandTroubles::Slow::merge(const Slow& other) {
  Occurrences all = seen;
  all.merge(other.seen);
  if (other.worst.total > worst.total) *this = other;
  seen = all;
}

void CommandTroubles::add(const Command& command, const std::optional<CommandTimes>& times) {
  // The target also sends commands, to check whether the initiator is there.
  if (command.kind != CommandKind::kOther || latency.empty()) initiator = command.initiator;
  if (command.protocol == UpperProtocol::kNvme && command.queue_is_known) shape.queue = command.queue;
  if (command.kind == CommandKind::kTask && command.request_packet != 0) add_task(command);
  if (command.outcome == CommandOutcome::kUnseen) lacks_commands = true;
  if (is_failure(command)) {
    Failure failure{.id = failure_of(command),
                    .operation = command.operation,
                    .detail = command.detail,
                    .status = command.status.value_or(0),
                    .status_name = command.status_name,
                    .seen = {}};
    failure.seen.add(command.failure_packet(), command.completed.value_or(command.issued.value_or(0)));
    add_failure(std::move(failure), failures);
  }
  if (command.kind == CommandKind::kIo && command.bytes > 0 && !command.size_is_cut && command.issued)
    add_shape(command);
  if (!times || command.kind != CommandKind::kIo) return;
  latency.add(static_cast<std::uint64_t>(times->total));
  lacks_places = lacks_places || times->place_is_cut;
  if (times->total < kSlow) return;
  if (times->target >= times->total / 5 * 4 && !has_unseen_data(command))
    add_slow(command, *times, command.is_late() ? late : target);
  if (command.resent > 0 && times->network() >= times->total / 2)
    add_slow(command, command.is_late() ? doubtful_times(command) : *times, copies);
  if (command.resent == 0 && times->request + command.way() >= times->total / 5 * 4) add_slow(command, *times, way);
}

/// There are few functions, so that the list is short.
void CommandTroubles::add_task(const Command& command) {
  auto place = std::ranges::find(tasks, command.operation, &Task::operation);
  if (place == tasks.end()) place = tasks.insert(place, Task{.operation = command.operation, .seen = {}});
  place->seen.add(command.request_packet, command.issued.value_or(0));
}

void CommandTroubles::add_shape(const Command& command) {
  ++shape.commands;
  if (command.protocol == UpperProtocol::kNvme) add_nvme_shape(command);
  if (command.bytes < kBlock) shape.small.add(command.request_packet, *command.issued);
  if (!command.offset || command.blocks.value_or(0) == 0 || command.bytes % *command.blocks != 0) return;
  ++shape.with_blocks;
  const std::uint64_t size = command.bytes / *command.blocks;  // of a block of the device
  if (command.bytes >= kBlock && *command.offset % kBlock * size % kBlock != 0)
    shape.unaligned.add(command.request_packet, *command.issued);
}

/// If there are more than kMostKinds, adds it to another one that had a response as well, or had none.
void CommandTroubles::add(const Retry& retry) {
  const auto is_alike = [&](const Retry& each) {
    return each.operation == retry.operation && each.was_answered == retry.was_answered &&
           each.status == retry.status && each.status_name == retry.status_name;
  };
  auto place = std::ranges::find_if(retries, is_alike);
  if (place == retries.end() && retries.size() >= kMostKinds)
    place = std::ranges::find(retries, retry.was_answered, &Retry::was_answered);
  if (place != retries.end()) {
    if (retry.seen.packets[0] < place->seen.packets[0]) {
      place->first_packet = retry.first_packet;
      place->first_wait = retry.first_wait;
    }
    place->seen.interleave(retry.seen);
  } else if (retries.size() < kMostKinds) {
    retries.push_back(retry);
  } else {
    lacks_retries = true;
  }
}

/// How much a Write may bring with it depends on the target: those that succeeded show it.
void CommandTroubles::add_nvme_shape(const Command& command) {
  constexpr std::uint16_t kWrite = 1;
  if (command.opcode != kWrite || command.outcome != CommandOutcome::kSucceeded) return;
  if (command.in_capsule) shape.most_in_capsule = std::max(shape.most_in_capsule, command.bytes);
  if (command.bytes > shape.most_in_capsule) return;
  ++shape.writes;
  if (!command.in_capsule && command.data_bytes >= command.bytes)
    shape.fetched.add(command.request_packet, *command.issued);
}

void CommandTroubles::merge(const CommandTroubles& other) {
  for (const Failure& failure : other.failures) add_failure(failure, failures);
  for (const Task& task : other.tasks) {
    auto place = std::ranges::find(tasks, task.operation, &Task::operation);
    if (place == tasks.end()) {
      tasks.push_back(task);
    } else {
      place->seen.interleave(task.seen);
    }
  }
  for (const Retry& retry : other.retries) add(retry);
  lacks_retries = lacks_retries || other.lacks_retries;
  lacks_places = lacks_places || other.lacks_places;
  lacks_commands = lacks_commands || other.lacks_commands;
  latency.merge(other.latency);
  merge_boxes(other.target, target);
  merge_boxes(other.late, late);
  merge_boxes(other.copies, copies);
  merge_boxes(other.way, way);
  shape.commands += other.shape.commands;
  shape.with_blocks += other.shape.with_blocks;
  shape.small.merge(other.shape.small);
  shape.unaligned.merge(other.shape.unaligned);
  shape.writes += other.shape.writes;
  shape.fetched.merge(other.shape.fetched);
  shape.most_in_capsule = std::max(shape.most_in_capsule, other.shape.most_in_capsule);
  if (!shape.queue) shape.queue = other.shape.queue;
  for (std::size_t side = 0; side < events.size(); ++side) {
    for (std::size_t event = 0; event < kEvents; ++event) merge_boxes(other.events[side][event], events[side][event]);
  }
}

}  // namespace rocescope
