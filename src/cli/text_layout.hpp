// Laying out text in columns for terminals 80 characters wide.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rocescope::cli {

inline constexpr std::size_t kTerminalWidth = 80;

/// A row of two columns: `left` indented by two, `right` wrapped in a column that starts at `column`; below `left` when
/// that is too long for its column. Ends with a newline.
[[nodiscard]] std::string two_columns(std::string_view left, std::string_view right, std::size_t column);

}  // namespace rocescope::cli
