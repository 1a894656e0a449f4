#include "analysis/points/message_matches.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {
namespace {

using MessageNames = std::vector<std::pair<std::uint64_t, SeenMessage*>>;

/// The last PSN of a READ Request is that of its last response: known only with the MTU.
bool knows_last(const SeenMessage& seen) noexcept { return seen.has_last && seen.operation != Operation::kReadRequest; }

/// By what two points know one message.
std::uint64_t name_of(const SeenMessage& seen, bool by_first) noexcept {
  const Psn psn = by_first ? seen.first_psn : seen.last_psn;
  return std::uint64_t{static_cast<std::uint8_t>(seen.operation)} << 32U | psn.value();
}

/// The messages by their names, those of one name by their times.
MessageNames by_name(SeenMessages messages, bool by_first) {
  MessageNames names;
  names.reserve(messages.size());
  for (SeenMessage& seen : messages) {
    if (!seen.met && (by_first ? seen.has_first : knows_last(seen))) names.emplace_back(name_of(seen, by_first), &seen);
  }
  sorting::sort(names, [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.second->time, a.second->frame) < std::tuple(b.first, b.second->time, b.second->frame);
  });
  return names;
}

bool has_other_icrc(const SeenMessage& a, const SeenMessage& b) noexcept {
  return a.icrc != 0 && b.icrc != 0 && a.icrc != b.icrc;
}

bool may_be_same(const SeenMessage& a, const SeenMessage& b) noexcept {
  if (a.has_first && b.has_first && a.first_psn != b.first_psn) return false;
  if (knows_last(a) && knows_last(b) && a.last_psn != b.last_psn) return false;
  if (a.sender != 0 && b.sender != 0 && a.sender != b.sender) return false;
  if (a.memory != 0 && b.memory != 0 && a.memory != b.memory) return false;
  // Where a packet was sent twice, each point may have seen another copy.
  return !has_other_icrc(a, b) || !a.first_once || !b.first_once;
}

/// The message of that name closest to the expected time; one with the same first packet is preferred. Null: none is
/// close.
SeenMessage* find_match(const MessageNames& names, std::uint64_t name, const SeenMessage& of, std::int64_t delay) {
  constexpr std::ptrdiff_t kNear = 16;
  const auto first = std::ranges::lower_bound(names, name, {}, [](const auto& each) { return each.first; });
  const auto last = std::partition_point(first, names.end(), [&](const auto& each) { return each.first == name; });
  const auto near =
      std::partition_point(first, last, [&](const auto& each) { return elapsed(of.time, each.second->time) < delay; });
  SeenMessage* best = nullptr;
  std::pair<bool, std::int64_t> least{true, kMostDelaysApart};
  const auto end = near + std::min(kNear, last - near);
  for (auto each = near - std::min(kNear, near - first); each != end; ++each) {
    SeenMessage& other = *each->second;
    if (other.met || !may_be_same(of, other)) continue;
    const std::int64_t apart = std::abs(elapsed(delay, elapsed(of.time, other.time)));
    const std::pair its(has_other_icrc(of, other), apart);
    if (apart > kMostDelaysApart || its > least || (its == least && best != nullptr)) continue;
    least = its;
    best = &other;
  }
  return best;
}

}  // namespace

void sample_delays(SeenMessages low, SeenMessages high, std::size_t most, std::vector<std::int64_t>& samples) {
  const auto at_low = by_name(low, true);
  const auto at_high = by_name(high, true);
  const auto is_alone = [](const auto& names, auto each) {
    return (each == names.begin() || (each - 1)->first != each->first) &&
           (each + 1 == names.end() || (each + 1)->first != each->first);
  };
  auto other = at_high.begin();
  for (auto each = at_low.begin(); each != at_low.end() && samples.size() < most; ++each) {
    while (other != at_high.end() && other->first < each->first) ++other;
    if (other == at_high.end()) break;
    if (other->first != each->first || !is_alone(at_low, each) || !is_alone(at_high, other)) continue;
    if (may_be_same(*each->second, *other->second)) samples.push_back(elapsed(each->second->time, other->second->time));
  }
}

std::vector<SeenByBoth> match_messages(SeenMessages low, SeenMessages high, std::int64_t delay) {
  for (const SeenMessages& messages : {low, high}) {
    for (SeenMessage& seen : messages) seen.met = false;
  }
  std::vector<SeenByBoth> matches;
  for (const bool by_first : {true, false}) {  // of some only the end was seen
    const auto names = by_name(high, by_first);
    for (SeenMessage& seen : low) {
      if (seen.met || !(by_first ? seen.has_first : knows_last(seen))) continue;
      SeenMessage* const other = find_match(names, name_of(seen, by_first), seen, delay);
      if (other == nullptr) continue;
      seen.met = other->met = true;
      matches.emplace_back(&seen, other);
    }
  }
  sorting::sort(matches, {}, [](const SeenByBoth& both) { return both.first->frame; });
  return matches;
}

}  // namespace rocescope
