#include "missing_psns.hpp"

#include <algorithm>
#include <numeric>

namespace rocescope {

const MissingRun* MissingPsns::find(Psn psn) const noexcept {
  for (const MissingRun& run : runs_) {
    if (run.contains(psn)) return &run;
  }
  return nullptr;
}

void MissingPsns::add(const MissingRun& run) {
  if (runs_.size() == kMaxRuns) {
    (runs_.front().acknowledged ? forgotten_ : forgotten_unanswered_) += runs_.front().count;
    runs_.erase(runs_.begin());
  }
  runs_.push_back(run);
}

void MissingPsns::add_first(const MissingRun& run) {
  if (runs_.size() < kMaxRuns) runs_.insert(runs_.begin(), run);
}

void MissingPsns::fill(Psn psn, std::uint32_t span) {
  for (std::size_t i = 0; i < runs_.size();) {
    MissingRun& run = runs_[i];
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
        runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      run = rest;
    } else if (rest.count > 0) {
      runs_.insert(runs_.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
      ++i;
    }
    ++i;
  }
}

void MissingPsns::acknowledge_before(Psn psn) {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::int32_t before = runs_[i].first.distance_to(psn);
    if (before <= 0) return;
    if (runs_[i].acknowledged) continue;
    const auto part = static_cast<std::uint32_t>(before);
    if (part < runs_[i].count) {  // the rest of the run is still missing
      const MissingRun rest{psn, runs_[i].count - part, runs_[i].opened, false, runs_[i].unwatched};
      runs_[i].count = part;
      runs_.insert(runs_.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
    }
    runs_[i].acknowledged = true;
  }
}

std::uint64_t MissingPsns::count() const noexcept {
  return std::accumulate(runs_.begin(), runs_.end(), forgotten_ + forgotten_unanswered_,
                         [](std::uint64_t sum, const MissingRun& run) { return sum + run.count; });
}

std::uint64_t MissingPsns::acknowledged() const noexcept {
  return std::accumulate(runs_.begin(), runs_.end(), forgotten_, [](std::uint64_t sum, const MissingRun& run) {
    return sum + (run.acknowledged ? run.count : 0);
  });
}

}  // namespace rocescope
