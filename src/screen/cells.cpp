#include "screen/cells.hpp"

namespace rocescope::screen {

void Cells::put(std::size_t x, std::size_t y, char32_t glyph, Tone tone) {
  if (x >= width_ || y >= height_) return;
  Cell& cell = cells_[y * width_ + x];
  cell.glyph = glyph;
  cell.tone = tone;
}

std::size_t Cells::text(std::size_t x, std::size_t y, std::string_view text, Tone tone) {
  for (const char each : text) {
    const bool printable = each >= ' ' && each <= '~';
    put(x++, y, printable ? static_cast<char32_t>(each) : U'?', tone);
  }
  return x;
}

void Cells::reverse(std::size_t y) {
  if (y >= height_) return;
  for (std::size_t x = 0; x < width_; ++x) cells_[y * width_ + x].reversed = true;
}

std::string Cells::row(std::size_t y) const {
  std::string text;
  for (std::size_t x = 0; x < width_; ++x) append_glyph(at(x, y).glyph, text);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string Cells::text() const {
  std::string text;
  for (std::size_t y = 0; y < height_; ++y) text += row(y) + '\n';
  return text;
}

void append_glyph(char32_t glyph, std::string& out) {
  const auto byte = [&out](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  const auto rest = [](char32_t bits) { return 0x80U | (bits & 0x3FU); };
  if (glyph < 0x80) return byte(glyph);
  if (glyph < 0x800) {
    byte(0xC0U | (glyph >> 6U));
  } else {
    byte(0xE0U | (glyph >> 12U));  // nothing above U+FFFF is drawn
    byte(rest(glyph >> 6U));
  }
  byte(rest(glyph));
}

}  // namespace rocescope::screen
