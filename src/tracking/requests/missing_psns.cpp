#include "tracking/requests/missing_psns.hpp"

#include <algorithm>
#include <numeric>

namespace rocescope {
namespace {

/// Whether the capture missed these packets if they arrived.
constexpr bool may_be_missed(const MissingRun& run) noexcept { return !run.damaged && !run.of_read && !run.unwatched; }

/// Whether `run` is the rest of what was one run with `before` until that was acknowledged.
constexpr bool is_acknowledged_part(const MissingRun& before, const MissingRun& run) noexcept {
  return before.acknowledged && before.first + before.count == run.first && before.opened == run.opened &&
         before.unwatched == run.unwatched && before.damaged == run.damaged && before.of_read == run.of_read;
}

}  // namespace

const MissingRun* MissingPsns::find(Psn psn) const noexcept {
  for (const MissingRun& run : runs()) {
    if (run.contains(psn)) return &run;
  }
  return nullptr;
}

void MissingPsns::forget_oldest() {
  State& state = state_.make();
  const MissingRun& oldest = state.runs.front();
  if (may_be_missed(oldest)) (oldest.acknowledged ? state.forgotten : state.forgotten_unanswered) += oldest.count;
  state.runs.erase(state.runs.begin());
}

void MissingPsns::add(const MissingRun& run) {
  if (runs().size() >= kMaxRuns) forget_oldest();
  state_.make().runs.push_back(run);
}

void MissingPsns::add_first(const MissingRun& run) {
  std::vector<MissingRun>& runs = state_.make().runs;
  if (runs.size() < kMaxRuns) runs.insert(runs.begin(), run);
}

void MissingPsns::fill(Psn psn, std::uint32_t span) {
  if (empty()) return;
  std::vector<MissingRun>& runs = state_.make().runs;
  for (std::size_t i = 0; i < runs.size();) {
    MissingRun& run = runs[i];
    // Both ends counted from the run's first PSN.
    const std::int64_t from = run.first.distance_to(psn);
    const std::int64_t to = from + span;
    if (to <= 0 || from >= run.count) {
      ++i;
      continue;
    }
    MissingRun rest = run;
    rest.first = run.first + static_cast<std::uint32_t>(std::max<std::int64_t>(to, 0));
    rest.count = to < run.count ? static_cast<std::uint32_t>(run.count - to) : 0;
    run.count = from > 0 ? static_cast<std::uint32_t>(from) : 0;
    if (run.count == 0) {
      if (rest.count == 0) {
        runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      run = rest;
    } else if (rest.count > 0) {
      runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
      ++i;
    }
    ++i;
  }
  while (runs.size() > kMaxParts) forget_oldest();
}

void MissingPsns::acknowledge_before(Psn psn) {
  if (empty()) return;
  std::vector<MissingRun>& runs = state_.make().runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int32_t before = runs[i].first.distance_to(psn);
    if (before <= 0) return;
    if (runs[i].acknowledged) continue;
    const auto part = static_cast<std::uint32_t>(before);
    if (part < runs[i].count) {  // the rest of the run is still missing
      if (i > 0 && is_acknowledged_part(runs[i - 1], runs[i])) {
        runs[i - 1].count += part;
        runs[i].first = psn;
        runs[i].count -= part;
        return;
      }
      MissingRun rest = runs[i];
      rest.first = psn;
      rest.count -= part;
      runs[i].count = part;
      runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
    }
    runs[i].acknowledged = true;
  }
}

void MissingPsns::leave_to_read(Psn psn, bool may_be) noexcept {
  if (empty()) return;
  std::vector<MissingRun>& runs = state_.make().runs;
  const auto run = std::ranges::find(runs, psn, &MissingRun::first);
  if (run != runs.end()) run->of_read = may_be;
}

std::uint32_t MissingPsns::damage(Psn psn, std::uint32_t span) {
  const MissingRun* const found = find(psn);
  if (found == nullptr || found->damaged || runs().size() + 2 > kMaxRuns) return 0;
  const MissingRun whole = *found;
  const auto before = static_cast<std::uint32_t>(whole.first.distance_to(psn));
  const std::uint32_t damaged = std::min(span, whole.count - before);
  std::vector<MissingRun>& runs = state_.make().runs;
  const auto part = [&whole](std::uint32_t from, std::uint32_t count, bool is_damaged) {
    MissingRun run = whole;
    run.first = whole.first + from;
    run.count = count;
    run.damaged = is_damaged;
    return run;
  };
  auto place = runs.erase(runs.begin() + (found - runs.data()));
  const std::uint32_t after = before + damaged;
  if (after < whole.count) place = runs.insert(place, part(after, whole.count - after, false));
  place = runs.insert(place, part(before, damaged, true));
  if (before > 0) runs.insert(place, part(0, before, false));
  return damaged;
}

std::uint32_t MissingPsns::unwatched(Psn first, std::uint32_t count) const noexcept {
  std::int64_t psns = 0;
  for (const MissingRun& run : runs()) {
    if (!run.unwatched) continue;
    const std::int64_t from = first.distance_to(run.first);
    psns +=
        std::max<std::int64_t>(0, std::min<std::int64_t>(from + run.count, count) - std::max<std::int64_t>(from, 0));
  }
  return static_cast<std::uint32_t>(psns);
}

std::uint64_t MissingPsns::count() const noexcept {
  return std::accumulate(runs().begin(), runs().end(), state_->forgotten + state_->forgotten_unanswered,
                         [](std::uint64_t sum, const MissingRun& run) { return sum + (run.damaged ? 0 : run.count); });
}

std::uint64_t MissingPsns::acknowledged() const noexcept {
  return std::accumulate(runs().begin(), runs().end(), state_->forgotten, [](std::uint64_t sum, const MissingRun& run) {
    return sum + (run.acknowledged && may_be_missed(run) ? run.count : 0);
  });
}

}  // namespace rocescope
