#include "cli/jobs.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/child_process.hpp"
#include "cli/general_options.hpp"
#include "cli/merging.hpp"
#include "cli/report_options.hpp"
#include "cli/shard_options.hpp"
#include "cli/signals.hpp"

namespace rocescope::cli::jobs {
namespace {

constexpr const char* kIsOne = "ROCESCOPE_JOB";  // environment variable

/// A folder that goes away with all that is in it.
class Scratch {
 public:
  [[nodiscard]] static Result<Scratch> make() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    std::string path = ((error ? std::filesystem::path("/tmp") : folder) / "rocescope-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr)
      return Error{fmt::format("cannot make a folder in {}: {}", folder.string(), std::strerror(errno))};
    return Scratch(std::move(path));
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(std::uint32_t number) const { return fmt::format("{}/{}.rsp", path_, number); }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// The processes, none of which outlives this.
class Processes {
 public:
  Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes() { stop(); }

  [[nodiscard]] std::optional<Error> start(const std::vector<std::string>& words, const ChildFiles& files) {
    ::pid_t process = 0;
    std::optional<Error> error = start_process("/proc/self/exe", words, files, process);
    if (!error) processes_.push_back({.id = process});
    return error;
  }

  /// Waits until all ended, or one failed: then the others are stopped. The number of the first that failed, from 1; 0: none did.
  [[nodiscard]] std::size_t wait() {
    for (;;) {
      int status = 0;
      const ::pid_t ended = ::waitpid(-1, &status, 0);
      if (ended < 0 && errno == EINTR) continue;  // Ctrl-C stops them, too
      if (ended < 0) return 0;
      const auto place = std::ranges::find(processes_, ended, &Process::id);
      if (place == processes_.end()) continue;
      *place = {.id = 0, .status = status};
      if (has_succeeded(status)) continue;
      if (!is_unshared(status)) wait_for_the_first();
      stop();
      return static_cast<std::size_t>(place - processes_.begin()) + 1;
    }
  }

  /// Of the process of this number, as waitpid() has it.
  [[nodiscard]] int status(std::size_t number) const { return processes_[number - 1].status; }
  [[nodiscard]] static bool is_unshared(int status) {
    return WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ExitCode::kUnshared);
  }
  [[nodiscard]] static bool has_succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

 private:
  struct Process {
    ::pid_t id = 0;  // 0: it ended
    int status = 0;
  };

  /// The first process mostly fails for the reason for which another one did. It has a moment to say so and to end: whoever stops
  /// it between the two does not know that it was said.
  void wait_for_the_first() {
    constexpr std::chrono::milliseconds kStep{10};
    constexpr int kSteps = 300;
    Process& first = processes_.front();
    for (int step = 0; step < kSteps && first.id != 0; ++step) {
      if (::waitpid(first.id, &first.status, WNOHANG) == first.id) {
        first.id = 0;
      } else {
        std::this_thread::sleep_for(kStep);
      }
    }
  }

  void stop() {
    for (Process& process : processes_) {
      if (process.id == 0) continue;
      ::kill(process.id, SIGKILL);
      while (::waitpid(process.id, nullptr, 0) < 0 && errno == EINTR) {
      }
      process.id = 0;
    }
  }
  std::vector<Process> processes_;
};

/// The first line that a process wrote, without the name of the program.
std::string first_line_of(const std::string& file) {
  constexpr std::string_view kProgram = "rocescope: ";
  std::string line;
  std::ifstream stream(file);
  std::getline(stream, line);
  return line.starts_with(kProgram) ? line.substr(kProgram.size()) : line;
}

std::string unshared_text(std::string_view reason) {
  return fmt::format("--jobs does not help: one process has to follow all packets, since {}", reason);
}

}  // namespace
}  // namespace rocescope::cli::jobs

namespace rocescope::cli {

bool is_one_of_jobs() noexcept { return std::getenv(jobs::kIsOne) != nullptr; }

ExitCode leave_jobs(const std::string& partial, std::string_view reason) {
  std::ofstream(partial) << reason << '\n';
  return ExitCode::kUnshared;
}

Result<std::optional<ExitCode>> analyze_with_jobs(std::uint32_t jobs, const InputOptions& options, bool as_json,
                                                  Invocation& invocation) {
  if (const std::string reason = reason_for_whole(options); !reason.empty()) {
    invocation.messages.warning(jobs::unshared_text(reason));
    return std::optional<ExitCode>();
  }
  Result<jobs::Scratch> scratch = jobs::Scratch::make();
  if (!scratch) return scratch.error();
  const bool has_messages = invocation.arguments.has(kCsv);
  const std::vector<std::string> same = shard_words(invocation.arguments, options);
  std::vector<std::string> files;
  {
    ::setenv(jobs::kIsOne, "1", 1);
    jobs::Processes processes;
    std::vector<std::string> errors;
    for (std::uint32_t number = 1; number <= jobs; ++number) {
      files.push_back(scratch->file(number));
      // All would say the same: the first one does.
      errors.push_back(number == 1 ? std::string() : files.back() + ".errors");
      std::vector<std::string> words{"rocescope", "analyze", fmt::format("--shard={}/{}", number, jobs),
                                     fmt::format("--partial={}", files.back()), "--threads=1"};
      if (!has_messages) words.emplace_back("--no-messages");
      if (number > 1 || invocation.arguments.has(kQuiet)) words.emplace_back("--quiet");
      words.insert(words.end(), same.begin(), same.end());
      const ChildFiles where{.out = -1, .errors = errors.back()};
      if (std::optional<Error> error = processes.start(words, where)) return *std::move(error);
    }
    ::unsetenv(jobs::kIsOne);
    const std::size_t failed = processes.wait();
    if (interrupted()) {
      invocation.messages.warning("interrupted: there is no report of a part of the packets");
      return std::optional(ExitCode::kInterrupted);
    }
    if (failed != 0 && jobs::Processes::is_unshared(processes.status(failed))) {
      invocation.messages.warning(jobs::unshared_text(jobs::first_line_of(files[failed - 1])));
      return std::optional<ExitCode>();
    }
    const int first = processes.status(1);
    if (WIFEXITED(first) && WEXITSTATUS(first) != 0) return std::optional(ExitCode::kError);  // it said why
    if (failed != 0) {
      const std::string why = failed == 1 ? std::string() : jobs::first_line_of(errors[failed - 1]);
      if (!why.empty()) return Error{why};
      return Error{fmt::format("the process of shard {}/{} {}", failed, jobs, how_it_ended(processes.status(failed)))};
    }
  }
  const Result<ExitCode> merged = merge_files(files, as_json, nullptr, invocation);
  if (!merged) return merged.error();
  return std::optional(*merged);
}

}  // namespace rocescope::cli
