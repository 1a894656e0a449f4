// Writing to standard error.
#include "cli/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "text/human.hpp"

namespace rocescope::cli {

using namespace std::chrono_literals;

Messages::Messages() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

void Messages::error(std::string_view text) { say(text); }

void Messages::warning(std::string_view text) {
  if (!quiet_) say(text);
}

void Messages::note(std::string_view text) { say(text); }

void Messages::plain(std::string_view text) {
  if (holding_) {
    held_ += text;
    return;
  }
  end_progress();
  fmt::print(stderr, "{}", text);
}

void Messages::say(std::string_view text) { plain(fmt::format("rocescope: {}\n", text)); }

void Messages::release() {
  holding_ = false;
  if (!held_.empty()) plain(std::exchange(held_, {}));
}

void Messages::start_progress() noexcept {
  progress_ = is_terminal_ && !quiet_;
  started_ = shown_ = Clock::now();
}

void Messages::show_progress(std::uint64_t packets) {
  const Clock::time_point now = Clock::now();
  if (now - started_ < 1s || now - shown_ < 200ms) return;
  shown_ = now;
  const double rate = static_cast<double>(packets) / std::chrono::duration<double>(now - started_).count();
  fmt::print(stderr, "\r\033[K{} packets, {}", text::count(packets), text::quantity(rate, "packets/s"));
  std::fflush(stderr);
  line_shown_ = true;
}

void Messages::end_progress() {
  if (line_shown_) fmt::print(stderr, "\r\033[K");
  line_shown_ = false;
}

}  // namespace rocescope::cli
