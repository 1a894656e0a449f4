// When connections are no longer followed, and what stays of them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tracking/tracker_implementation.hpp"

namespace rocescope {

void Tracker::Implementation::expire(std::int64_t quiet) {
  plan_.wait(quiet);
  if (plan_.is_due(table_, quiet)) evict(quiet, 0);
}

void Tracker::Implementation::forget(const Connection& connection, const ConnectionState& state) {
  observers_.forget(connection, state);
  if (has_subscribers_) messages_.forget(connection);
}

void Tracker::Implementation::evict(std::int64_t quiet, std::uint32_t except) {
  const EvictionPlan::Evictees evictees = plan_.look(table_, quiet, except);
  Eviction eviction{.idle_since = evictees.idle_since, .connections = {}, .handshakes = {}, .memory_regions = {}};
  const std::size_t idle = evictees.numbers.size() - evictees.crowded;
  const std::map<std::uint32_t, std::uint32_t> next_tries = setups_.table().next_tries();
  for (const std::uint32_t number : evictees.numbers) {
    const std::unique_ptr<ConnectionState> state = table_.take(number);
    join_pieces(*state);
    if (has_subscribers_) show_open_messages(*state);
    EvictedConnection& evicted = eviction.connections.emplace_back();
    evicted.connection = std::move(state->facts);
    evicted.crowded = eviction.connections.size() > idle;
    complete(evicted.connection, *state, evictees.now);
    forget(evicted.connection, *state);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::span<const Message> open = state->requesters[i]->open_messages();
      evicted.open_messages[i].assign(open.begin(), open.end());
    }
    if (!setups_.table().has(evicted.connection.handshake)) continue;
    eviction.handshakes.push_back(setups_.table().take(evicted.connection.handshake));
    eviction.handshakes.back().connection = number;
  }
  take_tries_before(eviction.handshakes, next_tries);
  if (eviction.idle_since) {
    evict_handshakes(eviction, next_tries);
    eviction.memory_regions = observers_.evict(*eviction.idle_since);
    express_.forget_likeness();
  }
  if (!eviction.handshakes.empty()) setups_.forget_taken();
  if (eviction_visitor_) eviction_visitor_(std::move(eviction));
}

/// What was only a try of a service goes with the next one: alone, nothing shows what it was.
void Tracker::Implementation::take_tries_before(std::vector<Handshake>& taken,
                                                const std::map<std::uint32_t, std::uint32_t>& next_tries) {
  if (taken.empty() || next_tries.empty()) return;
  std::unordered_set<std::uint32_t> gone;
  for (const Handshake& handshake : taken) gone.insert(handshake.number);
  for (auto each = next_tries.rbegin(); each != next_tries.rend(); ++each) {  // a try may have another before it
    const auto [number, next] = *each;
    if (!gone.contains(next) || !setups_.table().has(number)) continue;
    taken.push_back(setups_.table().take(number));
    gone.insert(number);
  }
}

/// What was only a try of a service stays as long as the next one: with it a finding tells what it was. `next_tries`: as they were before
/// anything was taken.
void Tracker::Implementation::evict_handshakes(Eviction& eviction,
                                               const std::map<std::uint32_t, std::uint32_t>& next_tries) {
  std::unordered_set<std::uint32_t> needed;
  for (const ConnectionState* state : table_.all()) needed.insert(state->facts.handshake);
  const auto is_alive = [&](const Handshake& handshake) {
    return needed.contains(handshake.number) || table_.at(handshake.connection) != nullptr;
  };
  constexpr std::size_t kMostKept = 1'024;  // so that tries without end leave room for others
  constexpr int kMostTries = 8;             // of one program
  std::size_t kept = 0;
  const auto waits_for_next = [&](std::uint32_t number) {
    auto next = next_tries.find(number);
    for (int i = 0; i < kMostTries && next != next_tries.end(); ++i) {
      const Handshake* const handshake = setups_.table().find(next->second);
      if (handshake == nullptr) return false;
      if (is_alive(*handshake) || HandshakeTable::last_time(*handshake) >= *eviction.idle_since)
        return ++kept <= kMostKept;
      next = next_tries.find(next->second);
    }
    return false;
  };
  auto idle = setups_.table().take_idle(*eviction.idle_since, [&](const Handshake& handshake) {
    return is_alive(handshake) || waits_for_next(handshake.number);
  });
  std::ranges::move(idle, std::back_inserter(eviction.handshakes));
  table_.forget_announced([this](std::uint32_t handshake) { return setups_.table().has(handshake); });
}

}  // namespace rocescope
