// Ctrl-C, and the signals of a live capture.
#pragma once

namespace rocescope::cli {

/// Makes Ctrl-C end the work in an orderly way: interrupted() becomes true, and a read that waits for standard input
/// returns its end. A second Ctrl-C kills. A closed pipe kills silently, as with `cat`, even if the parent ignores SIGPIPE.
void install_signal_handlers();

/// Ends the program as SIGPIPE does by default. For a write that fails while a library ignores the signal.
void end_by_closed_pipe();

/// Whether Ctrl-C was pressed. Loops over packets ask.
[[nodiscard]] bool interrupted() noexcept;

/// Requests to a live capture.
enum class LiveSignal : bool { kCounters, kFlush };

/// From now on Ctrl-C and SIGTERM only set stop_requested(). A second one restores the terminal and kills.
/// SIGUSR1 asks for counters, SIGUSR2 to flush what is written.
void install_live_signal_handlers();
[[nodiscard]] bool stop_requested() noexcept;
/// Whether the request came since the last call.
[[nodiscard]] bool take(LiveSignal signal) noexcept;

}  // namespace rocescope::cli
