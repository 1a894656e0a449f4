// Draws a model on a screen: a pure function.
#pragma once

#include <cstddef>

#include "screen/cells.hpp"
#include "screen/screen_model.hpp"
#include "screen/ui_state.hpp"

namespace rocescope::screen {

/// A smaller terminal shows only that it is too small.
inline constexpr std::size_t kLeastWidth = 72;
inline constexpr std::size_t kLeastHeight = 14;

/// `width` and `height` are in characters, any.
[[nodiscard]] Cells layout(const ScreenModel& model, std::size_t width, std::size_t height);

/// The parts of that screen that keys move over. It points into `model`.
[[nodiscard]] View view_of(const ScreenModel& model, std::size_t width, std::size_t height);

}  // namespace rocescope::screen
