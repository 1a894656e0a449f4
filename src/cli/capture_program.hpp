// A program that captures into a fifo for Wireshark.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/result.hpp"

namespace rocescope::cli {

/// As one word of a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

/// Runs a program whose standard output is `writing`, until it ends by itself, a signal (SIGTERM, SIGINT, SIGHUP) asks for the end, or
/// nobody reads what it writes; in the last two cases it gets SIGTERM. The error: it could not be started, or it failed by itself.
[[nodiscard]] std::optional<Error> run_capture_program(const std::vector<std::string>& words, int writing);

}  // namespace rocescope::cli
