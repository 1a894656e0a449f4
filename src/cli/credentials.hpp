// Who asks a server: a user and a password, never from the command line.
#pragma once

#include <optional>

#include "cli/arguments.hpp"
#include "clickhouse/server.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// From the file that `file` names, if it is given; else from CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, if one of them is set.
[[nodiscard]] std::optional<Error> read_credentials(const GivenOption* file, clickhouse::Access& access);

}  // namespace rocescope::cli
