// The parts of a screen. Each draws from its line `top` up to `bottom`, which is not part of it.
#pragma once

#include <cstddef>

#include "screen/cells.hpp"
#include "screen/glyphs.hpp"
#include "screen/screen_model.hpp"

namespace rocescope::screen {

struct Area {
  std::size_t top = 0;
  std::size_t bottom = 0;
  [[nodiscard]] std::size_t height() const noexcept { return bottom - top; }
};

void draw_totals(const ScreenModel& model, std::size_t top, Cells& cells);
inline constexpr std::size_t kTotalsHeight = 2;

/// The protocols above RoCE whose commands are known, a line each.
void draw_commands(const ScreenModel& model, std::size_t top, Cells& cells);
/// Lines of that.
[[nodiscard]] std::size_t commands_height(const ScreenModel& model);

void draw_connections(const ScreenModel& model, Area area, Cells& cells);
/// Connections that `area` has room for.
[[nodiscard]] std::size_t connection_rows(Area area) noexcept;

void draw_findings(const ScreenModel& model, Area area, Cells& cells);

void draw_connection(const ScreenModel& model, Area area, Cells& cells);
/// Lines of the ladder above the visible ones, when it is not scrolled.
[[nodiscard]] std::size_t most_back(const ScreenModel& model, Area area, std::size_t width);

void draw_help(Area area, Cells& cells);

}  // namespace rocescope::screen
