#include "terminal/rescue.hpp"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>

namespace rocescope::terminal {
namespace {

constexpr int kFatal[] = {SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

termios g_modes;
char g_restore[256];
std::size_t g_restore_size = 0;
struct sigaction g_before[std::size(kFatal)];

volatile std::sig_atomic_t g_armed = 0;

void on_fatal(int number) {
  give_back();
  ::raise(number);  // without the handler
}

}  // namespace

void give_back() noexcept {
  if (g_armed == 0) return;
  // Failures do not matter: the program ends anyway.
  (void)!::write(STDOUT_FILENO, g_restore, g_restore_size);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &g_modes);
}

Rescue::Rescue() { ::tcgetattr(STDIN_FILENO, &g_modes); }

void Rescue::arm(std::string_view restore) {
  g_restore_size = restore.size() > sizeof g_restore ? 0 : restore.size();
  std::copy_n(restore.begin(), g_restore_size, g_restore);
  g_armed = 1;
  struct sigaction action {};
  action.sa_handler = on_fatal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (std::size_t i = 0; i < std::size(kFatal); ++i) {
    ::sigaction(kFatal[i], nullptr, &g_before[i]);
    if (g_before[i].sa_handler == SIG_DFL) ::sigaction(kFatal[i], &action, nullptr);
  }
}

Rescue::~Rescue() {
  g_armed = 0;
  for (std::size_t i = 0; i < std::size(kFatal); ++i) {
    struct sigaction now {};
    ::sigaction(kFatal[i], nullptr, &now);
    if (now.sa_handler == on_fatal) ::sigaction(kFatal[i], &g_before[i], nullptr);
  }
}

}  // namespace rocescope::terminal
