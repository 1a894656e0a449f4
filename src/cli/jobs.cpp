#include "cli/jobs.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/child_process.hpp"
#include "cli/csv_folder.hpp"
#include "cli/general_options.hpp"
#include "cli/merging.hpp"
#include "cli/packet_input.hpp"
#include "cli/part_files.hpp"
#include "cli/report_options.hpp"
#include "cli/shard_options.hpp"
#include "cli/signals.hpp"

namespace rocescope::cli::jobs {
namespace {

// Environment variables: the file for messages, and the number of the process that started it.
constexpr const char* kMessages = "ROCESCOPE_JOB";
constexpr const char* kStarter = "ROCESCOPE_JOB_OF";
constexpr std::string_view kFolder = "rocescope-";
constexpr std::string_view kPart = ".rsp";
constexpr std::string_view kSaid = ".messages";

/// `3.rsp`, `3.rsp.messages`, or a draft of the former.
bool is_of_job(std::string_view file) {
  const std::size_t digits = file.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && file.substr(digits).starts_with(kPart);
}

/// Removes the files of jobs in it, and the folder where nothing else is in it.
void remove_scratch(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!folder.filename().string().starts_with(kFolder)) return;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored)) {
    if (is_of_job(file.path().filename().string())) std::filesystem::remove(file.path(), ignored);
  }
  std::filesystem::remove(folder, ignored);
}

/// Where the process that writes this partial result says what it has to. Nobody reads it if one process follows all
/// packets in the end, and says the same.
std::string messages_file(const std::string& partial) { return fmt::format("{}{}", partial, kSaid); }

/// What a signal that ends this process removes: the names are there before it may come. The files for messages are the
/// first of them: a process that ends meanwhile sees that its own is gone, and waits for the end of this one.
std::vector<std::string> g_files;
std::string g_folder;

void on_end(int number) {
  for (const std::string& file : g_files) ::unlink(file.c_str());
  ::rmdir(g_folder.c_str());  // not where jobs go on: they remove it
  static_cast<void>(std::signal(number, SIG_DFL));
  static_cast<void>(std::raise(number));
}

/// A folder that goes away with the files of the jobs in it, also where SIGTERM or SIGHUP ends this process.
class Scratch {
 public:
  [[nodiscard]] static Result<Scratch> make(std::uint32_t jobs) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    std::string path = ((error ? std::filesystem::path("/tmp") : folder) / fmt::format("{}XXXXXX", kFolder)).string();
    if (::mkdtemp(path.data()) == nullptr)
      return Error{fmt::format("cannot make a folder in {}: {}", folder.string(), std::strerror(errno))};
    return Scratch(std::move(path), jobs);
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    if (path_.empty()) return;
    remove_scratch(path_);
    for (const int number : kEnding) set_handler(number, on_end, SIG_DFL);
  }
  [[nodiscard]] std::string file(std::uint32_t number) const { return fmt::format("{}/{}{}", path_, number, kPart); }

 private:
  static constexpr int kEnding[] = {SIGTERM, SIGHUP};

  Scratch(std::string path, std::uint32_t jobs) : path_(std::move(path)) {
    g_folder = path_;
    for (std::uint32_t number = 1; number <= jobs; ++number) g_files.push_back(messages_file(file(number)));
    for (std::uint32_t number = 1; number <= jobs; ++number) g_files.push_back(file(number));
    for (const int number : kEnding) set_handler(number, SIG_DFL, on_end);
  }
  /// Not where whoever started this process had another one, such as nohup.
  static void set_handler(int number, void (*before)(int), void (*now)(int)) {
    const auto found = std::signal(number, now);
    if (found != before) static_cast<void>(std::signal(number, found));
  }

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
    ::pid_t process = 0;
    std::optional<Error> error = start_process("/proc/self/exe", words, -1, process);
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

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// On disk.
std::uint64_t bytes_of(const std::vector<std::string>& files) {
  std::uint64_t sum = 0;
  for (const std::string& file : files) {
    std::error_code gone;
    const std::uintmax_t size = std::filesystem::file_size(file, gone);
    if (!gone) sum += size;
  }
  return sum;
}

std::string unshared_text(std::string_view reason) {
  return fmt::format("--jobs does not help: one process has to follow all packets, since {}", reason);
}

}  // namespace
}  // namespace rocescope::cli::jobs

namespace rocescope::cli {

Job::Job() {
  const char* const messages = std::getenv(jobs::kMessages);
  const char* const starter = std::getenv(jobs::kStarter);
  if (messages == nullptr || starter == nullptr) return;
  messages_ = messages;
  starter_ = static_cast<int>(std::strtol(starter, nullptr, 10));
  // What is sent to all processes of the command ends the one that started this, which is interrupted then.
  static_cast<void>(std::signal(SIGTERM, SIG_IGN));
  static_cast<void>(std::signal(SIGHUP, SIG_IGN));
  ::prctl(PR_SET_PDEATHSIG, SIGINT);
  if (is_left_alone()) static_cast<void>(std::raise(SIGINT));
}

Job::~Job() {
  if (!is_one()) return;
  // If its file is gone, who started this is about to end, or somebody else removed the file.
  constexpr int kTurns = 1'000;  // ten seconds
  for (int turn = 0; turn < kTurns && !is_left_alone() && ::access(messages_, F_OK) != 0; ++turn) ::usleep(10'000);
  if (is_left_alone()) jobs::remove_scratch(std::filesystem::path(messages_).parent_path());
}

bool Job::is_left_alone() const noexcept { return is_one() && ::getppid() != starter_; }

ExitCode leave_jobs(const std::string& partial, std::string_view reason) {
  std::ofstream(partial) << reason;
  return ExitCode::kUnshared;
}

Result<std::optional<ExitCode>> analyze_with_jobs(std::uint32_t jobs, const InputOptions& options, bool as_json,
                                                  const RunStats& stats, Invocation& invocation) {
  if (const std::string reason = reason_for_whole(options); !reason.empty()) {
    invocation.messages.warning(jobs::unshared_text(reason));
    return std::optional<ExitCode>();
  }
  Result<jobs::Scratch> scratch = jobs::Scratch::make(jobs);
  if (!scratch) return scratch.error();
  const GivenOption* const csv = invocation.arguments.last(kCsv);
  if (csv != nullptr) {
    if (std::optional<Error> error = CsvFolder::check(csv->value)) return *std::move(error);
  }
  const std::vector<std::string> same = shard_words(invocation.arguments, options);
  const bool verbose = invocation.arguments.has(kAll);
  std::vector<std::string> files;
  std::string said;  // by the first, for all
  {
    jobs::Processes processes;
    ::setenv(jobs::kStarter, fmt::format("{}", ::getpid()).c_str(), 1);
    for (std::uint32_t number = 1; number <= jobs; ++number) {
      files.push_back(scratch->file(number));
      std::vector<std::string> words{"rocescope", "analyze", fmt::format("--shard={}/{}", number, jobs),
                                     fmt::format("--partial={}", files.back()), "--threads=1"};
      if (csv == nullptr) words.emplace_back("--no-messages");
      // All would warn of the same, and show the same progress: the first one does.
      if (number > 1 || invocation.arguments.has(kQuiet)) words.emplace_back("--quiet");
      if (number == 1 && verbose) words.push_back(fmt::format("--{}", kAll.name));
      words.insert(words.end(), same.begin(), same.end());
      ::setenv(jobs::kMessages, jobs::messages_file(files.back()).c_str(), 1);
      if (std::optional<Error> error = processes.start(words)) return *std::move(error);
    }
    ::unsetenv(jobs::kMessages);
    ::unsetenv(jobs::kStarter);
    const std::size_t failed = processes.wait();
    invocation.messages.progress_was_shown();
    invocation.messages.end_progress();
    if (interrupted()) {
      invocation.messages.warning("interrupted: there is no report of a part of the packets");
      return std::optional(ExitCode::kInterrupted);
    }
    if (failed != 0 && jobs::Processes::is_unshared(processes.status(failed))) {
      invocation.messages.warning(jobs::unshared_text(jobs::text_of(files[failed - 1])));
      return std::optional<ExitCode>();
    }
    said = jobs::text_of(jobs::messages_file(files[failed == 0 ? 0 : failed - 1]));
    if (failed != 0) {
      if (!said.empty()) invocation.messages.plain(said);
      const int status = processes.status(failed);
      if (WIFEXITED(status) && !said.empty()) return std::optional(ExitCode::kError);  // it said why
      return Error{fmt::format("the process of shard {}/{} {}", failed, jobs, how_it_ended(status))};
    }
  }
  std::vector<PartFile> parts;
  for (const std::string& file : files) parts.push_back({.name = file});
  Result<MergedParts> merged = read_parts(parts, csv != nullptr);
  if (!merged) return merged.error();
  if (!merged->excess.empty()) {
    invocation.messages.warning(jobs::unshared_text(merged->excess));
    return std::optional<ExitCode>();
  }
  if (!said.empty()) invocation.messages.plain(said);
  const std::uint64_t packets = merged->observations.report.packets_read;
  const ReadCounts counts = counts_of(merged->observations.report.totals);
  const Result<ExitCode> code = report_on(*merged, as_json, invocation);
  if (!code) return code.error();
  if (verbose) note_counts(packets, counts, invocation.messages);
  if (invocation.arguments.has(kStats)) stats.report(packets, jobs::bytes_of(options.files), jobs, invocation.messages);
  return std::optional(*code);
}

}  // namespace rocescope::cli
