// A terminal is given back even where the program is killed.
#pragma once

#include <string_view>

namespace rocescope::terminal {

/// Writes what the Rescue at hand is to write, and sets the modes; does nothing where there is none. For signal handlers.
void give_back() noexcept;

/// During its life, signals that kill the program and that nobody handles first write `restore` to standard output, and set the modes
/// of standard input as they are now. One at a time.
class Rescue {
 public:
  /// Made before the terminal's modes are changed.
  Rescue();
  ~Rescue();
  Rescue(const Rescue&) = delete;
  Rescue& operator=(const Rescue&) = delete;

  /// Installs the handlers. Longer text than 256 bytes is left out.
  void arm(std::string_view restore);
};

}  // namespace rocescope::terminal
