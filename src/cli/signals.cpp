// Signal handlers.
#include "signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace rocescope::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void on_interrupt(int) {
  const int saved = errno;
  g_interrupted = 1;
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
  errno = saved;
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  // A read that waits is to return, so no SA_RESTART; the second Ctrl-C is to kill.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
}

bool interrupted() noexcept { return g_interrupted != 0; }

}  // namespace rocescope::cli
