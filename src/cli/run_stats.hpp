// What a run took.
#pragma once

#include <chrono>
#include <cstdint>

#include "cli/messages.hpp"
#include "cli/option.hpp"
#include "model/express_reason.hpp"

namespace rocescope::cli {

inline constexpr Option kStats{
    .name = "stats",
    .help = "how fast it went, and which packets took the express lane",
    .more = R"(On standard error, at the end: packets, bytes read, time, the most memory; how many packets were counted
           without looking at all of them, and why others were not. See ROCESCOPE_EXPRESS in rocescope(1). With --jobs, only
           how fast it went.)"};

/// Measures from when it was made.
class RunStats {
 public:
  /// `packets` and `bytes`, as they are on disk, were read: by this process, or by `jobs` processes that it started.
  void report(std::uint64_t packets, std::uint64_t bytes, std::uint32_t jobs, Messages& messages) const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// How many packets took the express lane, and why others did not, the most frequent reason first. Nothing where it is closed.
void report_express(const ExpressTotals& express, Messages& messages);

}  // namespace rocescope::cli
