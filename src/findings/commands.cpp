// Commands of the protocols above RoCE: those that failed, and those that took long.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::findings {
namespace {

constexpr std::size_t kEnoughCommands = 8;  // commands: of fewer the slowest hundredth means little
constexpr std::size_t kFewest = 3;          // slow commands: a single one may have met anything

using Failure = CommandTroubles::Failure;
using Slow = CommandTroubles::Slow;
using Times = CommandTroubles::Times;

std::string_view operation_of(std::string_view name) { return name.empty() ? "unknown" : name; }

/// `3 Read: Internal Error; 1 Write: status 0x1ab`, the most frequent first, three at most.
std::string statuses_of(std::vector<const Failure*> failures) {
  constexpr std::size_t kMost = 3;
  sorting::stable_sort(failures, std::greater<>(), [](const Failure* each) { return each->seen.count; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, failures.size()); ++i) {
    const Failure& each = *failures[i];
    const std::string detail = each.detail.empty() ? "" : fmt::format(" ({})", each.detail);
    text += fmt::format("{}{} {}{}: {}", i > 0 ? "; " : "", text::count(each.seen.count), operation_of(each.operation),
                        detail, text::status(each.status_name, each.status));
  }
  if (failures.size() > kMost) text += fmt::format("; {} more kinds", failures.size() - kMost);
  return text;
}

void find_failures(FindingId id, const Direction& direction, const CommandTroubles& troubles, FindingList& list) {
  std::vector<const Failure*> failures;
  Occurrences seen;
  for (const Failure& each : troubles.failures) {
    if (each.id != id) continue;
    failures.push_back(&each);
    seen.interleave(each.seen);
  }
  if (failures.empty()) return;
  Amount failed{seen.count, direction.limits.strength_of_answers_at(direction.connection)};
  // Where commands were not seen, some responses do not show what they answer.
  if (troubles.lacks_commands) failed.strength = std::max(failed.strength, Strength::kAtLeast);
  list.add(id, direction, seen, failed,
           fmt::format("{}{}", in_words(failed.strength), statuses_of(std::move(failures))), frames(seen));
}

/// `the slowest took 44 ms: 43 ms target, 0.3 ms until its ACK, 2 ms data, 1 message resent (Read, packet 12)`
std::string worst_of(const Direction& direction, const Slow& slow) {
  const CommandTimes& times = slow.worst;
  std::string text = fmt::format("the slowest took {}: ", text::duration(times.total));
  if (!times.place_is_cut) text += fmt::format("{} target, ", text::duration(times.target));
  text += fmt::format("{} until its ACK", text::duration(times.request));
  if (times.data > 0) text += fmt::format(", {} data", text::duration(times.data));
  if (times.resend > 0) text += fmt::format(", {} until copies came", text::duration(times.resend));
  if (times.unknown > 0) text += fmt::format(", {} unknown", text::duration(times.unknown));
  Amount resent = direction.seen(slow.resent);
  if (times.place_is_cut) resent.strength = std::max(resent.strength, Strength::kAtLeast);
  if (slow.resent > 0 || !times.place_is_cut) text += fmt::format(", {} resent", count(resent, "message"));
  return text + fmt::format(" ({}, packet {})", operation_of(slow.operation), slow.packet);
}

void find_slow(const Direction& direction, const CommandTroubles& troubles, FindingList& list) {
  const std::uint64_t all = troubles.latency.count();
  if (all < kEnoughCommands) return;
  Slow target = *troubles.target;
  const std::size_t responder = 1 - direction.side;
  if (!direction.connection.loses_before(responder)) target.merge(*troubles.late);
  const auto seen = [&](const Slow& slow) {
    Amount amount = direction.seen(slow.seen.count);
    if (troubles.lacks_places) amount.strength = std::max(amount.strength, Strength::kAtLeast);
    return amount;
  };
  const auto add = [&](FindingId id, const Slow& slow) {
    if (slow.seen.count < kFewest || slow.seen.count * 100 < all) return;
    list.add(id, direction, slow.seen, seen(slow),
             fmt::format("p99 of {} is {}; of {} {}", count(direction.seen(all), "command"),
                         text::duration(static_cast<std::int64_t>(troubles.latency.quantile(990))),
                         count(seen(slow), "slow one"), worst_of(direction, slow)),
             frames(slow.seen));
  };
  // A network that delays as many ACKs may as well delay what comes from a target that is quick.
  if (target.seen.count > troubles.way->seen.count) add(FindingId::kSlowTarget, target);
  add(FindingId::kSlowNetwork, *troubles.way);
  const Slow& copies = *troubles.copies;
  if (copies.seen.count == 0) return;
  list.add(
      FindingId::kCommandsResent, direction, copies.seen, seen(copies),
      fmt::format("{}{} of {} waited for packets that were sent again; {}", in_words(seen(copies).strength),
                  text::count(copies.seen.count), count(direction.seen(all), "command"), worst_of(direction, copies)),
      frames(copies.seen));
}

using HostPair = std::pair<IpAddress, IpAddress>;
HostPair ends_of(const Connection& connection) {
  return std::minmax(connection.sides[0].address, connection.sides[1].address);
}

/// When a capture point last saw two hosts.
class LastSeen {
 public:
  explicit LastSeen(const Evidence& evidence) : evidence_(evidence) {}

  [[nodiscard]] std::int64_t of(const Connection& connection) {
    if (last_.empty()) {
      for (const Connection& each : evidence_.tracking.connections) {
        std::int64_t& last = last_.try_emplace(key_of(each), each.last_time).first->second;
        last = std::max(last, each.last_time);
      }
    }
    return last_[key_of(connection)];
  }

 private:
  using Key = std::pair<std::uint32_t, HostPair>;
  static Key key_of(const Connection& connection) { return {connection.capture_point, ends_of(connection)}; }

  const Evidence& evidence_;
  std::map<Key, std::int64_t> last_;
};

/// `4 commands were never answered; the oldest waited for 2.05 s, until the host disconnected (packet 449)`, or
/// `... waited for 42 s, until the last packet of both hosts`
void find_unanswered(const Direction& direction, const Occurrences& seen, const Evidence& evidence, LastSeen& last_seen,
                     FindingList& list) {
  constexpr std::int64_t kLong = 1'000'000'000;       // ns
  constexpr std::int64_t kVeryLong = 10'000'000'000;  // the same where nobody gave up
  if (seen.count == 0) return;
  const Amount commands{seen.count, direction.limits.strength_of_answers_at(direction.connection)};
  if (commands.strength != Strength::kExact) return;  // the capture may have missed the responses
  const Handshake* const handshake = handshake_of(direction.connection, evidence);
  const HandshakeStep* const end = handshake == nullptr ? nullptr : handshake->find(HandshakeMessage::kDreq);
  if (end == nullptr && evidence.evicted == nullptr) return;  // more may come
  const std::int64_t waited = elapsed(seen.first_time, end != nullptr ? end->time : last_seen.of(direction.connection));
  if (waited < (end != nullptr ? kLong : kVeryLong)) return;
  std::string until = "the last packet of both hosts";
  if (end != nullptr) {
    const bool is_host = handshake->sides[end->sender].address == direction.sender().address;
    until = fmt::format("the {} disconnected (packet {})", is_host ? "host" : "target", end->packet);
  }
  list.add(FindingId::kCommandsUnanswered, direction, seen, commands,
           fmt::format("{} {} never answered; {} waited for {}, until {}", count(commands, "command"),
                       text::plural(seen.count, "was", "were"), text::plural(seen.count, "it", "the oldest"),
                       text::duration(waited), until),
           frames(seen));
}

/// `2 Abort Task, 1 Logical Unit Reset`
void find_tasks(const Direction& direction, const CommandTroubles& troubles, FindingList& list) {
  Occurrences seen;
  std::string text;
  for (const CommandTroubles::Task& each : troubles.tasks) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", text::count(each.seen.count), operation_of(each.operation));
    seen.interleave(each.seen);
  }
  if (seen.count == 0) return;
  list.add(FindingId::kCommandsAborted, direction, seen, direction.seen(seen.count), text, frames(seen));
}

/// `out of credits at least 7 times, 34 ms in all, the longest 12 ms`
void find_credits(const Direction& direction, const Times& times, FindingList& list) {
  constexpr std::int64_t kEnoughTime = 1'000'000;  // ns
  if (times.total < kEnoughTime) return;
  const Amount count_of_times{times.seen.count, Strength::kAtLeast};
  list.add(FindingId::kCreditStarvation, direction, times.seen, count_of_times,
           fmt::format("out of credits {}, {} in all, the longest {}", count(count_of_times, "time"),
                       text::duration(times.total), text::duration(times.longest)),
           frames(times.seen));
}

/// `full 120 times, with 127 commands outstanding`
void find_full_queue(const Direction& direction, const Times& times, FindingList& list) {
  if (times.seen.count < kFewest || direction.receiver().first_packet == 0) return;
  const Amount full = direction.seen(times.seen.count);
  if (full.strength != Strength::kExact) return;  // commands whose responses were missed look outstanding
  list.add(FindingId::kQueueFull, direction, times.seen, full,
           fmt::format("full {}, with {} commands outstanding", count(full, "time"), times.limit), frames(times.seen));
}

/// Whether another I/O queue between the hosts of `connection` may have sent commands in a time.
bool has_busy_queue(const Connection& connection, std::int64_t from, std::int64_t to, const Evidence& evidence) {
  return std::ranges::any_of(evidence.tracking.connections, [&](const Connection& other) {
    const auto found = evidence.commands->find(other.number);
    if (other.repeated || found == evidence.commands->end() || ends_of(other) != ends_of(connection)) return false;
    if (found->second.shape.queue.value_or(0) == 0) return false;
    const auto sent_in_it = [&](std::size_t side) {
      const Occurrences& last = found->second.at(side, CommandTroubles::Event::kLastCommand).seen;
      return last.count > 0 && last.last_time > from && other.first_time < to;
    };
    return sent_in_it(0) || sent_in_it(1);
  });
}

/// `silent for 12.1 s, after a promise of 10 s`
void find_late_keep_alives(const Direction& direction, const Times& times, const Evidence& evidence,
                           FindingList& list) {
  if (times.seen.count == 0) return;
  // A controller may take commands on any queue for a sign of life (Traffic Based Keep Alive), and then the host sends no others.
  if (has_busy_queue(direction.connection, times.seen.first_time - times.longest, times.seen.last_time, evidence))
    return;
  list.add(FindingId::kKeepAliveLate, direction, times.seen, {times.seen.count, Strength::kEstimated},
           fmt::format("silent for {}, after a promise of {}", text::duration(times.longest),
                       text::duration(static_cast<std::int64_t>(times.limit))),
           frames(times.seen));
}

/// When the last command of any queue of NVMe between two hosts was sent.
class LastCommands {
 public:
  explicit LastCommands(const Evidence& evidence, const Limits& limits) : evidence_(evidence), limits_(limits) {}

  /// Nothing: the capture missed packets there.
  [[nodiscard]] std::optional<std::int64_t> between(const HostPair& hosts) {
    if (last_.empty()) fill();
    return last_[hosts];
  }

 private:
  void fill() {
    for (const Connection& connection : evidence_.tracking.connections) {
      const auto found = evidence_.commands->find(connection.number);
      if (found == evidence_.commands->end()) continue;
      const auto place = last_.try_emplace(ends_of(connection), std::int64_t{0}).first;
      if (limits_.strength_at(connection) != Strength::kExact) place->second.reset();
      for (std::size_t side = 0; side < 2 && place->second; ++side) {
        const Occurrences& seen = found->second.at(side, CommandTroubles::Event::kLastCommand).seen;
        if (seen.count > 0) place->second = std::max(*place->second, seen.last_time);
      }
    }
  }

  const Evidence& evidence_;
  const Limits& limits_;
  std::map<HostPair, std::optional<std::int64_t>> last_;
};

/// `no command for 12.1 s, after a promise of 10 s; then the target disconnected (packet 41)`
void find_missing_keep_alives(const Direction& direction, const Times& times, const Evidence& evidence,
                              LastCommands& commands, FindingList& list) {
  if (times.seen.count == 0 || times.limit == 0) return;
  const Handshake* const handshake = handshake_of(direction.connection, evidence);
  const HandshakeStep* const end = handshake == nullptr ? nullptr : handshake->find(HandshakeMessage::kDreq);
  if (end == nullptr) return;
  const auto promised = static_cast<std::int64_t>(times.limit);
  if (end->time - times.seen.last_time <= promised) return;
  const auto last = commands.between(ends_of(direction.connection));  // of the other queues as well
  if (!last || end->time - *last <= promised) return;
  Occurrences seen;
  seen.add(times.seen.last_packet, times.seen.last_time);
  seen.add(end->packet, end->time);
  const bool is_host = handshake->sides[end->sender].address == direction.sender().address;
  list.add(FindingId::kKeepAliveMissing, direction, seen, {1, Strength::kExact},
           fmt::format("no command for {}, after a promise of {}; then the {} disconnected (packet {})",
                       text::duration(end->time - *last), text::duration(promised), is_host ? "host" : "target",
                       end->packet),
           frames(seen));
}

/// The I/O queues of NVMe from one host to another.
struct QueueGroup {
  const Connection* busiest = nullptr;
  std::uint64_t most = 0;  ///< commands, of the busiest
  std::uint64_t all = 0;
  std::uint64_t queues = 0;
  std::vector<std::uint32_t> numbers;  ///< of the queues
  bool is_sure = true;                 ///< all is known of them
};

/// `queue 3 carried 12,345 of 12,567 commands and was full 120 times; 7 others carried the rest`
void find_busy_queues(const Evidence& evidence, FindingList& list) {
  constexpr std::uint64_t kFewestQueues = 3;
  constexpr std::uint64_t kMany = 10'000;  // commands
  // Where connections were evicted, or are still followed, not all commands are here.
  if (evidence.evicted == nullptr || evidence.evicted->connections > 0) return;
  std::map<std::pair<IpAddress, IpAddress>, QueueGroup> groups;
  for (const Connection& connection : evidence.tracking.connections) {
    const auto found = evidence.commands->find(connection.number);
    if (connection.repeated || found == evidence.commands->end()) continue;
    const CommandTroubles& troubles = found->second;
    if (!troubles.shape.queue || *troubles.shape.queue == 0) continue;
    const Direction direction{connection, troubles.initiator, list.limits()};
    QueueGroup& group = groups[{direction.sender().address, direction.receiver().address}];
    group.is_sure = group.is_sure && direction.seen(1).strength == Strength::kExact &&
                    std::ranges::find(group.numbers, *troubles.shape.queue) == group.numbers.end();
    group.numbers.push_back(*troubles.shape.queue);
    ++group.queues;
    group.all += troubles.shape.commands;
    if (group.busiest != nullptr && troubles.shape.commands <= group.most) continue;
    group.busiest = &connection;
    group.most = troubles.shape.commands;
  }
  for (const auto& [hosts, group] : groups) {
    const bool is_one = group.queues >= kFewestQueues && group.most >= kMany && group.most * 20 >= group.all * 19;
    if (!group.is_sure || !is_one) continue;
    const CommandTroubles& troubles = evidence.commands->at(group.busiest->number);
    const Times& full = troubles.at(troubles.initiator, CommandTroubles::Event::kQueueFull);
    if (full.seen.count < kFewest) continue;
    list.add(FindingId::kOneBusyQueue, {*group.busiest, troubles.initiator, list.limits()}, full.seen,
             {group.most, Strength::kExact},
             fmt::format("queue {} carried {} of {} and was full {}; {} carried the rest", *troubles.shape.queue,
                         text::count(group.most), count({group.all}, "command"), count({full.seen.count}, "time"),
                         count({group.queues - 1}, "other queue")),
             "");
  }
}

void find_shapes(const Direction& direction, const CommandTroubles::Shape& shape, FindingList& list) {
  constexpr std::uint64_t kMany = 1'000;
  const Amount small = direction.seen(shape.small.count);
  if (shape.commands >= kMany && small.value * 10 >= shape.commands * 9)
    list.add(FindingId::kSmallIo, direction, shape.small, small,
             fmt::format("{} of {} are about less than {} bytes", text::count(small.value),
                         count(direction.seen(shape.commands), "command"), CommandTroubles::kBlock),
             "");
  constexpr std::uint64_t kSome = 100;
  const Amount unaligned = direction.seen(shape.unaligned.count);
  if (shape.with_blocks >= kSome && unaligned.value * 10 >= shape.with_blocks)
    list.add(FindingId::kUnalignedIo, direction, shape.unaligned, unaligned,
             fmt::format("{} of {} do not begin at a multiple of {} bytes", text::count(unaligned.value),
                         count(direction.seen(shape.with_blocks), "command"), CommandTroubles::kBlock),
             frames(shape.unaligned));
  const Amount fetched = direction.seen(shape.fetched.count);
  if (shape.writes >= kSome && fetched.value * 10 >= shape.writes)
    list.add(FindingId::kInCapsuleUnused, direction, shape.fetched, fetched,
             fmt::format("a READ fetched the data of {} of {}, though the target took {} bytes with a command",
                         text::count(fetched.value), count(direction.seen(shape.writes), "Write"),
                         text::count(shape.most_in_capsule)),
             frames(shape.fetched));
}

}  // namespace

void find_commands(const Evidence& evidence, FindingList& list) {
  if (evidence.commands == nullptr || evidence.commands->empty()) return;
  LastCommands last_commands(evidence, list.limits());
  LastSeen last_seen(evidence);
  for (const Connection& connection : evidence.tracking.connections) {
    if (connection.repeated) continue;
    const auto found = evidence.commands->find(connection.number);
    if (found == evidence.commands->end()) continue;
    const CommandTroubles& troubles = found->second;
    const Direction direction{connection, troubles.initiator, list.limits()};
    for (const FindingId id :
         {FindingId::kQueueRefused, FindingId::kIoFailed, FindingId::kInCapsuleRefused, FindingId::kCommandRefused})
      find_failures(id, direction, troubles, list);
    find_slow(direction, troubles, list);
    find_tasks(direction, troubles, list);
    find_command_retries(direction, troubles, list);
    find_shapes(direction, troubles.shape, list);
    for (std::size_t side = 0; side < troubles.events.size(); ++side) {
      const Direction of_side{connection, side, list.limits()};
      find_credits(of_side, troubles.at(side, CommandTroubles::Event::kNoCredits), list);
      find_full_queue(of_side, troubles.at(side, CommandTroubles::Event::kQueueFull), list);
      // Those that the initiator aborted have no response.
      if (troubles.tasks.empty())
        find_unanswered(of_side, troubles.at(side, CommandTroubles::Event::kUnanswered).seen, evidence, last_seen,
                        list);
      find_late_keep_alives(of_side, troubles.at(side, CommandTroubles::Event::kKeepAliveLate), evidence, list);
      find_missing_keep_alives(of_side, troubles.at(side, CommandTroubles::Event::kLastCommand), evidence,
                               last_commands, list);
    }
  }
  find_busy_queues(evidence, list);
}

}  // namespace rocescope::findings
