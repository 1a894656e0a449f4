// Wrapping.
#include "cli/text_layout.hpp"

#include <algorithm>

#include "text/wrap.hpp"

namespace rocescope::cli {

std::string two_columns(std::string_view left, std::string_view right, std::size_t column) {
  std::string row = "  ";
  row += left;
  bool same_line = row.size() + 2 <= column;
  for (const std::string& line : text::wrap(right, kTerminalWidth - column)) {
    if (!same_line) {
      row += '\n';
      row.append(column, ' ');
    } else {
      row.append(column - row.size(), ' ');
      same_line = false;
    }
    row += line;
  }
  row += '\n';
  return row;
}

}  // namespace rocescope::cli
