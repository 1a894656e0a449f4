#include "text/wrap.hpp"

#include <algorithm>
#include <utility>

namespace rocescope::text {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The next word; a number with the word behind it, which is its unit or what it counts.
std::string_view next_piece(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || space == 0) return text.substr(0, space);
  const bool is_number = is_digit(text.front()) && is_digit(text[space - 1]);
  return text.substr(0, is_number ? text.find(' ', space + 1) : space);
}

}  // namespace

std::string folded(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    line += text.substr(0, end);
    if (end == std::string_view::npos) break;
    line += ' ';
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end + 1)));
  }
  return line;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::string_view piece = next_piece(text);
    text.remove_prefix(std::min(text.size(), piece.size() + 1));
    if (!line.empty() && line.size() + 1 + piece.size() > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += piece;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace rocescope::text
