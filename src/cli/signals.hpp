// Ctrl-C, and the signals of a live capture.
#pragma once

namespace rocescope::cli {

/// Makes Ctrl-C end the work in an orderly way: interrupted() becomes true, a read that waits on standard input meets
/// its end. A second Ctrl-C kills. A closed pipe kills silently, as it does `cat`, even where the parent ignores SIGPIPE.
void install_signal_handlers();

/// Ends the program as SIGPIPE does by default. For a write that fails while a library ignores the signal.
void end_by_closed_pipe();

/// Whether Ctrl-C was pressed. Loops over packets ask.
[[nodiscard]] bool interrupted() noexcept;

/// What a live capture was asked for.
enum class LiveSignal : bool { kCounters, kFlush };

/// From now on Ctrl-C and SIGTERM end the work in an orderly way as well, but only stop_requested() tells; a second one kills, once
/// the terminal is given back.
/// SIGUSR1 asks for counters, SIGUSR2 to flush what is written.
void install_live_signal_handlers();
[[nodiscard]] bool stop_requested() noexcept;
/// Whether it was asked for since the last call.
[[nodiscard]] bool take(LiveSignal signal) noexcept;

}  // namespace rocescope::cli
