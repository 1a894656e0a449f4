// Commands that were issued again: what a driver, a file system or an application does when one failed or got no response.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "findings/rules.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::findings {
namespace {

/// What a command asks for, and whom.
struct Wish {
  std::uint32_t capture_point = 0;
  IpAddress host;
  IpAddress target_host;
  UpperProtocol protocol = UpperProtocol::kUnknown;
  std::uint32_t connection = 0;  ///< 0: another may lead to the same target
  std::string_view target_name;
  std::uint16_t opcode = 0;
  std::optional<std::uint64_t> target;
  std::optional<std::uint32_t> file;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> blocks;
  std::uint64_t bytes = 0;

  [[nodiscard]] friend auto operator<=>(const Wish&, const Wish&) = default;
};

/// The commands of one side of a connection that were issued again there.
struct Retries {
  Occurrences seen;                          ///< the new ones
  std::map<std::string, std::uint64_t> why;  ///< `Read after Internal Error`, and how many
  std::uint64_t first_packet = 0;            ///< of the command that the first new one repeats
  std::int64_t first_wait = 0;               ///< ns, from there to the new one

  /// `1 Read after Internal Error; the first after 4.35 s (packets 149 and 163)`
  [[nodiscard]] std::string text() const {
    constexpr std::size_t kMost = 3;
    std::vector<std::pair<std::uint64_t, std::string_view>> rows;
    for (const auto& [reason, times] : why) rows.emplace_back(times, reason);
    sorting::stable_sort(rows, std::greater<>(), [](const auto& row) { return row.first; });
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, rows.size()); ++i)
      text += fmt::format("{}{} {}", i > 0 ? "; " : "", text::count(rows[i].first), rows[i].second);
    if (rows.size() > kMost) text += fmt::format("; {} more kinds", rows.size() - kMost);
    return text + fmt::format("; the first after {} (packets {} and {})", text::duration(first_wait), first_packet,
                              seen.packets[0]);
  }
};

/// Looks for commands that ask for the same as one before them that failed, or that got no response.
class RetrySearch {
 public:
  RetrySearch(const Evidence& evidence, const Limits& limits) : evidence_(evidence), limits_(limits) {
    for (const Connection& connection : evidence.tracking.connections) {
      if (!connection.repeated) connections_.emplace(connection.number, &connection);
    }
    for (const CarriedProtocol& carried : evidence.listed->carried)
      target_names_.emplace(carried.connection, carried.target_name);
  }

  void report(FindingList& list) {
    for (const Command& command : in_order()) take(command);
    for (const auto& [place, retries] : found_) {
      const Direction direction{*connections_.at(place.first), place.second, limits_};
      Amount amount = direction.seen(retries.seen.count);
      if (evidence_.listed->unlisted > 0 && amount.strength == Strength::kExact) amount.strength = Strength::kAtLeast;
      list.add(FindingId::kCommandsRetried, direction, retries.seen, amount, retries.text(), frames(retries.seen));
    }
  }

 private:
  /// A command that may be issued again.
  struct Earlier {
    std::uint64_t id = 0;
    std::uint64_t packet = 0;
    std::int64_t issued = 0;
    std::optional<std::int64_t> failed;  ///< nothing: it had no response
    std::string_view status_name;
    std::uint32_t status = 0;
  };

  /// Whether the capture has what it asks for, and of how much.
  [[nodiscard]] static bool is_known(const Command& command) {
    if (command.opcode_is_cut || (command.size_is_cut && !command.blocks)) return false;
    const bool has_file = command.protocol == UpperProtocol::kNfs || command.protocol == UpperProtocol::kSmbDirect;
    return (command.protocol == UpperProtocol::kNfs || command.target) && (!has_file || command.file);
  }

  /// Logical units, namespaces and files have numbers that the next target has as well. Names of targets tell them apart; a server of
  /// NFS has the same files on all its connections.
  [[nodiscard]] Wish wish_of(const Command& command, const Connection& connection) const {
    Wish wish{.capture_point = connection.capture_point,
              .host = connection.sides[command.initiator].address,
              .target_host = connection.sides[1 - command.initiator].address,
              .protocol = command.protocol,
              .connection = command.connection,
              .target_name = {},
              .opcode = command.opcode,
              .target = command.target,
              .file = command.file,
              .offset = *command.offset,
              .blocks = command.blocks,
              .bytes = command.size_is_cut ? 0 : command.bytes};
    const bool has_named_units = command.protocol == UpperProtocol::kNvme || command.protocol == UpperProtocol::kIser ||
                                 command.protocol == UpperProtocol::kSrp;
    const auto name = target_names_.find(command.connection);
    if (has_named_units && name != target_names_.end() && !name->second.empty()) {
      wish.connection = 0;
      wish.target_name = name->second;
    } else if (command.protocol == UpperProtocol::kNfs) {
      wish.connection = 0;
    }
    return wish;
  }

  /// Those that ask for data of a place, as they were issued.
  [[nodiscard]] std::vector<Command> in_order() const {
    std::vector<Command> commands;
    for (const Command& command : evidence_.listed->commands) {
      if (command.kind == CommandKind::kIo && command.offset && command.issued && is_known(command))
        commands.push_back(command);
    }
    sorting::stable_sort(commands, std::less<>(), &Command::request_packet);
    return commands;
  }

  void take(const Command& command) {
    const auto place = connections_.find(command.connection);
    if (place == connections_.end()) return;
    const Connection& connection = *place->second;
    const Wish wish = wish_of(command, connection);
    const auto before = earlier_.find(wish);
    if (before != earlier_.end()) {
      if (is_retry(before->second, command, connection)) add(before->second, command);
      earlier_.erase(before);
    }
    Earlier earlier{.id = command.id, .packet = command.request_packet, .issued = *command.issued};
    if (command.outcome == CommandOutcome::kFailed && !command.is_answer && command.status && command.over()) {
      earlier.failed = command.over();
      earlier.status_name = command.status_name;
      earlier.status = *command.status;
      earlier_[wish] = earlier;
    } else if (is_unanswered(command, connection)) {
      earlier_[wish] = earlier;
    }
  }

  [[nodiscard]] bool is_unanswered(const Command& command, const Connection& connection) const {
    return command.outcome == CommandOutcome::kOutstanding && !command.answered &&
           connection.sides[1 - command.initiator].first_packet != 0 &&
           limits_.strength_of_answers_at(connection) == Strength::kExact;
  }

  static bool is_retry(const Earlier& earlier, const Command& command, const Connection& connection) {
    constexpr std::int64_t kLong = 1'000'000'000;    // ns; two threads may want the same at once
    constexpr std::int64_t kSoon = 180'000'000'000;  // ns; what comes later may be new work
    const std::int64_t since = earlier.failed ? *earlier.failed : earlier.issued + kLong;
    if (*command.issued < since || elapsed(since, *command.issued) > kSoon) return false;
    // Who connects anew may want the same for other reasons. A client of NFS sends its calls with the XIDs that they had.
    return connection.first_time <= earlier.issued ||
           (!earlier.failed && command.protocol == UpperProtocol::kNfs && command.id == earlier.id);
  }

  void add(const Earlier& earlier, const Command& command) {
    Retries& retries = found_[{command.connection, command.initiator}];
    if (retries.seen.count == 0) {
      retries.first_packet = earlier.packet;
      retries.first_wait = *command.issued - earlier.issued;
    }
    retries.seen.add(command.request_packet, *command.issued);
    const std::string_view operation = command.operation.empty() ? "unknown" : command.operation;
    ++retries.why[fmt::format("{} after {}", operation,
                              earlier.failed ? text::status(earlier.status_name, earlier.status) : "no response")];
  }

  const Evidence& evidence_;
  const Limits& limits_;
  std::map<std::uint32_t, const Connection*> connections_;  // by number
  std::map<std::uint32_t, std::string_view> target_names_;  // by connection
  std::map<Wish, Earlier> earlier_;
  std::map<std::pair<std::uint32_t, std::size_t>, Retries> found_;  // by connection and side
};

/// Whether a command failed, or may have had no response.
bool may_have_retries(const CommandTroubles& troubles) {
  const auto is_unanswered = [&](std::size_t side) {
    return troubles.at(side, CommandTroubles::Event::kUnanswered).seen.count > 0;
  };
  return !troubles.failures.empty() || !troubles.tasks.empty() || is_unanswered(0) || is_unanswered(1);
}

}  // namespace

void find_command_retries(const Evidence& evidence, FindingList& list) {
  if (evidence.commands == nullptr || evidence.listed == nullptr) return;
  const auto may_have = [](const auto& each) { return may_have_retries(each.second); };
  if (std::ranges::any_of(*evidence.commands, may_have)) RetrySearch(evidence, list.limits()).report(list);
}

}  // namespace rocescope::findings
