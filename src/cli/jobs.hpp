// analyze --jobs: the shards of one analysis as processes.
#pragma once

#include <cstdint>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/input_options.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Analyzes the captures with `jobs` processes of this program, and reports on all that they counted. Their files go away, whatever happens.
[[nodiscard]] Result<ExitCode> analyze_with_jobs(std::uint32_t jobs, const InputOptions& options, bool as_json,
                                                 Invocation& invocation);

}  // namespace rocescope::cli
