#include "tracking/watchers/pause_table.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/mac_control.hpp"
#include "sorting/sort.hpp"

namespace rocescope {
namespace {

constexpr std::uint8_t kPriorities = 8;

/// Nanoseconds from one time to another, 0 where that is before.
std::uint64_t passed(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(elapsed(from, to), 0));
}

}  // namespace

std::uint64_t PauseTable::nanoseconds(std::uint64_t quanta) const noexcept {
  constexpr std::uint64_t kBits = 512;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return link_speed_ == 0 ? 0 : quanta * kBits * kSecond / link_speed_;
}

void PauseTable::observe(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  if (const auto pfc = packet.header<MacPfc>()) {
    for (std::uint8_t priority = 0; priority < kPriorities; ++priority) {
      if (pfc->enabled(priority)) note(tracked, priority, pfc->time(priority));
    }
  } else if (const auto pause = packet.header<MacPause>()) {
    note(tracked, std::nullopt, pause->time());
  }
}

void PauseTable::note(const TrackedPacket& tracked, std::optional<std::uint8_t> priority, std::uint16_t quanta) {
  const Packet& packet = tracked.packet();
  const auto ethernet = packet.header<Ethernet>();
  if (!ethernet) return;
  ByteArray<6> source;
  std::copy_n(ethernet->source().begin(), source.size(), source.begin());
  const std::uint64_t key = (load_bits(source.data(), 0, 48) << 8) | priority.value_or(kPriorities);
  if (!states_.contains(key) && states_.size() >= kMost) {
    if (tracked.counts) ++untracked_;
    return;
  }
  State& state = states_[key];
  PauseTotals& totals = tracked.counts ? state.counted : state.uncounted;
  const std::int64_t now = packet.frame.timestamp;
  if (totals.first_packet == 0) {
    totals.source = source;
    totals.priority = priority;
    totals.first_packet = packet.frame.number;
    totals.first_time = totals.last_time = now;
  }
  totals.first_time = std::min(totals.first_time, now);
  totals.last_time = std::max(totals.last_time, now);
  if (quanta > 0) return xoff(state, totals, packet, quanta);
  ++totals.xon;
  end(state, totals, now, true);
}

void PauseTable::xoff(State& state, PauseTotals& totals, const Packet& packet, std::uint16_t quanta) {
  const std::int64_t now = packet.frame.timestamp;
  ++totals.xoff;
  totals.quanta += quanta;
  const std::uint64_t lasts = link_speed_ == 0 ? kRenewal : state.asked;
  if (state.paused && passed(state.last_xoff, now) > lasts) end(state, totals, now, false);
  if (!state.paused) {
    state.paused = true;
    state.since = now;
    ++totals.pauses;
  }
  state.last_xoff = now;
  state.last_counts = &totals == &state.counted;
  state.asked = nanoseconds(quanta);
  sightings_.add(FindingId::kPfcPause, packet.frame.number, now, state.asked);
  if (const std::uint64_t so_far = passed(state.since, now); so_far >= kStorm) {
    sightings_.add(FindingId::kPfcStorm, packet.frame.number, now);
  }
}

/// Ends the pause at `now`, or before where its time ran out.
void PauseTable::end(State& state, PauseTotals& totals, std::int64_t now, bool by_xon) const {
  if (!state.paused) return;
  state.paused = false;
  const bool ran_out = passed(state.last_xoff, now) > (link_speed_ == 0 ? kRenewal : state.asked);
  std::uint64_t lasted = passed(state.since, now);
  if (link_speed_ != 0) {
    lasted = passed(state.since, state.last_xoff) + std::min(passed(state.last_xoff, now), state.asked);
  } else if (!by_xon || ran_out) {
    return;
  }
  totals.paused += std::min(lasted, std::numeric_limits<std::uint64_t>::max() - totals.paused);
  totals.longest = std::max(totals.longest, lasted);
  if (by_xon && !ran_out) ++totals.ended;
}

std::vector<PauseTotals> PauseTable::totals(std::int64_t now) const {
  std::vector<PauseTotals> totals;
  totals.reserve(states_.size());
  for (const auto& [key, state] : states_) {
    if (state.counted.first_packet == 0) continue;
    State last = state;
    if (last.last_counts) end(last, last.counted, now, false);
    totals.push_back(last.counted);
  }
  sorting::sort(totals, [](const PauseTotals& a, const PauseTotals& b) {
    return std::tie(a.source, a.priority) < std::tie(b.source, b.priority);
  });
  return totals;
}

}  // namespace rocescope
