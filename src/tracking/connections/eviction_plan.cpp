#include "tracking/connections/eviction_plan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {
namespace {

/// `time` less `ns`, or the earliest time there is.
std::int64_t before(std::int64_t time, std::int64_t ns) noexcept {
  constexpr std::int64_t kEarliest = std::numeric_limits<std::int64_t>::min();
  return time < kEarliest + ns ? kEarliest : time - ns;
}

std::int64_t after(std::int64_t time, std::int64_t ns) noexcept {
  constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();
  return time > kLatest - ns ? kLatest : time + ns;
}

}  // namespace

void EvictionPlan::observe_far(std::int64_t time) noexcept {
  const bool expected = now_ == kEarliest || is_near(time, after(now_, quiet_));
  const bool agrees = astray_ && (is_near(time, *astray_) || (*astray_ > now_ && time > *astray_));
  if (!expected && !agrees) {
    astray_ = time;
    return;
  }
  now_ = expected ? time : *astray_;
  astray_.reset();
  if (is_near(time, now_)) {
    now_ = std::max(now_, time);
  } else {
    astray_ = time;
  }
}

bool EvictionPlan::is_due(const ConnectionTable& table, std::int64_t quiet) const noexcept {
  return evicts() && is_due_at(table, after(now_, quiet));
}

bool EvictionPlan::is_due_at(const ConnectionTable& table, std::int64_t now) const noexcept {
  // The next look is far away where the clock was set back.
  return table.size() > most_ || now >= next_look_ || next_look_ > after(now, step());
}

EvictionPlan::Evictees EvictionPlan::look(const ConnectionTable& table, std::int64_t quiet, std::uint32_t except) {
  using Candidate = std::pair<std::int64_t, std::uint32_t>;  // last time, number
  const std::int64_t now = after(now_, quiet);
  const std::int64_t idle_since = before(now, idle_timeout_);
  // A time that was not believed, or from before the clock was set back, would keep a connection for ever.
  const std::int64_t latest = after(std::max(now, astray_.value_or(now)), idle_timeout_);
  Evictees evictees;
  evictees.now = now;
  if (now >= next_look_ || next_look_ > after(now, step())) {
    evictees.idle_since = idle_since;
    next_look_ = after(now, step());
  }
  std::vector<Candidate> candidates;
  const bool is_crowded = table.size() > most_;
  for (const ConnectionState* state : table.all()) {
    const Connection& facts = state->facts;
    if (facts.number == except) continue;
    const std::int64_t last_time = facts.last_time > latest ? kEarliest : facts.last_time;
    if (is_crowded || last_time < idle_since) candidates.emplace_back(last_time, facts.number);
  }
  const auto is_idle = [&](const Candidate& candidate) { return candidate.first < idle_since; };
  const auto idle = static_cast<std::size_t>(std::ranges::count_if(candidates, is_idle));
  std::size_t leaving = idle;
  if (table.size() - idle > most_) leaving = table.size() - (most_ - most_ / kCrowded);
  leaving = std::min(leaving, candidates.size());
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(leaving);
  std::ranges::nth_element(candidates, end);
  std::sort(candidates.begin(), end);
  for (auto each = candidates.begin(); each != end; ++each) evictees.numbers.push_back(each->second);
  evictees.crowded = leaving - idle;
  return evictees;
}

}  // namespace rocescope
