#include "screen/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "rocescope/text.hpp"
#include "screen/pages.hpp"

namespace rocescope::screen {
namespace {

Glyphs glyphs_of(const ScreenModel& model) { return {model.unicode}; }

bool is_too_small(std::size_t width, std::size_t height) { return width < kLeastWidth || height < kLeastHeight; }

/// Between the title and the keys.
Area page_area(std::size_t height) { return {1, height - 1}; }

/// The newest findings below the list take a fifth of the screen.
Area findings_area(std::size_t height) {
  const Area page = page_area(height);
  return {page.bottom - 1 - height / 5, page.bottom};
}

std::size_t commands_top(std::size_t height) { return page_area(height).top + kTotalsHeight; }

Area list_area(const ScreenModel& model, std::size_t height) {
  return {commands_top(height) + commands_height(model), findings_area(height).top};
}

void draw_too_small(std::size_t width, std::size_t height, Cells& cells) {
  const std::string lines[] = {"This terminal is too small:", fmt::format("{} x {}; the screen takes", width, height),
                               fmt::format("{} x {} at least. q quits", kLeastWidth, kLeastHeight)};
  for (std::size_t y = 0; y < std::size(lines); ++y) cells.text(0, y, lines[y]);
}

void draw_title(const ScreenModel& model, Cells& cells) {
  std::string names;
  for (const std::string& name : model.book->last().interfaces) names += (names.empty() ? "" : ", ") + name;
  std::string right = text::duration(model.book->last().time - model.book->start());
  if (model.ui.paused) right = "PAUSED at " + right;
  const Glyphs glyphs = glyphs_of(model);
  const std::size_t room = cells.width() - right.size() - 3;
  draw_cut(cells, 1, 0, "rocescope live  " + names, room, glyphs, Tone::kTitle);
  draw_right(cells, 1, 0, right, cells.width() - 2, glyphs, Tone::kTitle);
  cells.reverse(0);
}

void draw_keys(const ScreenModel& model, Cells& cells) {
  const std::size_t y = cells.height() - 1;
  if (model.ui.typing) {
    const std::size_t end = cells.text(1, y, "Filter: " + model.ui.filter);
    cells.text(end, y, "_", Tone::kTitle);
    draw_right(cells, end + 2, y, "Enter keep  Esc clear", cells.width() - end - 3, glyphs_of(model), Tone::kDim);
    return;
  }
  if (!model.notice.empty()) {
    draw_cut(cells, 1, y, model.notice, cells.width() - 2, glyphs_of(model), Tone::kTitle);
    return;
  }
  const bool list = model.ui.page == Page::kConnections;
  const std::string_view keys = model.ui.help ? "any key: back"
                                : list
                                    ? "q quit  Enter open  t r l n sort  / filter  e trouble  s save  p pause  ? help"
                                    : "q back  Up Down scroll  s save  p pause  ? help";
  draw_cut(cells, 1, y, keys, cells.width() - 2, glyphs_of(model), Tone::kDim);
}

}  // namespace

Cells layout(const ScreenModel& model, std::size_t width, std::size_t height) {
  Cells cells(width, height);
  if (is_too_small(width, height)) {
    draw_too_small(width, height, cells);
    return cells;
  }
  draw_title(model, cells);
  if (model.ui.help) {
    draw_help(page_area(height), cells);
  } else if (model.ui.page == Page::kConnection && model.detail != nullptr) {
    draw_connection(model, page_area(height), cells);
  } else {
    draw_totals(model, page_area(height).top, cells);
    draw_commands(model, commands_top(height), cells);
    draw_connections(model, list_area(model, height), cells);
    draw_findings(model, findings_area(height), cells);
  }
  draw_keys(model, cells);
  return cells;
}

View view_of(const ScreenModel& model, std::size_t width, std::size_t height) {
  View view{.numbers = model.numbers};
  if (is_too_small(width, height)) return view;
  view.rows = connection_rows(list_area(model, height));
  if (model.detail != nullptr) view.most_back = most_back(model, page_area(height), width);
  return view;
}

}  // namespace rocescope::screen
