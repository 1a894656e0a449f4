// The grid that screens are drawn on.
#include "screen/cells.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "screen/glyphs.hpp"

namespace rocescope::screen {
namespace {

TEST(Cells, LeavesOutWhatIsOutside) {
  Cells cells(4, 2);
  EXPECT_EQ(cells.text(2, 0, "abcd"), 6U);
  cells.text(0, 2, "below");
  cells.put(std::numeric_limits<std::size_t>::max(), 1, U'x');
  cells.reverse(2);
  EXPECT_EQ(cells.text(), "  ab\n\n");
}

TEST(Cells, MayBeEmpty) {
  Cells cells(0, 0);
  cells.text(0, 0, "abc");
  EXPECT_EQ(cells.text(), "");
}

TEST(Cells, ShowsNoControlCharacters) {
  Cells cells(12, 1);
  cells.text(0, 0, "a\x1b[2J\r\n\x7f\xc3\xa9");
  EXPECT_EQ(cells.row(0), "a?[2J?????");
}

TEST(Cells, KeepsStyles) {
  Cells cells(2, 1);
  cells.text(1, 0, "x", Tone::kError);
  cells.reverse(0);
  EXPECT_EQ(cells.at(0, 0), (Cell{U' ', Tone::kPlain, true}));
  EXPECT_EQ(cells.at(1, 0), (Cell{U'x', Tone::kError, true}));
}

TEST(Cells, GlyphsAreUtf8) {
  std::string text;
  for (const char32_t glyph : {U'a', U'\u00e9', U'\u2026', U'\u2588'}) append_glyph(glyph, text);
  EXPECT_EQ(text, "a\xc3\xa9\xe2\x80\xa6\xe2\x96\x88");
}

std::string sparkline(std::vector<float> values, Glyphs glyphs) {
  Cells cells(values.size() + 2, 1);
  cells.put(values.size(), 0, U'|');
  draw_sparkline(cells, 0, 0, values, glyphs, Tone::kPlain);
  return cells.row(0);
}

TEST(Sparkline, HasItsHighestValueOnTop) {
  EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7, 8}, {}), " ▁▂▃▄▅▆▇█|");
  EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7, 8}, {.unicode = false}), " _.-~=+*#|");
  EXPECT_EQ(sparkline({1e12F, 1, 0, 5e11F}, {}), "█▁ ▄|");
  EXPECT_EQ(sparkline({0, 0}, {}), "  |");
  EXPECT_EQ(sparkline({}, {}), "|");
}

std::string cut(std::string_view text, std::size_t width, bool right = false) {
  Cells cells(10, 1);
  right ? draw_right(cells, 0, 0, text, width, {}) : draw_cut(cells, 0, 0, text, width, {});
  return cells.row(0);
}

TEST(Text, IsCutWithAnEllipsis) {
  EXPECT_EQ(cut("abcde", 5), "abcde");
  EXPECT_EQ(cut("abcdef", 5), "abcd…");
  EXPECT_EQ(cut("abcdef", 1), "…");
  EXPECT_EQ(cut("abcdef", 0), "");
  EXPECT_EQ(cut("abc", 5, true), "  abc");
  EXPECT_EQ(cut("abcdef", 5, true), "abcd…");
}

}  // namespace
}  // namespace rocescope::screen
