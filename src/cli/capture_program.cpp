#include "cli/capture_program.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <ctime>

#include "cli/child_process.hpp"
#include "cli/output.hpp"

namespace rocescope::cli {

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char each : text) word += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return word + "'";
}

std::optional<Error> run_capture_program(const std::vector<std::string>& words, int writing) {
  const sigset_t signals = set_of({SIGTERM, SIGINT, SIGHUP, SIGCHLD});
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::pid_t process = 0;
  if (std::optional<Error> error = start_process(words.front().c_str(), words, writing, process)) return error;
  constexpr timespec kMoment{.tv_sec = 0, .tv_nsec = 200'000'000};
  constexpr int kPatience = 25;  // moments
  int waited = 0;                // since it was asked to end
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    const int signal = ::sigtimedwait(&signals, nullptr, &kMoment);
    const bool asked = signal > 0 && signal != SIGCHLD;
    if (waited == 0 && (asked || is_unread(writing))) {
      ::kill(process, SIGTERM);
      waited = 1;
    } else if (waited > 0 && ++waited > kPatience) {
      ::kill(process, SIGKILL);
    }
  }
  const bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (waited > 0 || !failed || is_unread(writing)) return std::nullopt;
  return Error{fmt::format("{} {}", words.front(), how_it_ended(status))};
}

}  // namespace rocescope::cli
