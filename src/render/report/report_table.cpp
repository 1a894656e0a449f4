#include "render/report/report_table.hpp"

#include <algorithm>

#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

/// Columns on a terminal: bytes that start a UTF-8 character.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The text and what fills its column, unless nothing follows on the line.
void append_cell(std::string_view text, std::size_t width, Align align, std::string& out) {
  const std::size_t fill = width - width_of(text);
  if (align == Align::kRight) out.append(fill, ' ');
  out += text;
  if (align == Align::kLeft) out.append(fill, ' ');
}

void end_line(std::string& out) {
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

}  // namespace

void ReportTable::append_to(std::string& out) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  const auto append_line = [&](const auto& text_of) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == 0) continue;
      out += "  ";
      append_cell(text_of(i), std::max(widths[i], width_of(columns_[i].title)), columns_[i].align, out);
    }
    end_line(out);
  };
  append_line([&](std::size_t i) { return columns_[i].title; });
  for (const auto& row : rows_) append_line([&](std::size_t i) { return std::string_view(row[i]); });
}

std::string count_or_nothing(std::uint64_t number) { return number == 0 ? std::string() : text::count(number); }

}  // namespace rocescope::render
