// Restores the terminal even if the program is killed.
#pragma once

#include <string_view>

namespace rocescope::terminal {

/// Restores the terminal as the current Rescue says; does nothing without one. For signal handlers.
void give_back() noexcept;

/// While it lives, a signal that kills the program and has no handler first writes `restore` to standard output and sets the
/// modes of standard input back to those of the constructor. Only one may live at a time.
class Rescue {
 public:
  /// Construct it before the terminal's modes are changed.
  Rescue();
  ~Rescue();
  Rescue(const Rescue&) = delete;
  Rescue& operator=(const Rescue&) = delete;

  /// Installs the handlers. A text longer than 256 bytes is not written.
  void arm(std::string_view restore);
};

}  // namespace rocescope::terminal
