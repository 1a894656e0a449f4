// A first reading of captures that are then read again.
#pragma once

#include "input_options.hpp"
#include "messages.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Reads the captures of `options` to their end, whatever else the options say but -c, and tells what is in them. Fails for
/// what can be read only once.
[[nodiscard]] Result<Report> survey(const InputOptions& options, Messages& messages);

}  // namespace rocescope::cli
