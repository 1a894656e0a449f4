// Commands of the protocols above RoCE: those that failed, and those that took long.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

constexpr std::int64_t kSlow = 20'000'000;  // ns: no healthy device takes longer for one in a hundred
constexpr std::size_t kEnough = 8;          // commands: of fewer the slowest hundredth means little

/// What is found of one connection's commands.
struct OfConnection {
  std::vector<const Command*> refused;                         // Connects
  std::vector<const Command*> failed;                          // of an I/O queue
  std::vector<const Command*> others;                          // of the admin queue, that failed
  std::vector<std::pair<CommandTimes, const Command*>> times;  // of an I/O queue
};

bool is_connect(const Command& command) { return command.operation == "Connect"; }

Occurrences responses_of(const std::vector<const Command*>& commands) {
  Occurrences seen;
  for (const Command* const command : commands) seen.add(command->response_packet, command->completed.value_or(0));
  return seen;
}

std::string_view operation_of(const Command& command) {
  return command.operation.empty() ? "unknown" : command.operation;
}

/// `3 Read: Internal Error; 1 Write: status 0x1ab`, the most frequent first, three at most.
std::string statuses_of(const std::vector<const Command*>& commands) {
  constexpr std::size_t kMost = 3;
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
  for (const Command* const command : commands) {
    std::string operation(operation_of(*command));
    if (!command->detail.empty()) operation += fmt::format(" ({})", command->detail);
    std::string status(command->status_name);
    if (status.empty()) status = fmt::format("status 0x{:x}", command->status.value_or(0));
    ++counts[{std::move(operation), std::move(status)}];
  }
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& [what, count] : counts) rows.emplace_back(count, fmt::format("{}: {}", what.first, what.second));
  std::ranges::stable_sort(rows, std::greater<>(), &std::pair<std::uint64_t, std::string>::first);
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, rows.size()); ++i) {
    text += fmt::format("{}{} {}", i > 0 ? "; " : "", text::count(rows[i].first), rows[i].second);
  }
  if (rows.size() > kMost) text += fmt::format("; {} more kinds", rows.size() - kMost);
  return text;
}

/// `43 ms target, 0.3 ms until its ACK, 2 ms data, 1 message resent`
std::string split_of(const CommandTimes& times, std::uint64_t resent) {
  std::string text =
      fmt::format("{} target, {} until its ACK", text::duration(times.target), text::duration(times.request));
  if (times.data > 0) text += fmt::format(", {} data", text::duration(times.data));
  if (times.resend > 0) text += fmt::format(", {} until copies of lost packets came", text::duration(times.resend));
  return text + fmt::format(", {} resent", text::count(resent, "message"));
}

void find_slow(const Direction& direction, OfConnection& of, FindingList& list) {
  if (of.times.size() < kEnough) return;
  const std::size_t rank = (of.times.size() * 99 + 99) / 100 - 1;
  const auto place = of.times.begin() + static_cast<std::ptrdiff_t>(rank);
  std::ranges::nth_element(of.times, place, {}, [](const auto& each) { return each.first.total; });
  const auto& [times, command] = *place;
  if (times.total >= kSlow && times.target >= times.total / 5 * 4) {
    Occurrences seen;
    for (const auto& [each, slow] : of.times) {
      if (each.total >= kSlow && each.target >= each.total / 5 * 4) seen.add(slow->response_packet, *slow->completed);
    }
    list.add(FindingId::kSlowTarget, direction, seen, direction.seen(seen.count),
             fmt::format("p99 of {} is {}: {} ({}, packet {})", text::count(of.times.size(), "command"),
                         text::duration(times.total), split_of(times, command->resent), operation_of(*command),
                         command->request_packet),
             frames(seen));
  }
  std::vector<const Command*> waited;
  std::pair<CommandTimes, const Command*> worst{};
  for (const auto& each : of.times) {
    if (each.second->resent == 0 || each.first.network() < each.first.total / 2 || each.first.total < kSlow) continue;
    waited.push_back(each.second);
    if (each.first.total > worst.first.total) worst = each;
  }
  if (waited.empty()) return;
  const Occurrences seen = responses_of(waited);
  list.add(FindingId::kCommandsResent, direction, seen, direction.seen(waited.size()),
           fmt::format("{} of {} waited for packets that were sent again; the slowest took {}: {}",
                       text::count(waited.size()), text::count(of.times.size(), "command"),
                       text::duration(worst.first.total), split_of(worst.first, worst.second->resent)),
           frames(seen));
}

void find_of(const Direction& direction, OfConnection& of, FindingList& list) {
  const auto add = [&](FindingId id, const std::vector<const Command*>& commands) {
    if (commands.empty()) return;
    list.add(id, direction, responses_of(commands), direction.seen(commands.size()), statuses_of(commands),
             frames(responses_of(commands)));
  };
  add(FindingId::kQueueRefused, of.refused);
  add(FindingId::kIoFailed, of.failed);
  add(FindingId::kCommandRefused, of.others);
  find_slow(direction, of, list);
}

}  // namespace

void find_commands(const Evidence& evidence, FindingList& list) {
  if (evidence.commands == nullptr) return;
  std::map<std::uint32_t, OfConnection> all;
  for (const Command& command : evidence.commands->commands) {
    OfConnection& of = all[command.connection];
    const bool is_io = command.queue_is_known && command.queue != 0 && !is_connect(command);
    if (command.outcome == CommandOutcome::kFailed) {
      (is_connect(command) ? of.refused : is_io ? of.failed : of.others).push_back(&command);
    }
    if (const auto times = command.times(); times && is_io) of.times.emplace_back(*times, &command);
  }
  std::erase_if(all, [](const auto& each) { return each.first == 0; });
  for (const Connection& connection : evidence.tracking.connections) {
    if (connection.repeated) continue;
    const auto found = all.find(connection.number);
    if (found == all.end()) continue;
    for (const CarriedProtocol& carried : evidence.commands->carried) {
      if (carried.connection != connection.number) continue;
      find_of({connection, carried.initiator.value_or(0), list.limits()}, found->second, list);
    }
  }
}

}  // namespace rocescope::findings
