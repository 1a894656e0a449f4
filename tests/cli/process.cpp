// fork, exec, poll.
#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/source_dir.hpp"

namespace rocescope::testing {
namespace {

using Clock = std::chrono::steady_clock;

struct Ends {
  int parent = -1;
  int child = -1;
};

Ends make_pipe(bool child_reads) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  return child_reads ? Ends{ends[1], ends[0]} : Ends{ends[0], ends[1]};
}

Ends make_terminal() {
  const int parent = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (parent < 0 || ::grantpt(parent) != 0 || ::unlockpt(parent) != 0) throw std::runtime_error("pty");
  return {parent, ::open(::ptsname(parent), O_RDWR | O_NOCTTY | O_CLOEXEC)};
}

Ends open_file(const std::string& path, int flags) { return {-1, ::open(path.c_str(), flags | O_CLOEXEC, 0600)}; }

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

[[noreturn]] void become(const std::vector<std::string>& words, const Surroundings& surroundings, int in, int out,
                         int err) {
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : surroundings.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  ::_exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& words, const Surroundings& surroundings)
    : pending_(surroundings.input) {
  std::signal(SIGPIPE, SIG_IGN);
  const Ends in = surroundings.input_terminal        ? make_terminal()
                  : !surroundings.input_file.empty() ? open_file(surroundings.input_file, O_RDONLY)
                                                     : make_pipe(true);
  const Ends out = surroundings.terminal              ? make_terminal()
                   : surroundings.output_file.empty() ? make_pipe(false)
                                                      : open_file(surroundings.output_file, O_WRONLY | O_CREAT);
  const Ends err = surroundings.error_terminal ? make_terminal() : make_pipe(false);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ == 0) become(words, surroundings, in.child, out.child, err.child);
  for (const int child : {in.child, out.child, err.child}) ::close(child);
  input_ = in.parent;
  out_ = out.parent;
  err_ = err.parent;
}

Process::~Process() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (int* descriptor : {&input_, &out_, &err_}) close_if_open(*descriptor);
}

void Process::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(input_, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Process::close_input() { close_if_open(input_); }

bool Process::read_more(int milliseconds) {
  std::array<pollfd, 3> polled{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0},
                               pollfd{pending_.empty() ? -1 : input_, POLLOUT, 0}};
  if (::poll(polled.data(), polled.size(), milliseconds) <= 0) return out_ >= 0 || err_ >= 0;
  std::array<char, 65536> buffer{};
  const auto take = [&](const pollfd& from, int& descriptor, std::string& text) {
    if (from.fd < 0 || from.revents == 0) return;
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    // A terminal whose other side is closed gives an error, not an end.
    if (count <= 0) return close_if_open(descriptor);
    text.append(buffer.data(), static_cast<std::size_t>(count));
  };
  take(polled[0], out_, outcome_.out);
  take(polled[1], err_, outcome_.err);
  if (polled[2].revents != 0) {
    // No more than a pipe takes without blocking.
    const ssize_t count = ::write(input_, pending_.data(), std::min<std::size_t>(pending_.size(), 4096));
    if (count <= 0) {
      pending_.clear();
    } else {
      pending_.erase(0, static_cast<std::size_t>(count));
    }
    if (pending_.empty()) close_input();
  }
  return out_ >= 0 || err_ >= 0;
}

const std::string& Process::read_until(std::string_view text) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
  while (outcome_.out.find(text) == std::string::npos && outcome_.err.find(text) == std::string::npos &&
         Clock::now() < end && read_more(100)) {
  }
  return outcome_.out;
}

bool Process::catches(int number) const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  constexpr std::string_view kCaught = "SigCgt:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(kCaught)) continue;
    return ((std::stoull(line.substr(kCaught.size()), nullptr, 16) >> (number - 1)) & 1U) != 0;
  }
  return false;
}

void Process::send_signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

Outcome Process::wait() {
  if (pending_.empty() && ::isatty(input_) == 0) close_input();  // a terminal stays
  const Clock::time_point end = Clock::now() + std::chrono::minutes(1);
  while (read_more(100)) {
    if (Clock::now() > end) send_signal(SIGKILL);
  }
  int status = 0;
  if (pid_ < 0) return outcome_;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFEXITED(status)) outcome_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome_.signal = WTERMSIG(status);
  return std::move(outcome_);
}

Outcome run(const std::vector<std::string>& words, const Surroundings& surroundings) {
  return Process(words, surroundings).wait();
}

std::vector<std::string> rocescope_words(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Outcome rocescope(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return run(rocescope_words(arguments), surroundings);
}

bool has_program(const std::string& name) { return run({"sh", "-c", "command -v " + name}).exit_code == 0; }

}  // namespace rocescope::testing
