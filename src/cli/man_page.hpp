// Manual pages, in the man(7) macros, from the tables.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace rocescope::cli {

/// The source of rocescope(1), or of the page about `command`.
[[nodiscard]] std::string man_page(const Command* command);

/// The source of rocescope-capture(7).
[[nodiscard]] std::string capture_man_page();

}  // namespace rocescope::cli
