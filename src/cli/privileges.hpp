// Rights that are needed to open interfaces, and to nothing else.
#pragma once

#include <optional>
#include <string>

#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Becomes `user`, with the groups that they have; where it is empty, gives up all capabilities, unless root runs the program.
[[nodiscard]] std::optional<Error> drop_privileges(const std::string& user);

}  // namespace rocescope::cli
