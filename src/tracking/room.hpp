// Which entries of a table leave when room is made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rocescope {

/// Entries whose last packet came before this time leave: those before `idle_since`, and where a table of at most `most` entries is
/// nearly full, so many of the oldest that an eighth of it is free. `times` are those of the last packets of all entries.
[[nodiscard]] inline std::int64_t leave_before(std::vector<std::int64_t> times, std::size_t most,
                                               std::int64_t idle_since) {
  const std::size_t many = most - most / 8;
  if (times.size() <= many) return idle_since;
  const auto youngest = times.begin() + static_cast<std::ptrdiff_t>(times.size() - many);
  std::ranges::nth_element(times, youngest);
  return std::max(idle_since, *youngest);
}

}  // namespace rocescope
