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

/// This process, if it is one of those. Where the process that started it ends first, this one is interrupted, and removes the files of all.
class Job {
 public:
  Job();
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  [[nodiscard]] bool is_one() const noexcept { return messages_ != nullptr; }
  /// The file for its messages; null: it is none.
  [[nodiscard]] const char* messages() const noexcept { return messages_; }

 private:
  [[nodiscard]] bool is_left_alone() const noexcept;

  const char* messages_ = nullptr;
  int starter_ = 0;
};
/// Where it cannot do with its part of the packets: leaves the reason in the file of its partial result.
[[nodiscard]] ExitCode leave_jobs(const std::string& partial, std::string_view reason);

}  // namespace rocescope::cli
