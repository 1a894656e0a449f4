// Totals, the list of connections, findings.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/text.hpp"
#include "schema/per_second.hpp"
#include "screen/layout.hpp"
#include "screen/pages.hpp"

namespace rocescope::screen {
namespace {

using std::string;
using text::count;
using text::duration;
using text::percent;
using text::quantity;

constexpr std::size_t kTitleLines = 2;  // above the rows

/// A number with up to five digits, else rounded.
string short_count(std::uint64_t value) {
  constexpr std::uint64_t kShort = 100'000;
  return value < kShort ? fmt::to_string(value) : quantity(static_cast<double>(value), "");
}

/// The widths of the list's columns. A column of none is left out.
struct Widths {
  std::size_t number = 3;
  std::size_t sides = 0;
  std::size_t state = 5;
  std::size_t rate = 6;
  std::size_t sparkline = 0;
  std::size_t outstanding = 4;
  std::size_t time = 7;
  std::size_t count = 0;
  std::size_t trouble = 7;
};

/// A cell; in the tone of its row, if it has none.
struct ListCell {
  string text;
  std::optional<Tone> tone = {};
};

template <auto count, Tone... tone>
ListCell count_cell(const ConnectionRow& row, float, std::size_t) {
  return {row.*count == 0 ? string() : short_count(row.*count), {tone...}};
}

template <auto time>
ListCell time_cell(const ConnectionRow& row, float, std::size_t) {
  return {row.*time ? duration(static_cast<std::int64_t>(*(row.*time))) : string()};
}

ListCell number_cell(const ConnectionRow& row, float, std::size_t) { return {fmt::to_string(row.number)}; }

ListCell sides_cell(const ConnectionRow& row, float, std::size_t width) {
  string whole = sides_text(row, true);
  return {whole.size() <= width ? std::move(whole) : sides_text(row, false)};
}

ListCell state_cell(const ConnectionRow& row, float, std::size_t) {
  return {row.state ? string(to_string(*row.state)) : string()};
}

ListCell rate_cell(const ConnectionRow&, float rate, std::size_t) {
  return {rate > 0 ? quantity(static_cast<double>(rate), "") : string()};
}

struct ListColumn {
  const char* title;
  std::size_t Widths::*width;
  ListCell (*cell)(const ConnectionRow& row, float rate, std::size_t width);  ///< null: the rates as a sparkline
  bool left = false;
};
constexpr ListColumn kListColumns[] = {
    {"no.", &Widths::number, number_cell},
    {"connection", &Widths::sides, sides_cell, true},
    {"state", &Widths::state, state_cell, true},
    {"b/s", &Widths::rate, rate_cell},
    {"", &Widths::sparkline, nullptr},
    {"out", &Widths::outstanding, count_cell<&ConnectionRow::outstanding>},
    {"p50", &Widths::time, time_cell<&ConnectionRow::p50>},
    {"p99", &Widths::time, time_cell<&ConnectionRow::p99>},
    {"resent", &Widths::count, count_cell<&ConnectionRow::resent, Tone::kWarning>},
    {"NAKs", &Widths::count, count_cell<&ConnectionRow::naks, Tone::kError>},
    {"CNPs", &Widths::count, count_cell<&ConnectionRow::cnps, Tone::kCongestion>},
    {"CE", &Widths::count, count_cell<&ConnectionRow::ce_packets, Tone::kCongestion>},
    {"trouble", &Widths::trouble, count_cell<&ConnectionRow::trouble, Tone::kWarning>},
};

Widths widths_of(std::size_t width, std::uint32_t highest_number) {
  constexpr std::size_t kWide = 130;
  constexpr std::size_t kCount = 7;
  constexpr std::size_t kSides = 59;  // IPv4 with queue pairs, and some more
  constexpr std::size_t kLeastSparkline = 5;
  constexpr std::size_t kStep = 6;  // the sparkline gets a sixth of the room above the least
  Widths widths;
  widths.number = std::max(widths.number, fmt::to_string(highest_number).size());
  if (width >= kWide) widths.count = kCount;
  std::size_t room = width - 1;  // for two columns, and a blank between them; each other one has one beside it
  for (const ListColumn& column : kListColumns) {
    if (widths.*column.width > 0) room -= widths.*column.width + 1;
  }
  widths.sparkline = std::min(kLeastSparkline + (width - kLeastWidth) / kStep, RateHistory::kMost);
  widths.sides = std::min(room - widths.sparkline, kSides);
  widths.sparkline = std::min(room - widths.sides, RateHistory::kMost);
  return widths;
}

/// Draws cells of a row from left to right.
class RowDrawer {
 public:
  RowDrawer(Cells& cells, std::size_t y, Glyphs glyphs) : cells_(cells), y_(y), glyphs_(glyphs) {}

  void text(std::string_view text, std::size_t width, bool left, Tone tone) {
    if (width == 0) return;
    const auto draw = left ? draw_cut : draw_right;
    draw(cells_, x_, y_, text, width, glyphs_, tone);
    x_ += width + 1;
  }
  void sparkline(std::span<const float> values, Tone tone) {
    draw_sparkline(cells_, x_, y_, values, glyphs_, tone);
    x_ += values.size() + 1;
  }

 private:
  Cells& cells_;
  std::size_t y_;
  Glyphs glyphs_;
  std::size_t x_ = 0;
};

void draw_head(const Widths& widths, RowDrawer drawer) {
  for (const ListColumn& column : kListColumns)
    drawer.text(column.title, widths.*column.width, column.left, Tone::kTitle);
}

void draw_row(const ConnectionRow& row, std::uint64_t look, const Widths& widths, RowDrawer drawer) {
  const float rate = row.rates.at(look);
  const Tone tone = row.state == QpState::kErr ? Tone::kError : rate > 0 ? Tone::kPlain : Tone::kDim;
  for (const ListColumn& column : kListColumns) {
    const std::size_t width = widths.*column.width;
    if (column.cell == nullptr) {
      drawer.sparkline(row.rates.until(look, width), Tone::kGood);
    } else {
      const ListCell cell = column.cell(row, rate, width);
      drawer.text(cell.text, width, column.left, cell.tone.value_or(tone));
    }
  }
}

std::string_view order_text(Order order) {
  constexpr std::string_view kTexts[] = {"by trouble", "by rate", "by p99", "by number"};
  return kTexts[static_cast<std::size_t>(order)];
}

/// `Connections 1-12 of 40 with trouble, by rate (10,000 in all)`
string list_title(const ScreenModel& model, std::size_t first, std::size_t shown) {
  const std::size_t listed = model.numbers.size();
  const std::size_t all = model.book->rows().size();
  string title = "Connections ";
  if (shown < listed) title += fmt::format("{}-{} of ", count(first + 1), count(first + shown));
  title += count(listed);
  if (model.ui.troubled_only) title += " with trouble";
  if (!model.ui.filter.empty()) title += fmt::format(" that have '{}'", model.ui.filter);
  title += fmt::format(", {}", order_text(model.ui.order));
  if (listed < all) title += fmt::format(" ({} in all)", count(all));
  return title;
}

}  // namespace

void draw_totals(const ScreenModel& model, std::size_t top, Cells& cells) {
  const LiveUpdate& last = model.book->last();
  const LiveTotals& now = last.interval;
  std::uint64_t dropped = 0;
  for (const LiveCounters& counters : last.counters) {
    dropped += counters.dropped_by_kernel + counters.dropped_by_interface + counters.not_analysed;
  }
  const auto rate = [&](std::uint64_t value, std::string_view unit) {
    return quantity(schema::per_second(value, last.duration), unit);
  };
  struct Item {
    const char* label;
    string value;
    Tone tone;
  };
  const auto tone = [](std::uint64_t value, Tone warning) { return value == 0 ? Tone::kPlain : warning; };
  const Item items[] = {
      {"Packets", rate(now.roce.packets, "/s"), Tone::kPlain},
      {"Resent", percent(now.retransmitted_packets, now.roce.packets), tone(now.retransmitted_packets, Tone::kWarning)},
      {"NAKs", short_count(last.total.naks), tone(now.naks, Tone::kError)},
      {"Dropped", short_count(dropped), tone(dropped, Tone::kError)},
      {"Rate", quantity(static_cast<double>(model.book->rates().at(model.book->look())), "b/s"), Tone::kPlain},
      {"CE", percent(now.ce_packets, now.roce.packets), tone(now.ce_packets, Tone::kCongestion)},
      {"CNPs", short_count(last.total.cnps), tone(now.cnps, Tone::kCongestion)},
  };
  constexpr std::size_t kItem = 18;
  constexpr std::size_t kPerLine = 4;
  const Glyphs glyphs{model.unicode};
  for (std::size_t i = 0; i < std::size(items); ++i) {
    const std::size_t x = 1 + i % kPerLine * kItem;
    const std::size_t y = top + i / kPerLine;
    const std::size_t end = cells.text(x, y, items[i].label, Tone::kDim);
    draw_right(cells, end, y, items[i].value, x + kItem - 2 - end, glyphs, items[i].tone);
  }
  const std::size_t x = 1 + std::size(items) % kPerLine * kItem;
  const std::size_t room = cells.width() - x - 1;
  draw_sparkline(cells, x, top + 1, model.book->rates().until(model.book->look(), room), glyphs, Tone::kGood);
}

std::size_t connection_rows(Area area) noexcept { return area.height() - kTitleLines; }

void draw_connections(const ScreenModel& model, Area area, Cells& cells) {
  const LiveBook& book = *model.book;
  const Glyphs glyphs{model.unicode};
  const View view{.numbers = model.numbers, .rows = connection_rows(area)};
  const std::size_t first = first_shown(model.ui, view);
  const std::size_t shown = std::min(view.rows, model.numbers.size() - first);
  draw_cut(cells, 1, area.top, list_title(model, first, shown), cells.width() - 2, glyphs, Tone::kTitle);
  const Widths widths = widths_of(cells.width(), book.highest_number());
  draw_head(widths, {cells, area.top + 1, glyphs});
  const std::size_t chosen = chosen_index(model.ui, model.numbers);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t y = area.top + kTitleLines + i;
    draw_row(*book.find(model.numbers[first + i]), book.look(), widths, {cells, y, glyphs});
    if (first + i == chosen) cells.reverse(y);
  }
  if (shown > 0) return;
  cells.text(1, area.top + kTitleLines, book.rows().empty() ? "None so far: no RoCE packet came." : "None of them.",
             Tone::kDim);
}

void draw_findings(const ScreenModel& model, Area area, Cells& cells) {
  const Glyphs glyphs{model.unicode};
  const auto& findings = model.book->findings();
  std::size_t y = area.top;
  cells.text(1, y++, findings.empty() ? "No findings" : "Newest findings", Tone::kTitle);
  for (auto each = findings.begin(); each != findings.end() && y < area.bottom; ++each, ++y) {
    const Finding& finding = each->finding;
    const Severity severity = finding.info->severity;
    const Tone tone = severity == Severity::kError     ? Tone::kError
                      : severity == Severity::kWarning ? Tone::kWarning
                                                       : Tone::kPlain;
    const string whose = finding.connection == 0 ? string() : fmt::format("connection {}: ", finding.connection);
    RowDrawer row(cells, y, glyphs);
    constexpr std::size_t kTime = 11;
    constexpr std::size_t kSeverity = 7;
    row.text(duration(each->time - model.book->start()), kTime, false, Tone::kDim);
    row.text(to_string(severity), kSeverity, true, tone);
    row.text(whose + finding.what, cells.width() - kTime - kSeverity - 2, true, Tone::kPlain);
  }
}

}  // namespace rocescope::screen
