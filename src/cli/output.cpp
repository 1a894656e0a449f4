// Writing to standard output.
#include "cli/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/signals.hpp"

namespace rocescope::cli {

Output::Output(int descriptor) : descriptor_(descriptor), is_terminal_(::isatty(descriptor) == 1) {
  // A person watches: write each packet at once.
  flush_always_ = is_terminal_;
}

void Output::flush() {
  std::string_view rest = text_;
  while (!rest.empty() && !error_) {
    const ::ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      if (errno == EPIPE) end_by_closed_pipe();
      error_ = Error{std::string("cannot write to standard output: ") + std::strerror(errno)};
    }
  }
  text_.clear();
}

void Output::end_where_nobody_reads() const {
  pollfd polled{descriptor_, POLLOUT, 0};
  if (::poll(&polled, 1, 0) == 1 && (polled.revents & POLLERR) != 0) end_by_closed_pipe();
}

}  // namespace rocescope::cli
