// One connection: its sides, rates, times, and its messages as a ladder.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "render/ladder/ladder_label.hpp"
#include "render/ladder/ladder_printer.hpp"
#include "rocescope/text.hpp"
#include "screen/pages.hpp"

namespace rocescope::screen {
namespace {

using std::string;
using text::count;
using text::duration;
using text::quantity;

struct Line {
  string text;
  Tone tone = Tone::kPlain;
};

string large_count(std::uint64_t value) {
  constexpr std::uint64_t kLarge = 10'000;
  return value < kLarge ? fmt::to_string(value) : quantity(static_cast<double>(value), "");
}

struct SideColumn {
  const char* title;
  std::size_t width;
  string (*text)(const ConnectionSide& side);
};
constexpr SideColumn kSideColumns[] = {
    {"state", 6,
     [](const ConnectionSide& side) {
       return side.states.empty() ? string() : string(to_string(side.states.back().state));
     }},
    {"packets", 8, [](const ConnectionSide& side) { return large_count(side.traffic.packets); }},
    {"sent", 8, [](const ConnectionSide& side) { return quantity(static_cast<double>(side.traffic.bytes), "B"); }},
    {"messages", 9, [](const ConnectionSide& side) { return large_count(side.messages()); }},
    {"out", 5, [](const ConnectionSide& side) { return large_count(side.in_flight().messages); }},
    {"resent", 7, [](const ConnectionSide& side) { return large_count(side.verdicts(VerdictKind::kRetransmission)); }},
    {"NAKs", 7, [](const ConnectionSide& side) { return large_count(side.naks()); }},
    {"CNPs", 7, [](const ConnectionSide& side) { return large_count(side.cnp_packets); }}};

/// Draws a line of titles and one for each side. Returns the line behind.
std::size_t draw_sides(const Connection& connection, std::size_t y, Glyphs glyphs, Cells& cells) {
  std::size_t x = cells.width();
  for (const SideColumn& column : kSideColumns) x -= column.width;
  const auto draw = [&](std::string_view side, auto text_of, Tone tone) {
    draw_cut(cells, 1, y, side, x - 2, glyphs, tone);
    std::size_t at = x;
    for (const SideColumn& column : kSideColumns) {
      draw_right(cells, at + 1, y, text_of(column), column.width - 1, glyphs, tone);
      at += column.width;
    }
    ++y;
  };
  draw(
      "side", [](const SideColumn& column) { return column.title; }, Tone::kTitle);
  for (const ConnectionSide& side : connection.sides) {
    draw(
        to_text(side.address, side.qpn), [&](const SideColumn& column) { return column.text(side); }, Tone::kPlain);
  }
  return y;
}

/// The times of messages by powers of two; if there are more than `rows`, the lowest share one.
void draw_histogram(const Histogram& times, std::size_t y, std::size_t rows, Glyphs glyphs, Cells& cells) {
  std::vector<Histogram::Octave> octaves = times.octaves();
  const bool joined = octaves.size() > rows;
  while (octaves.size() > rows) {
    octaves[1].count += octaves[0].count;
    octaves.erase(octaves.begin());
  }
  std::uint64_t most = 1;
  for (const Histogram::Octave& octave : octaves) most = std::max(most, octave.count);
  constexpr std::size_t kBar = 28;
  const std::size_t room = cells.width() - kBar - 2;
  for (const Histogram::Octave& octave : octaves) {
    const auto end = static_cast<std::int64_t>(octave.at_least < 1 ? 1 : 2 * octave.at_least);
    const bool lowest = joined && &octave == &octaves.front();
    cells.text(1, y,
               fmt::format("{:<2}{:>9}",
                           lowest ? "<" : ">=", duration(lowest ? end : static_cast<std::int64_t>(octave.at_least))));
    draw_right(cells, 13, y, count(octave.count), kBar - 14, glyphs);
    const auto length = static_cast<std::size_t>((octave.count * room + most - 1) / most);
    for (std::size_t i = 0; i < length; ++i) cells.put(kBar + i, y, glyphs.block(), Tone::kGood);
    ++y;
  }
}

/// `Message times  1,234: p50 12.3 us, p90 28.1 us, p99 1.16 ms, max 68.1 ms`
void draw_times(const Histogram* times, std::size_t y, Glyphs glyphs, Cells& cells) {
  cells.text(1, y, "Message times", Tone::kTitle);
  constexpr std::size_t kBehind = 16;
  if (times == nullptr) {
    cells.text(kBehind, y, "none yet", Tone::kDim);
    return;
  }
  const auto quantile = [&](std::uint64_t per_mille) {
    return duration(static_cast<std::int64_t>(times->quantile(per_mille)));
  };
  draw_cut(cells, kBehind, y,
           fmt::format("{}: p50 {}, p90 {}, p99 {}, max {}", count(times->count()), quantile(500), quantile(900),
                       quantile(990), duration(static_cast<std::int64_t>(times->max()))),
           cells.width() - kBehind - 1, glyphs);
}

std::vector<Line> ladder_lines(const ScreenModel& model, std::size_t width) {
  const ConnectionDetail& detail = *model.detail;
  const std::unique_ptr<render::LadderPrinter> printer = render::make_ladder_text({.width = width});
  string text;
  printer->begin(detail.connection, model.book->start(), nullptr, text);
  std::vector<Line> lines;
  for (const LadderEvent& event : detail.ladder) {
    text.clear();
    printer->event(event, text);
    const Tone tone = render::ladder_label(event, false).tone;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back({text.substr(begin, end - begin), tone});
      begin = end + 1;
    }
  }
  return lines;
}

constexpr std::size_t kAboveHistogram = 6;  // title, sides, rate, times
constexpr std::size_t kFewestRows = 3;      // of the histogram

/// The histogram takes a fifth.
std::size_t histogram_rows(Area area) { return std::max(kFewestRows, area.height() / 5); }

/// The ladder takes what is left below its title.
Area ladder_area(Area area) {
  return {std::min(area.top + kAboveHistogram + histogram_rows(area) + 1, area.bottom), area.bottom};
}

Histogram message_times(const Connection& connection) {
  Histogram times;
  for (const ConnectionSide& side : connection.sides) {
    if (const Histogram* found = side.times.find(TimeKind::kMessageTime)) times.merge(*found);
  }
  return times;
}

void draw_rate(const ScreenModel& model, std::size_t y, Cells& cells) {
  const ConnectionRow* row = model.book->find(model.detail->connection.number);
  if (row == nullptr) return;
  const std::uint64_t look = model.book->look();
  cells.text(1, y, "Rate", Tone::kTitle);
  const Glyphs glyphs{model.unicode};
  draw_right(cells, 5, y, quantity(static_cast<double>(row->rates.at(look)), "b/s"), 10, glyphs);
  constexpr std::size_t kBehind = 16;
  draw_sparkline(cells, kBehind, y, row->rates.until(look, cells.width() - kBehind - 1), glyphs, Tone::kGood);
}

void draw_ladder(const ScreenModel& model, Area area, Cells& cells) {
  const std::vector<Line> lines = ladder_lines(model, cells.width() - 1);
  if (lines.empty()) {
    cells.text(1, area.top, "None so far.", Tone::kDim);
    return;
  }
  const std::size_t room = area.height();
  const std::size_t hidden = lines.size() - std::min(lines.size(), room);
  const std::size_t first = hidden - std::min(hidden, model.ui.back);
  for (std::size_t i = first; i < lines.size() && i - first < room; ++i) {
    draw_cut(cells, 0, area.top + i - first, lines[i].text, cells.width(), {model.unicode}, lines[i].tone);
  }
}

}  // namespace

std::size_t most_back(const ScreenModel& model, Area area, std::size_t width) {
  const std::size_t lines = ladder_lines(model, width - 1).size();
  return lines - std::min(lines, ladder_area(area).height());
}

void draw_connection(const ScreenModel& model, Area area, Cells& cells) {
  const Connection& connection = model.detail->connection;
  const Glyphs glyphs{model.unicode};
  std::size_t y = area.top;
  string title = fmt::format("Connection {}: {}", connection.number, to_string(connection.transport));
  if (connection.path_mtu != 0) title += fmt::format(", MTU {}", connection.path_mtu);
  const bool is_paired = connection.paired_by != PairedBy::kNothing;
  title += is_paired ? fmt::format(", paired by {}", to_string(connection.paired_by)) : ", one direction only";
  draw_cut(cells, 1, y++, title, cells.width() - 2, glyphs, Tone::kTitle);
  y = draw_sides(connection, y, glyphs, cells);
  draw_rate(model, y++, cells);
  const Histogram times = message_times(connection);
  draw_times(times.empty() ? nullptr : &times, y++, glyphs, cells);
  draw_histogram(times, y, histogram_rows(area), glyphs, cells);
  const Area ladder = ladder_area(area);
  cells.text(1, ladder.top - 1, "Last messages", Tone::kTitle);
  draw_ladder(model, ladder, cells);
}

}  // namespace rocescope::screen
