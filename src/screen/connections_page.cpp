// Totals, the list of connections, findings.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rocescope/text.hpp"
#include "screen/layout.hpp"
#include "screen/pages.hpp"

namespace rocescope::screen {
namespace {

using std::string;
using text::count;
using text::duration;
using text::quantity;

constexpr std::size_t kTitleLines = 2;  // above the rows

double per_second(std::uint64_t value, std::int64_t nanoseconds) {
  constexpr double kSecond = 1e9;
  return nanoseconds <= 0 ? 0 : static_cast<double>(value) * kSecond / static_cast<double>(nanoseconds);
}

string share(std::uint64_t part, std::uint64_t all) {
  constexpr double kPercent = 100;
  if (part == 0) return "0 %";
  return fmt::format("{:.3g} %", kPercent * static_cast<double>(part) / static_cast<double>(all));
}

/// A number with up to five digits, else rounded.
string short_count(std::uint64_t value) {
  constexpr std::uint64_t kShort = 100'000;
  return value < kShort ? fmt::to_string(value) : quantity(static_cast<double>(value), "");
}

/// The columns of the list for a width.
struct Columns {
  std::size_t number = 0;
  std::size_t sides = 0;
  std::size_t sparkline = 0;
  bool counts = false;  ///< resent, NAK, CNP, CE apart

  static constexpr std::size_t kState = 5;
  static constexpr std::size_t kRate = 6;
  static constexpr std::size_t kOutstanding = 4;
  static constexpr std::size_t kTime = 7;
  static constexpr std::size_t kTrouble = 7;
  static constexpr std::size_t kCount = 7;
  static constexpr std::size_t kCounts = 4;
};

Columns columns_of(std::size_t width, std::uint32_t highest_number) {
  constexpr std::size_t kWide = 130;
  constexpr std::size_t kSides = 59;  // IPv4 with queue pairs, and some more
  constexpr std::size_t kLeastSparkline = 5;
  constexpr std::size_t kStep = 6;  // the sparkline gets a sixth of the room above the least
  Columns columns;
  columns.number = std::max<std::size_t>(3, fmt::to_string(highest_number).size());
  columns.counts = width >= kWide;
  std::size_t fixed = columns.number + Columns::kState + Columns::kRate + Columns::kOutstanding + 2 * Columns::kTime +
                      Columns::kTrouble + 8;  // a blank between two
  if (columns.counts) fixed += Columns::kCounts * (Columns::kCount + 1);
  const std::size_t room = width - fixed;
  columns.sparkline = std::min(kLeastSparkline + (width - kLeastWidth) / kStep, RateHistory::kMost);
  columns.sides = std::min(room - columns.sparkline, kSides);
  columns.sparkline = std::min(room - columns.sides, RateHistory::kMost);
  return columns;
}

/// Draws cells of a row from left to right.
class RowDrawer {
 public:
  RowDrawer(Cells& cells, std::size_t y, Glyphs glyphs) : cells_(cells), y_(y), glyphs_(glyphs) {}

  void left(std::string_view text, std::size_t width, Tone tone) {
    draw_cut(cells_, x_, y_, text, width, glyphs_, tone);
    x_ += width + 1;
  }
  void right(std::string_view text, std::size_t width, Tone tone) {
    draw_right(cells_, x_, y_, text, width, glyphs_, tone);
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

void draw_head(const Columns& columns, RowDrawer row) {
  constexpr Tone kTone = Tone::kTitle;
  row.right("no.", columns.number, kTone);
  row.left("connection", columns.sides, kTone);
  row.left("state", Columns::kState, kTone);
  row.right("b/s", Columns::kRate, kTone);
  row.left("", columns.sparkline, kTone);
  row.right("out", Columns::kOutstanding, kTone);
  row.right("p50", Columns::kTime, kTone);
  row.right("p99", Columns::kTime, kTone);
  if (columns.counts) {
    for (const char* title : {"resent", "NAKs", "CNPs", "CE"}) row.right(title, Columns::kCount, kTone);
  }
  row.right("trouble", Columns::kTrouble, kTone);
}

void draw_row(const ConnectionRow& row, std::uint64_t look, const Columns& columns, RowDrawer drawer) {
  const float rate = row.rates.at(look);
  const Tone tone = row.state == QpState::kErr ? Tone::kError : rate > 0 ? Tone::kPlain : Tone::kDim;
  const string whole = sides_text(row, true);
  drawer.right(fmt::to_string(row.number), columns.number, tone);
  drawer.left(whole.size() <= columns.sides ? whole : sides_text(row, false), columns.sides, tone);
  drawer.left(row.state ? to_string(*row.state) : std::string_view(), Columns::kState, tone);
  drawer.right(rate > 0 ? quantity(static_cast<double>(rate), "") : string(), Columns::kRate, tone);
  drawer.sparkline(row.rates.until(look, columns.sparkline), Tone::kGood);
  const auto number = [&](std::uint64_t value, std::size_t width, Tone warning) {
    drawer.right(value == 0 ? string() : short_count(value), width, value == 0 ? tone : warning);
  };
  number(row.outstanding, Columns::kOutstanding, tone);
  drawer.right(row.p50 ? duration(static_cast<std::int64_t>(*row.p50)) : string(), Columns::kTime, tone);
  drawer.right(row.p99 ? duration(static_cast<std::int64_t>(*row.p99)) : string(), Columns::kTime, tone);
  if (columns.counts) {
    number(row.resent, Columns::kCount, Tone::kWarning);
    number(row.naks, Columns::kCount, Tone::kError);
    number(row.cnps, Columns::kCount, Tone::kCongestion);
    number(row.ce_packets, Columns::kCount, Tone::kCongestion);
  }
  number(row.trouble, Columns::kTrouble, Tone::kWarning);
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
    return quantity(per_second(value, last.duration), unit);
  };
  struct Item {
    const char* label;
    string value;
    Tone tone;
  };
  const auto tone = [](std::uint64_t value, Tone warning) { return value == 0 ? Tone::kPlain : warning; };
  const Item items[] = {
      {"Packets", rate(now.roce.packets, "/s"), Tone::kPlain},
      {"Resent", share(now.retransmitted_packets, now.roce.packets), tone(now.retransmitted_packets, Tone::kWarning)},
      {"NAKs", short_count(last.total.naks), tone(now.naks, Tone::kError)},
      {"Dropped", short_count(dropped), tone(dropped, Tone::kError)},
      {"Rate", quantity(static_cast<double>(model.book->rates().at(model.book->look())), "b/s"), Tone::kPlain},
      {"CE", share(now.ce_packets, now.roce.packets), tone(now.ce_packets, Tone::kCongestion)},
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
  const Columns columns = columns_of(cells.width(), book.highest_number());
  draw_head(columns, {cells, area.top + 1, glyphs});
  const std::size_t chosen = chosen_index(model.ui, model.numbers);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t y = area.top + kTitleLines + i;
    draw_row(*book.find(model.numbers[first + i]), book.look(), columns, {cells, y, glyphs});
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
    row.right(duration(each->time - model.book->start()), kTime, Tone::kDim);
    row.left(to_string(severity), kSeverity, tone);
    row.left(whose + finding.what, cells.width() - kTime - kSeverity - 2, Tone::kPlain);
  }
}

}  // namespace rocescope::screen
