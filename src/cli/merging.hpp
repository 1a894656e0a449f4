// The report of partial results.
#pragma once

#include <span>
#include <string>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/part_files.hpp"
#include "cli/partial_file.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Merges `files` and writes the report that the options ask for, or with `partial`, which may be null, a partial result. Shards may be missing
/// from that only.
[[nodiscard]] Result<ExitCode> merge_files(std::span<const std::string> files, bool as_json, PartialFile* partial,
                                           Invocation& invocation);

/// Reports on `merged`, of captures at one point or several, of one analysis, as the options ask.
[[nodiscard]] Result<ExitCode> report_on(MergedParts& merged, bool as_json, Invocation& invocation);

}  // namespace rocescope::cli
