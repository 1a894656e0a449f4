// How far two words are apart, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace rocescope::fields {

/// The number of single-character edits between two words (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace rocescope::fields
