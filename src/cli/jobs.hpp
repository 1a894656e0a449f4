// analyze --jobs: the shards of one analysis as processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/input_options.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Analyzes the captures with `jobs` processes of this program, and reports on all that they counted. Their files go away, whatever happens.
/// None: they cannot share out the packets, and nothing was reported.
[[nodiscard]] Result<std::optional<ExitCode>> analyze_with_jobs(std::uint32_t jobs, const InputOptions& options,
                                                                bool as_json, Invocation& invocation);

/// The file for messages of this process if it is one of those, else null.
[[nodiscard]] const char* messages_of_job() noexcept;
/// Where it cannot do with its part of the packets: leaves the reason in the file of its partial result.
[[nodiscard]] ExitCode leave_jobs(const std::string& partial, std::string_view reason);

}  // namespace rocescope::cli
