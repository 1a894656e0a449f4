#include "capture/file_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "capture/system_reason.hpp"

namespace rocescope {
namespace {

Error cannot_open(const std::string& path, int error) {
  if (error == EMFILE) {
    return {
        fmt::format("cannot open {}: too many files are open at once. Raise the limit (ulimit -n 65536), or merge "
                    "some of them first: mergecap -w merged.pcapng FILES",
                    path)};
  }
  return {fmt::format("cannot open {}: {}", path, system_reason(error))};
}

}  // namespace

Result<std::unique_ptr<ByteSource>> FileSource::open(const std::string& path, std::shared_ptr<ReadCount> read) {
  if (path == "-") {
    if (::isatty(STDIN_FILENO) != 0) {
      return Error{"cannot read standard input: it is a terminal. Pipe a capture into it, or name a file"};
    }
    std::unique_ptr<FileSource> source(new FileSource(STDIN_FILENO, false, std::move(read)));
    source->add_size();
    return std::unique_ptr<ByteSource>(std::move(source));
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_open(path, errno);
  std::unique_ptr<FileSource> source(new FileSource(descriptor, true, std::move(read)));
  struct stat status = {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    return Error{fmt::format("cannot read {}: it is a directory. Name the captures in it", path)};
  }
  source->add_size();
  return std::unique_ptr<ByteSource>(std::move(source));
}

FileSource::~FileSource() {
  if (owned_) ::close(descriptor_);
}

std::size_t FileSource::read(std::span<std::uint8_t> into) {
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, into.data(), into.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    damage_ = fmt::format("reading failed at byte {}: {}", offset_, system_reason(errno));
    return 0;
  }
  offset_ += static_cast<std::uint64_t>(count);
  read_->bytes.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
  return static_cast<std::size_t>(count);
}

void FileSource::add_size() {
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    read_->size_is_known = false;
    return;
  }
  const ::off_t start = std::max<::off_t>(::lseek(descriptor_, 0, SEEK_CUR), 0);  // of standard input anywhere
  read_->size += static_cast<std::uint64_t>(std::max<::off_t>(status.st_size - start, 0));
}

bool FileSource::may_wait() const {
  struct stat status = {};
  return ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode);
}

void make_room_for_files(std::size_t files) {
  constexpr rlim_t kOthers = 64;  // files that the process has open otherwise
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(files + kOthers, limit.rlim_max);
  if (wanted <= limit.rlim_cur) return;
  limit.rlim_cur = wanted;
  ::setrlimit(RLIMIT_NOFILE, &limit);  // if it fails, opening the files reports it
}

}  // namespace rocescope
