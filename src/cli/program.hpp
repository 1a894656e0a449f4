// The program: its own options and texts.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace rocescope::cli {

inline constexpr std::string_view kProgramName = "rocescope";
inline constexpr std::string_view kProgramSummary = "read RoCE traffic and report what the queue pairs did";

[[nodiscard]] std::string_view version() noexcept;

/// Options that stand before or instead of a command.
[[nodiscard]] std::span<const OptionGroup> program_options();
[[nodiscard]] std::span<const Example> program_examples();
[[nodiscard]] std::span<const Section> program_sections();

/// Exit codes, for the man pages.
[[nodiscard]] std::span<const Choice> exit_codes();

/// Runs the command line `words`, without the program's name. Prints errors on standard error.
[[nodiscard]] ExitCode run_program(std::span<const std::string> words);

}  // namespace rocescope::cli
