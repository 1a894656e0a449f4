// What packets that do not count have shown of a connection.
#pragma once

#include <array>
#include <cstddef>

#include "rocescope/connection.hpp"

namespace rocescope {

/// Kept apart from what counts, in the same types: code that counts needs no case for it.
struct Uncounted {
  std::array<ConnectionSide, 2> sides;   ///< of these the counts
  std::array<StreamTotals, 2> requests;  ///< of each side, modulo 2^64: corrections may outweigh what they correct
};

/// Exchanges the counts of two sides. What is no count, such as states and the class of the last packet, stays.
void swap_counts(ConnectionSide& one, ConnectionSide& other);

/// Adds to `sum` what a packet changed: the totals after it less those before.
void add_change(const StreamTotals& before, const StreamTotals& after, StreamTotals& sum);
/// `whole` without `uncounted`. Maxima, and what is in flight, are those of all packets.
[[nodiscard]] StreamTotals counted_of(const StreamTotals& whole, const StreamTotals& uncounted);

}  // namespace rocescope
