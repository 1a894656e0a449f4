#include "render/report/report_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "rocescope/text.hpp"
#include "text/wrap.hpp"

namespace rocescope::render {
namespace {

/// What names a row stays: numbers, addresses, queue pairs.
constexpr std::string_view kStaying[] = {
    "no.",          "packet",      "side",      "peer",     "point",          "source",     "from",   "destination",
    "to",           "active side", "to QP",     "QP",       "sender of data", "queue pair", "time",   "message",
    "passive side", "R_Key",       "responder", "protocol", "operation",      "reason",     "counter"};
/// What is left out first, in this order; then the others, the rightmost first.
constexpr std::string_view kGoingFirst[] = {"paired",  "transport",   "MTU",       "bytes",    "messages",
                                            "packets", "transaction", "remote ID", "local ID", "PSN"};

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

constexpr std::size_t kIndent = 2;

bool is_one_of(std::string_view title, std::span<const std::string_view> titles) {
  return std::ranges::find(titles, title) != titles.end();
}

/// With the two spaces before each column.
std::size_t line_width(std::span<const std::size_t> widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) sum += width == 0 ? 0 : kIndent + width;
  return sum;
}

void end_line(std::string& out) {
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

}  // namespace

std::vector<std::size_t> ReportTable::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] > 0) widths[i] = std::max(widths[i], width_of(columns_[i].title));
  }
  return widths;
}

/// The titles of those left out, in their order.
std::vector<std::string_view> ReportTable::leave_out(std::vector<std::size_t>& widths, std::size_t width) const {
  std::vector<std::size_t> order;
  const auto add = [&](std::size_t i) {
    if (widths[i] > 0 && !is_one_of(columns_[i].title, kStaying)) order.push_back(i);
  };
  for (const std::string_view title : kGoingFirst) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (columns_[i].title == title) add(i);
    }
  }
  for (std::size_t i = widths.size(); i-- > 0;) {
    if (!is_one_of(columns_[i].title, kGoingFirst)) add(i);
  }
  std::vector<std::string_view> titles;
  for (const std::size_t i : order) {
    if (line_width(widths) <= width) break;
    widths[i] = 0;
    titles.push_back(columns_[i].title);
  }
  return titles;
}

void ReportTable::append_to(std::string& out, std::size_t width) const {
  std::vector<std::size_t> widths = this->widths();
  const std::vector<std::string_view> left_out =
      width == 0 ? std::vector<std::string_view>() : leave_out(widths, width);
  const auto append_line = [&](const auto& text_of) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == 0) continue;
      out += "  ";
      append_cell(text_of(i), widths[i], columns_[i].align, out);
    }
    end_line(out);
  };
  append_line([&](std::size_t i) { return columns_[i].title; });
  for (const auto& row : rows_) append_line([&](std::size_t i) { return std::string_view(row[i]); });
  if (left_out.empty()) return;
  const std::string note = fmt::format("no room here for: {}", fmt::join(left_out, ", "));
  for (const std::string& line : text::wrap(note, width - kIndent)) out += fmt::format("  {}\n", line);
}

std::string columns_left_out_text() {
  return fmt::format("{}, then any other from the right", fmt::join(kGoingFirst, ", "));
}

std::string count_or_nothing(std::uint64_t number) { return number == 0 ? std::string() : text::count(number); }

}  // namespace rocescope::render
