// Writing to standard output.
#include "output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rocescope::cli {

Output::Output(int descriptor) : descriptor_(descriptor), is_terminal_(::isatty(descriptor) == 1) {
  // A person watches: each packet when it is known.
  flush_always_ = is_terminal_;
}

void Output::flush() {
  std::string_view rest = text_;
  while (!rest.empty() && !error_) {
    const ::ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = Error{std::string("cannot write to standard output: ") + std::strerror(errno)};
    }
  }
  text_.clear();
}

}  // namespace rocescope::cli
