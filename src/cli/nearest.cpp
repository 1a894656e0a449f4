// Finding the candidate with the fewest edits.
#include "cli/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "fields/edit_distance.hpp"

namespace rocescope::cli {

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 4) + 1;
  for (const std::string_view candidate : candidates) {
    // "--disp" is a prefix of "--display-filter": the missing rest does not count.
    const bool beginning = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t distance = beginning ? 1 : fields::edit_distance(word, candidate);
    if (distance < best_distance && distance < word.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view suggestion, std::string_view otherwise) {
  return suggestion.empty() ? std::string(otherwise) : fmt::format(". Did you mean '{}'?", suggestion);
}

}  // namespace rocescope::cli
