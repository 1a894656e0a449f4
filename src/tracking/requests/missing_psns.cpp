#include "tracking/requests/missing_psns.hpp"

#include <algorithm>
#include <numeric>

namespace rocescope {

const MissingRun* MissingPsns::find(Psn psn) const noexcept {
  for (const MissingRun& run : runs()) {
    if (run.contains(psn)) return &run;
  }
  return nullptr;
}

void MissingPsns::add(const MissingRun& run) {
  State& state = state_.make();
  if (state.runs.size() == kMaxRuns) {
    const MissingRun& oldest = state.runs.front();
    (oldest.acknowledged ? state.forgotten : state.forgotten_unanswered) += oldest.count;
    state.runs.erase(state.runs.begin());
  }
  state.runs.push_back(run);
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
    const MissingRun rest{run.first + static_cast<std::uint32_t>(std::max<std::int64_t>(to, 0)),
                          to < run.count ? static_cast<std::uint32_t>(run.count - to) : 0, run.opened, run.acknowledged,
                          run.unwatched};
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
      const MissingRun rest{psn, runs[i].count - part, runs[i].opened, false, runs[i].unwatched};
      runs[i].count = part;
      runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
    }
    runs[i].acknowledged = true;
  }
}

std::uint64_t MissingPsns::count() const noexcept {
  return std::accumulate(runs().begin(), runs().end(), state_->forgotten + state_->forgotten_unanswered,
                         [](std::uint64_t sum, const MissingRun& run) { return sum + run.count; });
}

std::uint64_t MissingPsns::acknowledged() const noexcept {
  return std::accumulate(runs().begin(), runs().end(), state_->forgotten, [](std::uint64_t sum, const MissingRun& run) {
    return sum + (run.acknowledged ? run.count : 0);
  });
}

}  // namespace rocescope
