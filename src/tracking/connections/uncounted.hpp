// What packets that do not count have shown of a connection.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rocescope/connection.hpp"

namespace rocescope {

/// Kept apart from what counts, in the same types: code that counts needs no case for it.
struct Uncounted {
  std::array<ConnectionSide, 2> sides;        ///< of these the counts
  std::array<StreamTotals, 2> requests;       ///< of each side, modulo 2^64: corrections may outweigh what they correct
  std::optional<std::int64_t> first_counted;  ///< the earliest time of packets that count, nanoseconds since 1970
  std::optional<std::int64_t> last_counted;   ///< the latest

  void add_counted(std::int64_t time) noexcept {
    first_counted = std::min(first_counted.value_or(time), time);
    last_counted = std::max(last_counted.value_or(time), time);
  }
};

/// Exchanges the counts of two sides. What is no count, such as states and the class of the last packet, stays.
void swap_counts(ConnectionSide& one, ConnectionSide& other);

/// Adds to `sum` what a packet changed: the totals after it less those before.
void add_change(const StreamTotals& before, const StreamTotals& after, StreamTotals& sum);
/// `whole` without `uncounted`. Maxima, and what is in flight, are those of all packets.
[[nodiscard]] StreamTotals counted_of(const StreamTotals& whole, const StreamTotals& uncounted);

}  // namespace rocescope
