// How many commands waited when a connection stood still.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

bool is_stall(FindingId id) {
  return id == FindingId::kTimeoutRecovery || id == FindingId::kRetryExhausted || id == FindingId::kCreditStall;
}

/// A finding, and the commands of its connection that were outstanding until its first moment: what is sent again then may end one.
struct Stall {
  Finding* finding = nullptr;
  bool lacks_answers = false;  ///< the capture may lack answers
  bool is_known = false;
  std::uint64_t outstanding = 0;

  void add(const Command& command) {
    const std::int64_t moment = finding->seen.first_time;
    const auto over = command.over();
    if (over && *over < moment) return;
    if (!command.issued) {
      is_known = false;
    } else if (*command.issued <= moment) {
      ++outstanding;
      is_known = is_known && (over || !lacks_answers);
    }
  }
};

/// Whether all of its commands are known, and that they have responses.
bool has_all_commands(const Connection& connection, const CommandReport& report) {
  const auto carried = std::ranges::lower_bound(report.carried, connection.number, {}, &CarriedProtocol::connection);
  return carried != report.carried.end() && carried->connection == connection.number && carried->most_outstanding &&
         carried->unfollowed == 0 && carried->unreadable == 0 && carried->encrypted == 0;
}

}  // namespace

void tell_outstanding_commands(const Evidence& evidence, const Limits& limits, std::vector<Finding>& found) {
  if (evidence.listed == nullptr || evidence.listed->unlisted > 0 || evidence.listed->empty()) return;
  std::multimap<std::uint32_t, Stall> stalls;  // by connection
  for (Finding& finding : found) {
    if (is_stall(finding.info->id)) stalls.emplace(finding.connection, Stall{.finding = &finding});
  }
  if (stalls.empty()) return;
  for (const Connection& connection : evidence.tracking.connections) {
    const bool has_all =
        limits.strength_at(connection) == Strength::kExact && has_all_commands(connection, *evidence.listed);
    const bool lacks_answers = limits.strength_of_answers_at(connection) != Strength::kExact;
    const auto [first, last] = stalls.equal_range(connection.number);
    for (auto stall = first; stall != last; ++stall) {
      stall->second.is_known = has_all;
      stall->second.lacks_answers = lacks_answers;
    }
  }
  for (const Command& command : evidence.listed->commands) {
    const auto [first, last] = stalls.equal_range(command.connection);
    for (auto stall = first; stall != last; ++stall) stall->second.add(command);
  }
  for (const auto& [connection, stall] : stalls) {
    if (!stall.is_known) continue;
    const std::string commands = stall.outstanding == 0 ? "no command" : text::count(stall.outstanding, "command");
    stall.finding->what +=
        fmt::format("; {} {} outstanding at the first", commands, stall.outstanding <= 1 ? "was" : "were");
  }
}

}  // namespace rocescope::findings
