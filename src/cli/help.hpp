// `--help`: examples first, then the option table, in 80 columns.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace rocescope::cli {

/// Help about a command, or about the program when `command` is null.
[[nodiscard]] std::string help_text(const Command* command);

/// `rocescope dissect [OPTION]... [FILE]...`
[[nodiscard]] std::string usage_line(const Command* command);

}  // namespace rocescope::cli
