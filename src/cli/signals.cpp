// Signal handlers.
#include "cli/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

#include "terminal/rescue.hpp"

namespace rocescope::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;
volatile std::sig_atomic_t g_stop_requested = 0;
volatile std::sig_atomic_t g_counters_wanted = 0;
volatile std::sig_atomic_t g_flush_wanted = 0;

void on_live_signal(int number) {
  if (number == SIGUSR1) {
    g_counters_wanted = 1;
  } else if (number == SIGUSR2) {
    g_flush_wanted = 1;
  } else if (g_stop_requested == 0) {
    g_stop_requested = 1;
  } else {
    terminal::give_back();
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

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
  // No SA_RESTART, so that a waiting read returns. SA_RESETHAND, so that the second Ctrl-C kills.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
}

void end_by_closed_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

bool interrupted() noexcept { return g_interrupted != 0; }

void install_live_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_live_signal;
  for (const int number : {SIGUSR1, SIGUSR2, SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
}

bool stop_requested() noexcept { return g_stop_requested != 0; }

bool take(LiveSignal signal) noexcept {
  volatile std::sig_atomic_t& wanted = signal == LiveSignal::kFlush ? g_flush_wanted : g_counters_wanted;
  if (wanted == 0) return false;
  wanted = 0;
  return true;
}

}  // namespace rocescope::cli
