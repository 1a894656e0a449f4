// When connections are evicted, and which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rocescope/tracker.hpp"
#include "tracking/connections/connection_table.hpp"

namespace rocescope {

/// Looks at all connections now and then: some times in the idle timeout, and where there are too many at a part of them at
/// once, so that each new connection pays for few.
class EvictionPlan {
 public:
  explicit EvictionPlan(const TrackOptions& options)
      : idle_timeout_(options.idle_timeout), most_(options.max_connections) {}

  /// Whether connections are evicted at all.
  [[nodiscard]] bool evicts() const noexcept { return idle_timeout_ > 0; }
  /// The time of a packet, ns since 1970. The latest time of a packet is taken as the clock. A time that is further from the clock
  /// than the idle timeout is believed when the next packet has the same time, or a later one.
  void observe(std::int64_t time) noexcept {
    if (is_near(time, now_)) {
      now_ = std::max(now_, time);
      astray_.reset();
    } else {
      observe_far(time);
    }
  }
  /// As observe(), if the time is near and nothing is evicted then. Else does nothing and says false.
  [[nodiscard]] bool goes_on(const ConnectionTable& table, std::int64_t time) noexcept {
    if (!evicts()) return true;
    const std::int64_t now = std::max(now_, time);
    if (!is_near(time, now_) || is_due_at(table, now)) return false;
    now_ = now;
    astray_.reset();
    return true;
  }
  /// Nothing came for `quiet` ns after the last packet: one that comes then may be later by that.
  void wait(std::int64_t quiet) noexcept { quiet_ = quiet; }
  /// Whether it is time to look, when nothing came for `quiet` ns.
  [[nodiscard]] bool is_due(const ConnectionTable& table, std::int64_t quiet) const noexcept;

  struct Evictees {
    std::vector<std::uint32_t> numbers;      ///< the longest idle first
    std::size_t crowded = 0;                 ///< the last ones, which are not idle
    std::optional<std::int64_t> idle_since;  ///< see Eviction
    std::int64_t now = 0;                    ///< ns since 1970
  };
  /// When nothing came for `quiet` ns. `except` is not among them.
  [[nodiscard]] Evictees look(const ConnectionTable& table, std::int64_t quiet, std::uint32_t except);

 private:
  friend struct StateMembers;
  static constexpr std::int64_t kLooks = 16;   // in the timeout
  static constexpr std::size_t kCrowded = 64;  // part of all connections that makes room for others at once

  static constexpr std::int64_t kEarliest = std::numeric_limits<std::int64_t>::min();

  /// Whether two times are no further apart than the timeout. The second time may be none yet.
  [[nodiscard]] bool is_near(std::int64_t a, std::int64_t b) const noexcept {
    const auto apart = static_cast<std::uint64_t>(std::max(a, b)) - static_cast<std::uint64_t>(std::min(a, b));
    return apart <= static_cast<std::uint64_t>(idle_timeout_);
  }
  void observe_far(std::int64_t time) noexcept;
  [[nodiscard]] bool is_due_at(const ConnectionTable& table, std::int64_t now) const noexcept;
  [[nodiscard]] std::int64_t step() const noexcept { return std::max<std::int64_t>(idle_timeout_ / kLooks, 1); }

  std::int64_t idle_timeout_;
  std::size_t most_;
  std::int64_t now_ = kEarliest;        // by the packets; the earliest time: there was none
  std::optional<std::int64_t> astray_;  // of the last packet, which is not believed
  std::int64_t quiet_ = 0;              // when it was waited last
  std::int64_t next_look_ = kEarliest;
};

}  // namespace rocescope
