#include "cli/capture_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <ctime>
#include <initializer_list>

#include "cli/output.hpp"

namespace rocescope::cli {
namespace {

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int each : signals) sigaddset(&set, each);
  return set;
}

/// Starts it with no signal blocked or ignored, and without input.
std::optional<Error> start(const std::vector<std::string>& words, int writing, ::pid_t& process) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, writing, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const sigset_t none = set_of({});
  const sigset_t usual = set_of({SIGTERM, SIGINT, SIGHUP, SIGPIPE});
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int failure = ::posix_spawnp(&process, pointers.front(), &files, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (failure == 0) return std::nullopt;
  return Error{fmt::format("cannot start {}: {}", words.front(), std::strerror(failure))};
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return fmt::format("ended with {}", WEXITSTATUS(status));
}

}  // namespace

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char each : text) word += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return word + "'";
}

std::optional<Error> run_capture_program(const std::vector<std::string>& words, int writing) {
  const sigset_t signals = set_of({SIGTERM, SIGINT, SIGHUP, SIGCHLD});
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::pid_t process = 0;
  if (std::optional<Error> error = start(words, writing, process)) return error;
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
