#include "capture/capture_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "capture/system_reason.hpp"

namespace rocescope {
namespace {

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// The one of `inputs` that is the same file as `output`: writing would destroy it.
const std::string* input_that_is(const struct stat& output, std::span<const std::string> inputs) {
  if (!S_ISREG(output.st_mode)) return nullptr;
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const std::string& input) {
    struct stat status = {};
    const int result = input == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(input.c_str(), &status);
    return result == 0 && same_file(status, output);
  });
  return found == inputs.end() ? nullptr : &*found;
}

Error would_overwrite(const std::string& path, const std::string& input) {
  return {fmt::format("{} is read from{}: it would be overwritten. Name another file", path == "-" ? "output" : path,
                      input == path || input == "-" ? "" : fmt::format(" as {}", input))};
}

}  // namespace

Result<std::unique_ptr<CaptureFile>> CaptureFile::create(const std::string& path, std::span<const std::string> inputs) {
  const bool standard_output = path == "-";
  if (standard_output && ::isatty(STDOUT_FILENO) != 0) {
    return Error{"a capture is not for a terminal. Name a file, or pipe it into a program"};
  }
  struct stat status = {};
  const int found = standard_output ? ::fstat(STDOUT_FILENO, &status) : ::stat(path.c_str(), &status);
  if (found == 0) {
    if (const std::string* input = input_that_is(status, inputs)) return would_overwrite(path, *input);
  }
  if (standard_output) return std::unique_ptr<CaptureFile>(new CaptureFile(STDOUT_FILENO, false, "standard output"));
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return Error{fmt::format("cannot write {}: {}", path, system_reason(errno))};
  return std::unique_ptr<CaptureFile>(new CaptureFile(descriptor, true, path));
}

CaptureFile::~CaptureFile() { close(); }

bool CaptureFile::flush() {
  std::size_t done = 0;
  while (!error_ && done < text_.size()) {
    const ::ssize_t count = ::write(descriptor_, text_.data() + done, text_.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
  keep_whole_records(done);
  if (done < text_.size()) cut_file();
  text_.clear();
  records_.clear();
  return !error_;
}

bool CaptureFile::close() {
  flush();
  // Some file systems report a full disk only now.
  if (owned_ && ::close(descriptor_) != 0 && !error_) fail(errno);
  owned_ = false;
  descriptor_ = -1;
  return !error_;
}

void CaptureFile::fail(int error) { error_ = Error{fmt::format("cannot write {}: {}", path_, system_reason(error))}; }

void CaptureFile::keep_whole_records(std::size_t bytes_written) {
  std::size_t end = 0;
  for (const Record& record : records_) {
    if (record.end > bytes_written) break;
    end = record.end;
    if (record.is_packet) ++packets_;
  }
  offset_ += end;
}

/// Cuts off the record that was not written to its end. A pipe cannot be cut.
void CaptureFile::cut_file() {
  struct stat status = {};
  if (owned_ && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    (void)!::ftruncate(descriptor_, static_cast<::off_t>(offset_));  // where it fails, the file ends with a cut record
  }
}

}  // namespace rocescope
