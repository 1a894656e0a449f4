// How the program ends.
#pragma once

namespace rocescope::cli {

enum class ExitCode : int {
  kDone = 0,
  kFinding = 1,   ///< a finding as severe as --fail-on asks; the capture differs from the truth
  kError = 2,     ///< usage, input or output
  kUnshared = 3,  ///< of a process of --jobs alone: it cannot do with a part of the packets
  kInterrupted = 130,
};

}  // namespace rocescope::cli
