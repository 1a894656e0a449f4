// A build that has no screen.
#include "terminal.hpp"

namespace rocescope::terminal {

bool is_built() noexcept { return false; }

Result<std::unique_ptr<Terminal>> open(bool) {
  return Error{"this build has no screen. Install ncurses (Debian: libncurses-dev) and build again"};
}

}  // namespace rocescope::terminal
