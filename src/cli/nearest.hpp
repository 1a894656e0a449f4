// Suggestions for words that are misspelled.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rocescope::cli {

/// The candidate most like `word`: one that starts with it, or one a few typing errors away. Empty if none is near.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `. Did you mean 'SUGGESTION'?`, or `otherwise` when there is no suggestion.
[[nodiscard]] std::string did_you_mean(std::string_view suggestion, std::string_view otherwise);

}  // namespace rocescope::cli
