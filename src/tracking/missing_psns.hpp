// The PSNs of a stream that were skipped and have not been seen since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/psn.hpp"

namespace rocescope {

/// A run of PSNs that were not seen.
struct MissingRun {
  Psn first;
  std::uint32_t count = 0;
  std::int64_t opened = 0;  ///< when a later PSN was seen, nanoseconds since 1970

  [[nodiscard]] bool contains(Psn psn) const noexcept {
    const std::int32_t distance = first.distance_to(psn);
    return distance >= 0 && static_cast<std::uint32_t>(distance) < count;
  }
};

/// Runs in serial order. Takes no memory while nothing is missing.
class MissingPsns {
 public:
  /// Runs remembered of one stream; the oldest goes first and counts as lost to the capture.
  static constexpr std::size_t kMaxRuns = 256;

  [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
  [[nodiscard]] const std::vector<MissingRun>& runs() const noexcept { return runs_; }
  /// The run that holds `psn`, or null. Lasts until the next change.
  [[nodiscard]] const MissingRun* find(Psn psn) const noexcept;

  /// PSNs behind all runs.
  void add(Psn first, std::uint32_t count, std::int64_t opened);
  /// `span` PSNs from `psn` were seen after all; those that are in no run do not matter.
  void fill(Psn psn, std::uint32_t span);
  /// Forgets all PSNs before `psn`, since they arrived; how many these were.
  std::uint32_t forget_before(Psn psn);
  /// PSNs that were forgotten because there were too many runs.
  [[nodiscard]] std::uint64_t overflowed() const noexcept { return overflowed_; }

 private:
  std::vector<MissingRun> runs_;
  std::uint64_t overflowed_ = 0;
};

}  // namespace rocescope
