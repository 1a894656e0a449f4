// Puts together what shards counted of the same captures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/observations.hpp"
#include "rocescope/result.hpp"

namespace rocescope::partial {

/// What was read of a file.
struct Part {
  std::string name;         ///< of the file
  std::uint64_t start = 0;  ///< where it begins there, in bytes
  Observations observations;
  /// Set by merge(): the number of each of its connections in the merged result, at the index of its own number less 1.
  /// Empty: the numbers are the same.
  std::vector<std::uint32_t> connections;
};

/// Merges what the shards of all parts counted, in any order, also if shards are missing; the result is again a part of
/// the whole. Numbers are those that one analysis of these shards gives. The contents of the parts are moved. Fails,
/// and names the parts, if they do not belong together.
[[nodiscard]] Result<Observations> merge(std::vector<Part>& parts);

/// The shards that are missing from the whole, by number.
[[nodiscard]] std::vector<std::uint32_t> missing_shards(const Observations& observations);

/// Turns what all shards counted into what one analysis of all packets counts. Returns nothing; or, where a table of one
/// analysis would have been full and left something out, a clause that names it.
[[nodiscard]] std::optional<std::string> complete(Observations& observations);

}  // namespace rocescope::partial
