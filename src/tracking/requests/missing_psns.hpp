// The PSNs of a stream that were skipped and have not been seen since.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/detail/box.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// A run of PSNs that were not seen.
struct MissingRun {
  Psn first;
  std::uint32_t count = 0;
  std::int64_t opened = 0;    ///< when a later PSN was seen, nanoseconds since 1970
  bool acknowledged = false;  ///< they arrived: the capture missed them, or has them later
  bool unwatched = false;     ///< before the first packet that was seen: the capture may have begun after them
  bool damaged = false;       ///< they came by with a wrong ICRC
  bool of_read = false;       ///< after a READ whose length was cut off: all of them may belong to it

  [[nodiscard]] bool contains(Psn psn) const noexcept {
    const std::int32_t distance = first.distance_to(psn);
    return distance >= 0 && static_cast<std::uint32_t>(distance) < count;
  }
};

/// Runs in serial order. Takes no memory while nothing is missing.
class MissingPsns {
 public:
  /// Runs remembered of one stream; the oldest goes first.
  static constexpr std::size_t kMaxRuns = 256;
  /// The same where packets that came late left parts of runs.
  static constexpr std::size_t kMaxParts = 4096;

  [[nodiscard]] bool empty() const noexcept { return runs().empty(); }
  [[nodiscard]] const std::vector<MissingRun>& runs() const noexcept { return state_->runs; }
  /// The run that holds `psn`, or null. Lasts until the next change.
  [[nodiscard]] const MissingRun* find(Psn psn) const noexcept;

  /// PSNs behind all runs.
  void add(const MissingRun& run);
  /// PSNs before all runs.
  void add_first(const MissingRun& run);
  /// `span` PSNs from `psn` were seen after all; those that are in no run do not matter.
  void fill(Psn psn, std::uint32_t span);
  /// All PSNs before `psn` arrived.
  void acknowledge_before(Psn psn);
  /// Sets whether the run that begins with `psn` may be the rest of a READ whose length was cut off.
  void leave_to_read(Psn psn, bool may_be) noexcept;
  /// Whether all that are missing were acknowledged.
  [[nodiscard]] bool is_settled() const noexcept {
    return std::ranges::all_of(runs(), [](const MissingRun& run) { return run.acknowledged; });
  }
  /// Marks `span` PSNs from `psn` as seen with a wrong ICRC. Returns how many of them were missing.
  std::uint32_t damage(Psn psn, std::uint32_t span);
  /// How many of `count` PSNs from `first` on are missing since before the first packet that was seen.
  [[nodiscard]] std::uint32_t unwatched(Psn first, std::uint32_t count) const noexcept;
  /// PSNs that were acknowledged and never seen, not even damaged; without those from before the capture may have
  /// begun.
  [[nodiscard]] std::uint64_t acknowledged() const noexcept;
  /// PSNs that were not seen, not even damaged.
  [[nodiscard]] std::uint64_t count() const noexcept;

 private:
  friend struct StateMembers;
  struct State {
    std::vector<MissingRun> runs;
    std::uint64_t forgotten = 0;             // acknowledged PSNs of forgotten runs
    std::uint64_t forgotten_unanswered = 0;  // their other PSNs
  };

  void forget_oldest();

  Box<State> state_;
};

}  // namespace rocescope
