// Programs that this one starts.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "rocescope/result.hpp"

namespace rocescope::cli {

[[nodiscard]] sigset_t set_of(std::initializer_list<int> signals);

/// Starts `program`, a path or a name that PATH finds, with no signal blocked or ignored, and without input. `words` begins with its name.
/// It writes to the file descriptor `out`, -1: nobody reads that; errors go where those of this program go.
[[nodiscard]] std::optional<Error> start_process(const char* program, const std::vector<std::string>& words, int out,
                                                 ::pid_t& process);

/// `ended with 2`, `was killed by signal 9`; `status` is that of waitpid().
[[nodiscard]] std::string how_it_ended(int status);

}  // namespace rocescope::cli
