// The file of `analyze --perfetto`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/messages.hpp"
#include "cli/new_file.hpp"
#include "cli/option.hpp"
#include "render/trace/trace_recorder.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Option kPerfetto{.name = "perfetto",
                                  .argument = "FILE",
                                  .help = "also write messages and findings as a trace for Perfetto to FILE",
                                  .more = "An existing file is never overwritten. See PERFETTO.",
                                  .completion = Completion::kFiles};
inline constexpr Option kPerfettoLimit{
    .name = "perfetto-limit",
    .argument = "N",
    .help = "at most N messages and N packets in the trace (100000)",
    .more =
        "A warning says how many were left out. A message takes about 600 bytes of the file. Findings are never left out."};

/// Writes the trace at the end; until then it keeps what the trace shows.
class PerfettoFile {
 public:
  /// The file that --perfetto names, if given. Fails if it exists or cannot be made. `interval`: of rates, nanoseconds.
  [[nodiscard]] static Result<std::optional<PerfettoFile>> open(const Arguments& arguments, std::int64_t interval);

  [[nodiscard]] render::TraceRecorder& recorder() noexcept { return recorder_; }
  /// Writes all and ends; the error, if there is one.
  [[nodiscard]] std::optional<Error> finish(const Report& report, const FinalNumbers& numbers, Messages& messages);

 private:
  PerfettoFile(NewFile file, std::size_t limit, std::int64_t interval)
      : file_(std::move(file)), recorder_(limit, interval) {}

  NewFile file_;
  render::TraceRecorder recorder_;
};

}  // namespace rocescope::cli
