// Writing to standard output.
#include "cli/output.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/signals.hpp"
#include "cli/values.hpp"

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
  if (is_unread(descriptor_)) end_by_closed_pipe();
}

bool is_unread(int descriptor) noexcept {
  pollfd polled{descriptor, POLLOUT, 0};
  return ::poll(&polled, 1, 0) == 1 && (polled.revents & (POLLERR | POLLHUP)) != 0;
}

std::optional<std::size_t> terminal_width() {
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  const char* const columns = std::getenv("COLUMNS");
  constexpr std::uint64_t kMost = 10'000;
  const std::optional<std::uint64_t> number = columns == nullptr ? std::nullopt : parse_number(columns, kMost);
  return number && *number > 0 ? std::optional<std::size_t>(*number) : std::nullopt;
}

}  // namespace rocescope::cli
