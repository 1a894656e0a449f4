// Standard error: errors, warnings, and progress on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace rocescope::cli {

/// Messages for a person; each starts with `rocescope: `. Names of files and answers of servers may be in them: control characters but line
/// ends are escaped.
class Messages {
 public:
  Messages();
  ~Messages() {
    release();
    end_progress();
    if (file_ != stderr) std::fclose(file_);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// The error that ends the program. Never silenced.
  void error(std::string_view text);
  /// A limit of the result: damage, cut packets. Silent after quiet().
  void warning(std::string_view text);
  /// A text that -v asks for.
  void note(std::string_view text);

  /// Text without a prefix, such as the help if no command is given.
  void plain(std::string_view text);

  /// No warnings and no progress: `-q`.
  void quiet() noexcept { quiet_ = true; }

  /// Holds messages back until release() if standard error is a terminal, since a screen is painted on it.
  void hold() noexcept { holding_ = is_terminal_; }
  void release();

  /// Messages go to a new file from now on; progress does not.
  void write_to(const std::string& file);

  /// Shows progress after a second, if standard error is a terminal. Not for commands that print packets to the same
  /// terminal.
  void start_progress() noexcept;
  /// Call for each packet, counted from 1; cheap. `part_done()` is the share done, from 0 (or unknown) to 1.
  template <class PartDone>
  void progress(std::uint64_t packets, PartDone part_done) {
    if (progress_ && packets % kProgressStep == 0) show_progress(packets, part_done());
  }
  /// Another process showed its progress on the line, and was perhaps killed before it wiped it.
  void progress_was_shown() noexcept { line_shown_ = is_terminal_ && !quiet_; }
  /// Wipes the line. Also done by every message.
  void end_progress();

 private:
  static constexpr std::uint64_t kProgressStep = 64;
  using Clock = std::chrono::steady_clock;

  void show_progress(std::uint64_t packets, double part_done);
  void say(std::string_view text);

  std::FILE* file_ = stderr;
  bool is_terminal_;
  bool quiet_ = false;
  bool holding_ = false;
  std::string held_;
  bool progress_ = false;
  bool line_shown_ = false;
  Clock::time_point started_;
  Clock::time_point shown_;
};

}  // namespace rocescope::cli
