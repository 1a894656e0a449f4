// How the program ends.
#pragma once

namespace rocescope::cli {

enum class ExitCode : int {
  kDone = 0,
  kFinding = 1,   ///< a finding has at least the severity of --fail-on; or the capture differs from the truth
  kError = 2,     ///< usage, input or output
  kUnshared = 3,  ///< only of a process of --jobs: it needs all packets, not a part of them
  kInterrupted = 130,
};

}  // namespace rocescope::cli
