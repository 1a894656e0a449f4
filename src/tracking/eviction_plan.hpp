// When connections are evicted, and which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "connection_table.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// Looks at all connections now and then: some times in the idle timeout, and where there are too many at a part of them at
/// once, so that each new connection pays for few.
class EvictionPlan {
 public:
  explicit EvictionPlan(const TrackOptions& options)
      : idle_timeout_(options.idle_timeout), most_(options.max_connections) {}

  /// Whether connections are evicted at all.
  [[nodiscard]] bool evicts() const noexcept { return idle_timeout_ > 0; }
  /// Whether it is time to look, ns since 1970.
  [[nodiscard]] bool is_due(const ConnectionTable& table, std::int64_t now) const noexcept {
    return evicts() && (table.size() > most_ || now >= next_look_);
  }

  struct Evictees {
    std::vector<std::uint32_t> numbers;      ///< the longest idle first
    std::size_t crowded = 0;                 ///< the last ones, which are not idle
    std::optional<std::int64_t> idle_since;  ///< see Eviction
  };
  /// `except` is not among them.
  [[nodiscard]] Evictees look(const ConnectionTable& table, std::int64_t now, std::uint32_t except);

 private:
  static constexpr std::int64_t kLooks = 16;   // in the timeout
  static constexpr std::size_t kCrowded = 64;  // part of all connections that makes room for others at once

  std::int64_t idle_timeout_;
  std::size_t most_;
  std::int64_t next_look_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace rocescope
