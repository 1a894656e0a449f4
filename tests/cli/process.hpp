// Runs the program as a user does, in a process of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocescope::testing {

/// How a program ended and what it said.
struct Outcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
};

struct Surroundings {
  std::string input = {};        ///< on standard input, through a pipe
  std::string input_file = {};   ///< or standard input itself
  std::string output_file = {};  ///< standard output, instead of Outcome::out
  bool input_terminal = false;   ///< or a terminal
  bool terminal = false;         ///< standard output is a terminal (its text comes as Outcome::out)
  bool error_terminal = false;   ///< standard error is one
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< beside the test's own
};

/// A program that runs. Killed when it is still there at the end of the test.
class Process {
 public:
  /// `words.front()` is looked up in PATH unless it has a slash.
  explicit Process(const std::vector<std::string>& words, const Surroundings& surroundings = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Writes to its standard input.
  void write(std::string_view text);
  void close_input();
  /// Its output once there is `text` in it, or after ten seconds, or at its end.
  const std::string& read_until(std::string_view text);
  void send_signal(int number) const;
  /// Whether it has a handler for the signal: on a busy machine it takes a while to come so far.
  [[nodiscard]] bool catches(int number) const;
  /// Waits for its end, a minute at most.
  Outcome wait();

 private:
  bool read_more(int milliseconds);

  pid_t pid_ = -1;
  int input_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string pending_;  ///< of Surroundings::input
  Outcome outcome_;
};

/// Runs a program to its end.
[[nodiscard]] Outcome run(const std::vector<std::string>& words, const Surroundings& surroundings = {});

/// Runs rocescope with `arguments` to its end.
[[nodiscard]] Outcome rocescope(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});
/// `rocescope ...` as words.
[[nodiscard]] std::vector<std::string> rocescope_words(const std::vector<std::string>& arguments);

/// Whether PATH has the program.
[[nodiscard]] bool has_program(const std::string& name);

}  // namespace rocescope::testing
