// Ctrl-C.
#pragma once

namespace rocescope::cli {

/// Makes Ctrl-C end the work in an orderly way: interrupted() becomes true, a read that waits on standard input meets
/// its end. A second Ctrl-C kills. A closed pipe kills silently, as it does `cat`, even where the parent ignores SIGPIPE.
void install_signal_handlers();

/// Whether Ctrl-C was pressed. Loops over packets ask.
[[nodiscard]] bool interrupted() noexcept;

}  // namespace rocescope::cli
