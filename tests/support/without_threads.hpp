// Code that runs where no thread is to be had.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>
#include <thread>

namespace rocescope::testing {

/// Of the child below: why it could not be tried.
inline constexpr int kCannotForbidThreads = 77;

/// Runs `check`, which returns whether all was right, in a child that must not make threads. Its exit code: 0 where it
/// was. Root may make as many as it likes, and becomes somebody else.
template <class Check>
int without_threads(const Check& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(kCannotForbidThreads);
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    try {
      std::thread([] {}).join();
      ::_exit(kCannotForbidThreads);
    } catch (const std::system_error&) {
    }
    ::_exit(check() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace rocescope::testing
