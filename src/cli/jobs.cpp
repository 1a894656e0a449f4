#include "cli/jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/general_options.hpp"
#include "cli/merging.hpp"
#include "cli/report_options.hpp"
#include "cli/shard_options.hpp"
#include "cli/signals.hpp"

namespace rocescope::cli::jobs {
namespace {

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

  [[nodiscard]] std::optional<Error> start(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::pid_t process = 0;
    const int failure = ::posix_spawn(&process, "/proc/self/exe", &files, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failure != 0) return Error{fmt::format("cannot start a process: {}", std::strerror(failure))};
    processes_.push_back(process);
    return std::nullopt;
  }

  /// Waits until all ended, or one failed: then the others are stopped.
  [[nodiscard]] std::optional<Error> wait() {
    std::optional<Error> error;
    for (std::size_t left = processes_.size(); left > 0;) {
      int status = 0;
      const ::pid_t ended = ::waitpid(-1, &status, 0);
      if (ended < 0 && errno == EINTR) continue;  // Ctrl-C stops them, too
      if (ended < 0) break;
      const auto place = std::ranges::find(processes_, ended);
      if (place == processes_.end()) continue;
      *place = 0;
      --left;
      if (error || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) continue;
      const auto number = place - processes_.begin() + 1;
      error = Error{WIFSIGNALED(status) ? fmt::format("the process of shard {}/{} was killed by signal {}", number,
                                                      processes_.size(), WTERMSIG(status))
                                        : fmt::format("the process of shard {}/{} ended with {}", number,
                                                      processes_.size(), WEXITSTATUS(status))};
      for (const ::pid_t process : processes_) {
        if (process != 0) ::kill(process, SIGTERM);
      }
    }
    return error;
  }

 private:
  void stop() {
    for (const ::pid_t process : processes_) {
      if (process == 0) continue;
      ::kill(process, SIGKILL);
      while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }
  std::vector<::pid_t> processes_;  // 0: it ended
};

}  // namespace
}  // namespace rocescope::cli::jobs

namespace rocescope::cli {

Result<ExitCode> analyze_with_jobs(std::uint32_t jobs, const InputOptions& options, bool as_json,
                                   Invocation& invocation) {
  Result<jobs::Scratch> scratch = jobs::Scratch::make();
  if (!scratch) return scratch.error();
  const bool has_messages = invocation.arguments.has(kCsv);
  const std::vector<std::string> same = shard_words(invocation.arguments, options);
  std::vector<std::string> files;
  {
    jobs::Processes processes;
    for (std::uint32_t number = 1; number <= jobs; ++number) {
      files.push_back(scratch->file(number));
      std::vector<std::string> words{"rocescope", "analyze", fmt::format("--shard={}/{}", number, jobs),
                                     fmt::format("--partial={}", files.back()), "--threads=1"};
      if (!has_messages) words.emplace_back("--no-messages");
      if (number > 1 || invocation.arguments.has(kQuiet)) words.emplace_back("--quiet");  // all say the same
      words.insert(words.end(), same.begin(), same.end());
      if (std::optional<Error> error = processes.start(words)) return *std::move(error);
    }
    if (std::optional<Error> error = processes.wait()) {
      if (interrupted()) return Error{"interrupted: there is no report of a part of the packets"};
      return *std::move(error);
    }
  }
  return merge_files(files, as_json, nullptr, invocation);
}

}  // namespace rocescope::cli
