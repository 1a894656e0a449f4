#include "ulp/command_log.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>
#include <utility>

#include "sorting/sort.hpp"

namespace rocescope {
namespace {

using Timed = CommandLog::Timed;

/// Finds the command of a row at the 99th percentile of the latency, by nearest rank.
void note_p99(std::span<Timed> alike, const CommandList& commands, CommandTotals& totals) {
  if (alike.empty()) return;
  const std::size_t rank = (alike.size() * 99 + 99) / 100 - 1;
  const auto place = alike.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(alike.begin(), place, alike.end(), [](const Timed& a, const Timed& b) { return a.total < b.total; });
  const Command command = commands[place->place];
  totals.at_p99 = command.times();
  totals.at_p99_resent = command.resent;
}

void add_parts(std::int64_t target, std::int64_t network, CommandTotals& totals) {
  totals.target.add(static_cast<std::uint64_t>(target));
  totals.network.add(static_cast<std::uint64_t>(network));
}

/// Adds one to the slowest so far, the first of which is the slowest.
void note_slow(const Timed& timed, std::vector<Timed>& slowest) {
  const auto is_slower = [](const Timed& a, const Timed& b) {
    return std::pair(b.total, a.place) < std::pair(a.total, b.place);
  };
  const bool is_full = slowest.size() == CommandReport::kSlowest;
  if (is_full && !is_slower(timed, slowest.back())) return;
  if (is_full) slowest.pop_back();
  slowest.insert(std::ranges::upper_bound(slowest, timed, is_slower), timed);
}

/// Commands sorted by row. `ends`: where those of each row end.
std::vector<Timed> by_row(const std::deque<Timed>& timed, std::vector<std::size_t>& ends) {
  for (const Timed& each : timed) {
    if (each.row != CommandLog::kNoRow) ++ends[each.row];
  }
  std::size_t all = 0;
  for (std::size_t& end : ends) all = std::exchange(end, all) + all;  // for now, where they begin
  std::vector<Timed> sorted(all);
  for (const Timed& each : timed) {
    if (each.row != CommandLog::kNoRow) sorted[ends[each.row]++] = each;
  }
  return sorted;
}

}  // namespace

void CommandLog::add(Command&& command, bool counts) {
  command.number = ++numbered_;
  if (moment_ != nullptr) moments_.push_back({*moment_, connection_});
  if (!counts) return;
  renumber(command);
  const auto times = command.times();
  const Key key = key_of(command);
  const std::uint32_t row = row_of(key);
  CommandTotals& totals = report_.totals[row];
  count(command, times, totals);
  if (CommandTroubles* const troubles = troubles_of(command.connection)) troubles->add(command, times);
  retries_.end(command, troubles_);
  const bool is_listed = report_.commands.size() < CommandReport::kMostListed;
  const bool is_split = times && !times->place_is_cut;
  if (is_split && command.is_late()) {
    note_late(command, row);
  } else if (is_split) {
    add_parts(times->target, times->network(), totals);
  }
  if (!is_listed) {
    ++report_.unlisted;
    return;
  }
  if (times) {
    const bool has_row = totals.at_least == key.at_least;
    timed_.push_back({.total = times->total,
                      .place = static_cast<std::uint32_t>(report_.commands.size()),
                      .row = has_row ? row : kNoRow});
  }
  report_.commands.push_back(command);
}

void CommandLog::join(std::uint32_t connection, std::uint32_t joined) {
  joined_.emplace(joined, connection);
  retries_.join(connection, joined);
  const auto place = troubles_.find(joined);
  if (place == troubles_.end()) return;
  CommandTroubles& troubles = troubles_[connection];
  troubles.initiator = static_cast<std::uint8_t>(1 - place->second.initiator);
  std::swap(place->second.events[0], place->second.events[1]);
  troubles.merge(place->second);
  last_ = {};
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

void CommandLog::note_waiting(std::uint32_t connection, UpperProtocol protocol, const Command& command) {
  const auto place = joined_.find(connection);
  if (place == joined_.end()) return retries_.wait(connection, protocol, command.initiator, command);
  retries_.wait(place->second, protocol, static_cast<std::uint8_t>(1 - command.initiator), command);
}

CommandTroubles* CommandLog::find_troubles(std::uint32_t connection) {
  auto place = troubles_.find(connection);
  if (place == troubles_.end()) {
    if (troubles_.size() >= CommandReport::kMostCarried) return nullptr;
    place = troubles_.try_emplace(connection).first;
  }
  return &place->second;
}

/// Side 0 of a direction that was followed alone is side 1 of the connection that it joined.
void CommandLog::renumber(Command& command) const {
  if (joined_.empty()) return;
  const auto place = joined_.find(command.connection);
  if (place == joined_.end()) return;
  command.connection = place->second;
  command.initiator = static_cast<std::uint8_t>(1 - command.initiator);
}

CommandLog::Key CommandLog::key_of(const Command& command) {
  return {command.protocol, command.operation,
          command.size_is_cut ? std::nullopt : std::optional(std::bit_floor(command.bytes))};
}
CommandLog::Key CommandLog::key_of(const CommandTotals& totals) {
  return {totals.protocol, totals.operation, totals.at_least};
}

std::uint32_t CommandLog::row_of(Key key) {
  if (const auto known = recent_.find(key)) return *known;
  if (rows_.size() >= CommandReport::kMostTotals && !rows_.contains(key) && key.at_least) key.at_least = 0;
  const auto [place, is_new] = rows_.try_emplace(key, static_cast<std::uint32_t>(report_.totals.size()));
  if (is_new) {
    CommandTotals& totals = report_.totals.emplace_back();
    totals.protocol = key.protocol;
    totals.operation = key.operation;
    totals.at_least = key.at_least;
  }
  recent_.note(key, place->second);
  return place->second;
}

void CommandLog::count(const Command& command, const std::optional<CommandTimes>& times, CommandTotals& totals) {
  ++totals.commands;
  totals.succeeded += command.outcome == CommandOutcome::kSucceeded ? 1U : 0U;
  totals.failed += command.outcome == CommandOutcome::kFailed ? 1U : 0U;
  totals.outstanding += command.outcome == CommandOutcome::kOutstanding ? 1U : 0U;
  totals.unseen += command.outcome == CommandOutcome::kUnseen ? 1U : 0U;
  totals.no_status += command.outcome == CommandOutcome::kNoStatus ? 1U : 0U;
  totals.bytes += command.outcome == CommandOutcome::kSucceeded && !command.size_is_cut ? command.bytes : 0;
  totals.resent += command.resent;
  totals.resent_is_cut = totals.resent_is_cut || command.place_is_cut;
  if (command.issued) totals.first_issued = std::min(totals.first_issued.value_or(*command.issued), *command.issued);
  if (const auto over = command.over()) totals.last_over = std::max(totals.last_over.value_or(*over), *over);
  if (times) totals.latency.add(static_cast<std::uint64_t>(times->total));
  const bool is_answered = command.status.value_or(0) != 0 && command.outcome != CommandOutcome::kSucceeded;
  if (is_answered || command.outcome == CommandOutcome::kFailed) count_failure(command);
}

void CommandLog::count_failure(const Command& command) {
  const FailureKey key{command.protocol, command.operation, command.status.value_or(0), command.status_name};
  if (failures_.size() >= CommandReport::kMostTotals && !failures_.contains(key)) return;
  CommandFailures& failures = failures_[key];
  if (failures.commands++ > 0) return;
  failures.protocol = command.protocol;
  failures.operation = command.operation;
  failures.status = command.status.value_or(0);
  failures.status_name = command.status_name;
  failures.connection = command.connection;
  failures.first = command.number;
  failures.first_packet = command.failure_packet();
  failures.first_time = command.completed.value_or(command.issued.value_or(0));
}

void CommandLog::add(CarriedProtocol carried) {
  if (report_.carried.size() < CommandReport::kMostCarried) {
    report_.carried.push_back(std::move(carried));
  } else {
    ++report_.unlisted_carried;
  }
}

void CommandLog::note_late(Command& command, std::uint32_t row) {
  const std::size_t place = report_.commands.size();
  Late late{.connection = command.connection,
            .place = place < CommandReport::kMostListed ? static_cast<std::uint32_t>(place) : kUnlisted,
            .row = row,
            .responder = static_cast<std::uint8_t>(1 - command.initiator),
            .target = command.times()->target};
  Command doubtful = command;
  doubtful.doubt_late();
  const CommandTimes times = *doubtful.times();
  if (late_.size() == kMostLate) {
    command = doubtful;
    return add_parts(times.target, times.network(), report_.totals[row]);
  }
  late.target_known = times.target;
  late.network = times.network();
  late_.push_back(late);
}

/// If packets from the target were lost on the way, a late one may be a copy.
void CommandLog::settle_late(const Loses& loses) {
  std::vector<std::uint32_t> doubtful;  // places of listed commands
  for (const Late& late : late_) {
    const bool is_doubtful = loses && loses(late.connection, late.responder);
    add_parts(is_doubtful ? late.target_known : late.target, late.network, report_.totals[late.row]);
    if (is_doubtful && late.place != kUnlisted) doubtful.push_back(late.place);
  }
  late_.clear();
  if (!doubtful.empty()) {
    std::uint32_t place = 0;
    auto next = doubtful.begin();
    report_.commands.change([&](Command& command) {
      if (next == doubtful.end() || *next != place++) return;
      command.doubt_late();
      ++next;
    });
  }
  for (auto& [connection, troubles] : troubles_) {
    if (loses && loses(connection, 1 - std::size_t{troubles.initiator})) troubles.late = {};
  }
}

CommandReport CommandLog::take(const Loses& loses) {
  if (!joined_.empty()) {
    report_.commands.change([&](Command& command) { renumber(command); });
    for (Late& late : late_) {
      const auto place = joined_.find(late.connection);
      if (place == joined_.end()) continue;
      late.connection = place->second;
      late.responder = static_cast<std::uint8_t>(1 - late.responder);
    }
  }
  settle_late(loses);
  for (const auto& [key, failures] : failures_) report_.failures.push_back(failures);
  conclude(report_, timed_);
  sorting::sort(report_.totals, {}, [](const CommandTotals& totals) { return key_of(totals); });
  return std::move(report_);
}

void CommandLog::conclude(CommandReport& report) {
  std::map<Key, std::uint32_t> rows;
  for (std::uint32_t row = 0; row < report.totals.size(); ++row) rows.emplace(key_of(report.totals[row]), row);
  std::deque<Timed> timed;
  std::uint32_t listed = 0;
  for (const Command& command : report.commands) {
    const std::uint32_t place = listed++;
    const auto times = command.times();
    if (!times) continue;
    const auto row = rows.find(key_of(command));
    timed.push_back({.total = times->total, .place = place, .row = row == rows.end() ? kNoRow : row->second});
  }
  conclude(report, timed);
}

void CommandLog::conclude(CommandReport& report, const std::deque<Timed>& timed) {
  std::vector<std::size_t> ends(report.totals.size());
  std::vector<Timed> sorted = by_row(timed, ends);
  std::size_t begin = 0;
  for (std::size_t row = 0; row < ends.size(); ++row) {
    CommandTotals& totals = report.totals[row];
    totals.at_p99.reset();
    totals.at_p99_resent = 0;
    note_p99(std::span(sorted).subspan(begin, ends[row] - begin), report.commands, totals);
    begin = ends[row];
  }
  std::vector<Timed> slowest;
  for (const Timed& each : timed) note_slow(each, slowest);
  report.slowest.clear();
  for (const Timed& each : slowest) report.slowest.push_back(report.commands[each.place]);
  sorting::sort(report.failures, [](const CommandFailures& a, const CommandFailures& b) {
    return std::tuple(b.commands, a.protocol, a.operation, a.status, a.status_name) <
           std::tuple(a.commands, b.protocol, b.operation, b.status, b.status_name);
  });
  sorting::stable_sort(report.carried, {}, &CarriedProtocol::connection);
}

}  // namespace rocescope
