// A build that has no screen.
#include "terminal/terminal.hpp"

namespace rocescope::terminal {

Result<std::unique_ptr<Terminal>> open(bool) {
  return Error{"this build has none. Install ncurses (Debian: libncurses-dev) and build again"};
}

}  // namespace rocescope::terminal
