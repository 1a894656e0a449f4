// Gives up the rights that only opening interfaces needs.
#pragma once

#include <optional>
#include <string>

#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Becomes `user`, with their groups. If `user` is empty, gives up all capabilities, unless root runs the program.
[[nodiscard]] std::optional<Error> drop_privileges(const std::string& user);

}  // namespace rocescope::cli
