// analyze --jobs: the shards of one analysis as processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/input_options.hpp"
#include "cli/run_stats.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Analyzes the captures with `jobs` processes of this program, and reports on all that these counted; with --stats, on `stats`. Removes
/// the files of these processes, whatever happens. Returns nothing if the processes cannot share out the packets: then
/// nothing was reported.
[[nodiscard]] Result<std::optional<ExitCode>> analyze_with_jobs(std::uint32_t jobs, const InputOptions& options,
                                                                bool as_json, const RunStats& stats,
                                                                Invocation& invocation);

/// This process, if analyze_with_jobs() started it. If the process that started it ends first, this process is
/// interrupted, and removes the files of all processes.
class Job {
 public:
  Job();
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  [[nodiscard]] bool is_one() const noexcept { return messages_ != nullptr; }
  /// The file for the messages of this process; null: analyze_with_jobs() did not start it.
  [[nodiscard]] const char* messages() const noexcept { return messages_; }

 private:
  [[nodiscard]] bool is_left_alone() const noexcept;

  const char* messages_ = nullptr;
  int starter_ = 0;
};
/// For a process that cannot do with its part of the packets: writes the reason into the file of its partial result.
[[nodiscard]] ExitCode leave_jobs(const std::string& partial, std::string_view reason);

}  // namespace rocescope::cli
