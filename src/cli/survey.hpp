// A first reading of captures that are then read again.
#pragma once

#include "cli/input_options.hpp"
#include "cli/messages.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Reads the captures of `options` to their end, whatever else the options say but -c, and tells what is in them. Fails for
/// what can be read only once.
[[nodiscard]] Result<Report> survey(const InputOptions& options, Messages& messages);

/// Adds to the connections that `options` name the numbers that those have in packets of which it was not known yet that they
/// are theirs. Reads the captures until that is known; what can be read only once is left as it is.
void add_numbers_of_connections(InputOptions& options, Messages& messages);

}  // namespace rocescope::cli
