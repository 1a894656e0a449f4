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

/// Its life is that of the screen: the destructor gives the terminal back as it was, with what was on it. So do signals that kill
/// the program; Ctrl-Z gives it back until the program goes on.
class Terminal {
 public:
  virtual ~Terminal() = default;

  /// Never waits; nothing where no key was pressed, nor any that is known. Also learns here that the size has changed.
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

/// Takes standard input and output, which must be a terminal. One at a time. Signal handlers that are installed stay. Fails where
/// TERM names a terminal that is unknown or cannot be painted on, and in a build without ncurses.
[[nodiscard]] Result<std::unique_ptr<Terminal>> open(bool color);

}  // namespace rocescope::terminal
