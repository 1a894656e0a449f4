#include "commands/command_log.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "sorting/sort.hpp"

namespace rocescope {
namespace {

/// A command of which all was seen.
struct Timed {
  CommandTimes times;
  const Command* command = nullptr;
};

/// The command with the 99th percentile of the latency, by nearest rank.
void note_p99(CommandTotals& totals, std::vector<Timed>& commands) {
  const std::size_t rank = (commands.size() * 99 + 99) / 100 - 1;
  const auto place = commands.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(commands.begin(), place, commands.end(),
                   [](const Timed& a, const Timed& b) { return a.times.total < b.times.total; });
  totals.at_p99 = place->times;
  totals.at_p99_resent = place->command->resent;
}

/// Adds one to the slowest so far, the first of which is the slowest.
void note_slow(const Timed& timed, std::vector<Timed>& slowest) {
  const auto is_slower = [](const Timed& a, const Timed& b) {
    return std::pair(b.times.total, a.command->number) < std::pair(a.times.total, b.command->number);
  };
  const bool is_full = slowest.size() == CommandReport::kSlowest;
  if (is_full && !is_slower(timed, slowest.back())) return;
  if (is_full) slowest.pop_back();
  slowest.insert(std::ranges::upper_bound(slowest, timed, is_slower), timed);
}

}  // namespace

void CommandLog::add(Command&& command, bool counts) {
  command.number = ++numbered_;
  if (moment_ != nullptr) moments_.push_back({*moment_, connection_});
  if (!counts) return;
  renumber(command);
  count(command);
  if (CommandTroubles* const troubles = troubles_of(command.connection)) troubles->add(command);
  if (report_.commands.size() < CommandReport::kMostListed) {
    report_.commands.push_back(std::move(command));
  } else {
    ++report_.unlisted;
  }
}

void CommandLog::join(std::uint32_t connection, std::uint32_t joined) {
  joined_.emplace(joined, connection);
  const auto place = troubles_.find(joined);
  if (place == troubles_.end()) return;
  CommandTroubles& troubles = troubles_[connection];
  troubles.initiator = static_cast<std::uint8_t>(1 - place->second.initiator);
  std::swap(place->second.events[0], place->second.events[1]);
  troubles.merge(place->second);
  troubles_.erase(joined);
}

void CommandLog::add(const SideEvent& event) {
  const auto place = joined_.find(event.connection);
  const bool is_joined = place != joined_.end();
  CommandTroubles* const troubles = troubles_of(is_joined ? place->second : event.connection);
  if (troubles == nullptr) return;
  const std::size_t side = is_joined ? 1 - event.side : event.side;
  troubles->at(side, event.kind).add(event.packet, event.from, event.to, event.limit);
}

CommandTroubles* CommandLog::troubles_of(std::uint32_t connection) {
  auto place = troubles_.find(connection);
  if (place == troubles_.end()) {
    if (troubles_.size() >= CommandReport::kMostCarried) return nullptr;
    place = troubles_.try_emplace(connection).first;
  }
  return &place->second;
}

/// What was one direction by itself is side 1 of the other.
void CommandLog::renumber(Command& command) const {
  if (joined_.empty()) return;
  const auto place = joined_.find(command.connection);
  if (place == joined_.end()) return;
  command.connection = place->second;
  command.initiator = static_cast<std::uint8_t>(1 - command.initiator);
}

CommandLog::Key CommandLog::key_of(const Command& command) {
  return {command.protocol, command.operation, std::bit_floor(command.bytes)};
}

CommandTotals& CommandLog::totals_of(const Command& command) {
  Key key = key_of(command);
  if (CommandTotals* const known = recent_.find(key); known != nullptr) return *known;
  if (totals_.size() >= CommandReport::kMostTotals && !totals_.contains(key)) key.at_least = 0;
  CommandTotals& totals = totals_[key];
  totals.protocol = key.protocol;
  totals.operation = key.operation;
  totals.at_least = key.at_least;
  return *recent_.note(key, totals);
}

void CommandLog::count(const Command& command) {
  CommandTotals& totals = totals_of(command);
  ++totals.commands;
  totals.succeeded += command.outcome == CommandOutcome::kSucceeded ? 1U : 0U;
  totals.failed += command.outcome == CommandOutcome::kFailed ? 1U : 0U;
  totals.outstanding += command.outcome == CommandOutcome::kOutstanding ? 1U : 0U;
  totals.unseen += command.outcome == CommandOutcome::kUnseen ? 1U : 0U;
  totals.bytes += command.outcome == CommandOutcome::kSucceeded ? command.bytes : 0;
  totals.resent += command.resent;
  const auto add_time = [](Histogram& histogram, std::int64_t ns) { histogram.add(static_cast<std::uint64_t>(ns)); };
  if (const auto times = command.times()) {
    add_time(totals.latency, times->total);
    add_time(totals.target, times->target);
    add_time(totals.network, times->network());
  }
  const bool is_failure = command.status.value_or(0) != 0 && command.outcome != CommandOutcome::kSucceeded;
  if (!is_failure || failures_.size() >= CommandReport::kMostTotals) return;
  CommandFailures& failures = failures_[{command.protocol, command.operation, *command.status}];
  if (failures.commands++ > 0) return;
  failures.protocol = command.protocol;
  failures.operation = command.operation;
  failures.status = *command.status;
  failures.status_name = command.status_name;
  failures.connection = command.connection;
  failures.first = command.number;
  failures.first_packet = command.response_packet;
  failures.first_time = command.completed.value_or(0);
}

void CommandLog::add(CarriedProtocol carried) {
  if (report_.carried.size() < CommandReport::kMostCarried) {
    report_.carried.push_back(std::move(carried));
  } else {
    ++report_.unlisted_carried;
  }
}

CommandReport CommandLog::take() {
  if (!joined_.empty()) {
    for (Command& command : report_.commands) renumber(command);
  }
  for (auto& [key, totals] : totals_) report_.totals.push_back(std::move(totals));
  for (const auto& [key, failures] : failures_) report_.failures.push_back(failures);
  conclude(report_);
  return std::move(report_);
}

void CommandLog::conclude(CommandReport& report) {
  std::map<Key, std::vector<Timed>> by_key;
  Recent<std::vector<Timed>> recent;
  std::vector<Timed> slowest;
  for (const Command& command : report.commands) {
    const auto times = command.times();
    if (!times) continue;
    const Key key = key_of(command);
    std::vector<Timed>* alike = recent.find(key);
    if (alike == nullptr) alike = recent.note(key, by_key[key]);
    alike->push_back({*times, &command});
    note_slow({*times, &command}, slowest);
  }
  for (CommandTotals& totals : report.totals) {
    totals.at_p99.reset();
    totals.at_p99_resent = 0;
    const auto found = by_key.find({totals.protocol, totals.operation, totals.at_least});
    if (found != by_key.end()) note_p99(totals, found->second);
  }
  sorting::sort(report.failures, [](const CommandFailures& a, const CommandFailures& b) {
    return std::tuple(b.commands, a.protocol, a.operation, a.status) <
           std::tuple(a.commands, b.protocol, b.operation, b.status);
  });
  report.slowest.clear();
  for (const Timed& each : slowest) report.slowest.push_back(*each.command);
  sorting::stable_sort(report.carried, {}, &CarriedProtocol::connection);
}

}  // namespace rocescope
