#include "missing_psns.hpp"

#include <algorithm>

namespace rocescope {

const MissingRun* MissingPsns::find(Psn psn) const noexcept {
  for (const MissingRun& run : runs_) {
    if (run.contains(psn)) return &run;
  }
  return nullptr;
}

void MissingPsns::add(Psn first, std::uint32_t count, std::int64_t opened) {
  if (runs_.size() == kMaxRuns) {
    overflowed_ += runs_.front().count;
    runs_.erase(runs_.begin());
  }
  runs_.push_back({first, count, opened});
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
                          to < run.count ? static_cast<std::uint32_t>(run.count - to) : 0, run.opened};
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

std::uint32_t MissingPsns::forget_before(Psn psn) {
  std::uint32_t forgotten = 0;
  std::size_t gone = 0;
  for (MissingRun& run : runs_) {
    const std::int32_t before = run.first.distance_to(psn);
    if (before <= 0) break;
    const std::uint32_t part = std::min(static_cast<std::uint32_t>(before), run.count);
    forgotten += part;
    run.first += part;
    run.count -= part;
    if (run.count > 0) break;
    ++gone;
  }
  runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(gone));
  return forgotten;
}

}  // namespace rocescope
