// A screen as a grid of characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "render/style.hpp"

namespace rocescope::screen {

using render::Tone;

struct Cell {
  char32_t glyph = U' ';  ///< takes one column
  Tone tone = Tone::kPlain;
  bool reversed = false;
  friend bool operator==(const Cell&, const Cell&) noexcept = default;
};

/// Drawing outside of it has no effect.
class Cells {
 public:
  Cells(std::size_t width, std::size_t height) : width_(width), height_(height), cells_(width * height) {}

  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t height() const noexcept { return height_; }
  /// `x` and `y` are inside.
  [[nodiscard]] const Cell& at(std::size_t x, std::size_t y) const { return cells_[y * width_ + x]; }

  void put(std::size_t x, std::size_t y, char32_t glyph, Tone tone = Tone::kPlain);
  /// Draws ASCII text; any other byte becomes `?`, since names come from outside and may hold control characters.
  /// Returns the column behind it.
  std::size_t text(std::size_t x, std::size_t y, std::string_view text, Tone tone = Tone::kPlain);
  void reverse(std::size_t y);

  /// A row in UTF-8, without the blanks at its end; styles left out.
  [[nodiscard]] std::string row(std::size_t y) const;
  /// All rows, each with a line feed.
  [[nodiscard]] std::string text() const;

 private:
  std::size_t width_;
  std::size_t height_;
  std::vector<Cell> cells_;
};

/// UTF-8.
void append_glyph(char32_t glyph, std::string& out);

}  // namespace rocescope::screen
