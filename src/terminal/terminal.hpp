// The terminal that a screen is painted on.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "rocescope/result.hpp"
#include "screen/cells.hpp"
#include "screen/ui_state.hpp"

namespace rocescope::terminal {

/// In characters.
struct Size {
  std::size_t width = 0;
  std::size_t height = 0;
  friend bool operator==(const Size&, const Size&) noexcept = default;
};

/// It lives as long as the screen: the destructor restores the terminal and its content, and so do signals that kill the program.
/// Ctrl-Z restores it until the program continues.
class Terminal {
 public:
  virtual ~Terminal() = default;

  /// Never waits. Nothing if no known key was pressed. Also notices a change of the size.
  [[nodiscard]] virtual std::optional<screen::Key> key() = 0;
  [[nodiscard]] virtual Size size() const = 0;
  /// Whether it shows more than ASCII.
  [[nodiscard]] virtual bool unicode() const = 0;
  virtual void paint(const screen::Cells& cells) = 0;

 protected:
  Terminal() = default;
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
};

/// Takes standard input and output, which must be a terminal. Only one may live at a time. Installed signal handlers stay. Fails
/// if TERM names an unknown terminal or one without a screen, and in a build without ncurses.
[[nodiscard]] Result<std::unique_ptr<Terminal>> open(bool color);

}  // namespace rocescope::terminal
