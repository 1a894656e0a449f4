// Characters beyond ASCII, and their replacements on a terminal that has ASCII only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include "screen/cells.hpp"

namespace rocescope::screen {

struct Glyphs {
  bool unicode = true;

  static constexpr int kLevels = 8;

  [[nodiscard]] char32_t ellipsis() const noexcept { return unicode ? U'…' : U'~'; }
  [[nodiscard]] char32_t block() const noexcept { return unicode ? U'█' : U'#'; }
  /// `level` is 0, a blank, to kLevels.
  [[nodiscard]] char32_t level(int level) const noexcept {
    return (unicode ? std::u32string_view(U" ▁▂▃▄▅▆▇█")
                    : std::u32string_view(U" _.-~=+*#"))[static_cast<std::size_t>(level)];
  }
};

/// Draws values (0 or more) as columns from `x` on, the highest kLevels high; a value above 0 is never blank.
inline void draw_sparkline(Cells& cells, std::size_t x, std::size_t y, std::span<const float> values, Glyphs glyphs,
                           Tone tone) {
  const float most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  for (const float value : values) {
    const int level = value <= 0 ? 0 : static_cast<int>(std::ceil(value / most * Glyphs::kLevels));
    cells.put(x++, y, glyphs.level(std::min(level, Glyphs::kLevels)), tone);
  }
}

/// Draws text in `width` columns; if it does not fit, an ellipsis ends it.
inline void draw_cut(Cells& cells, std::size_t x, std::size_t y, std::string_view text, std::size_t width,
                     Glyphs glyphs, Tone tone = Tone::kPlain) {
  if (text.size() <= width) {
    cells.text(x, y, text, tone);
  } else if (width > 0) {
    cells.text(x, y, text.substr(0, width - 1), tone);
    cells.put(x + width - 1, y, glyphs.ellipsis(), tone);
  }
}

/// The same at the right end of `width` columns.
inline void draw_right(Cells& cells, std::size_t x, std::size_t y, std::string_view text, std::size_t width,
                       Glyphs glyphs, Tone tone = Tone::kPlain) {
  draw_cut(cells, x + width - std::min(width, text.size()), y, text, width, glyphs, tone);
}

}  // namespace rocescope::screen
