// Commands that were issued again: what a driver, a file system or an application does when one failed or got no response.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::findings {
namespace {

using Retry = CommandTroubles::Retry;

/// `Read after Internal Error`, `Read after no response`
std::string retry_text(const Retry& retry) {
  const std::string_view operation = retry.operation.empty() ? "unknown" : retry.operation;
  return fmt::format("{} after {}", operation,
                     retry.was_answered ? text::status(retry.status_name, retry.status) : "no response");
}

/// `1 Read after Internal Error; the first after 4.35 s (packets 149 and 163)`, the most frequent first, three at most.
std::string retries_text(std::vector<const Retry*> retries) {
  constexpr std::size_t kMost = 3;
  const auto first = std::ranges::min_element(retries, {}, [](const Retry* each) { return each->seen.packets[0]; });
  const std::string from = fmt::format("the first after {} (packets {} and {})", text::duration((*first)->first_wait),
                                       (*first)->first_packet, (*first)->seen.packets[0]);
  sorting::stable_sort(retries, std::greater<>(), [](const Retry* each) { return each->seen.count; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, retries.size()); ++i)
    text += fmt::format("{} {}; ", text::count(retries[i]->seen.count), retry_text(*retries[i]));
  if (retries.size() > kMost) text += fmt::format("{}; ", text::count(retries.size() - kMost, "more kind"));
  return text + from;
}

}  // namespace

void find_command_retries(const Direction& direction, const CommandTroubles& troubles, FindingList& list) {
  // Where the capture may have missed responses, nobody knows whether there was one.
  const bool has_all_answers = direction.receiver().first_packet != 0 &&
                               direction.limits.strength_of_answers_at(direction.connection) == Strength::kExact;
  std::vector<const Retry*> retries;
  Occurrences seen;
  for (const Retry& each : troubles.retries) {
    if (!each.was_answered && !has_all_answers) continue;
    retries.push_back(&each);
    seen.interleave(each.seen);
  }
  if (retries.empty()) return;
  Amount amount = direction.seen(seen.count);
  if (troubles.lacks_retries && amount.strength == Strength::kExact) amount.strength = Strength::kAtLeast;
  list.add(FindingId::kCommandsRetried, direction, seen, amount, retries_text(std::move(retries)), frames(seen));
}

}  // namespace rocescope::findings
