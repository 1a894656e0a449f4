// Writing to standard error.
#include "cli/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "render/value_text.hpp"
#include "rocescope/text.hpp"

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
  fmt::print(file_, "{}", text);
  std::fflush(file_);
}

void Messages::say(std::string_view text) {
  std::string line = "rocescope: ";
  render::append_lines(text, line);
  plain(line + '\n');
}

void Messages::release() {
  holding_ = false;
  if (!held_.empty()) plain(std::exchange(held_, {}));
}

void Messages::write_to(const std::string& file) {
  if (std::FILE* const opened = std::fopen(file.c_str(), "we")) file_ = opened;
}

void Messages::start_progress() noexcept {
  progress_ = is_terminal_ && !quiet_;
  started_ = shown_ = Clock::now();
}

namespace {

/// `, 42 %, 33 s left`
std::string part_and_time_left(double part_done, double seconds) {
  const double left = std::ceil(seconds * (1 - part_done) / part_done);
  const std::string time =
      left < 60 ? fmt::format("{:.0f} s", left) : text::duration(std::llround(left) * 1'000'000'000);
  return fmt::format(", {:.0f} %, {} left", std::floor(100 * part_done), time);
}

}  // namespace

void Messages::show_progress(std::uint64_t packets, double part_done) {
  const Clock::time_point now = Clock::now();
  if (packets == kProgressStep) started_ = shown_ = now;  // the captures are read again
  if (now - started_ < 1s || now - shown_ < 200ms) return;
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  constexpr double kLeastPart = 0.001;  // below, the time left is a guess
  fmt::print(stderr, "\r\033[K{} packets, {}{}", text::count(packets),
             text::quantity(static_cast<double>(packets) / seconds, "packets/s"),
             part_done < kLeastPart ? std::string() : part_and_time_left(part_done, seconds));
  std::fflush(stderr);
  line_shown_ = true;
}

void Messages::end_progress() {
  if (line_shown_) fmt::print(stderr, "\r\033[K");
  line_shown_ = false;
}

}  // namespace rocescope::cli
