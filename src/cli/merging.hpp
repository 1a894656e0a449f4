// The report of partial results.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/partial_file.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Merges `files` and writes the report that the options ask for, or with `partial`, which may be null, a partial result. Shards may be missing
/// from that only.
[[nodiscard]] Result<ExitCode> merge_files(std::span<const std::string> files, bool as_json, PartialFile* partial,
                                           Invocation& invocation);

/// Merges the shards of one analysis, all of them, in files, and says before the report what they have `said`. Nothing where they have more
/// together than one analysis keeps: `excess` says what.
[[nodiscard]] Result<std::optional<ExitCode>> merge_shards(std::span<const std::string> files, bool as_json,
                                                           const std::string& said, std::string& excess,
                                                           Invocation& invocation);

}  // namespace rocescope::cli
