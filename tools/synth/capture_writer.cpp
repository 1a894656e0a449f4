#include "synth/capture_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <system_error>

namespace rocescope::synth {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes worth a system call, which still lie in the cache
constexpr std::size_t kPcapRecord = 16;
constexpr std::size_t kEnhancedPacket = 28;
constexpr std::size_t kMost = kPiece + CaptureWriter::kLargestFrame + kEnhancedPacket + 8;
constexpr std::uint32_t kNanosecondPcap = 0xA1B23C4D;
constexpr std::uint32_t kEthernet = 1;
constexpr std::uint64_t kSecond = 1'000'000'000;

/// In the byte order of this machine, as both formats have it.
std::uint8_t* put(std::uint8_t* to, std::initializer_list<std::uint32_t> words) {
  std::memcpy(to, words.begin(), words.size() * sizeof(std::uint32_t));
  return to + words.size() * sizeof(std::uint32_t);
}

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

CaptureWriter::CaptureWriter(const std::string& path, Format format, std::uint32_t snap_length)
    : descriptor_(path == "-" ? dup(STDOUT_FILENO)
                              : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)),
      path_(path),
      format_(format),
      snap_length_(snap_length),
      buffer_(std::make_unique<std::uint8_t[]>(kMost)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + path);
  write_file_header();
}

CaptureWriter::~CaptureWriter() { ::close(descriptor_); }

void CaptureWriter::write_file_header() {
  std::uint8_t* end = buffer_.get();
  if (format_ == Format::kPcap) {
    end = put(end, {kNanosecondPcap, 2U | 4U << 16, 0, 0, snap_length_, kEthernet});
  } else {
    end = put(end, {0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0xFFFFFFFF, 0xFFFFFFFF, 28});
    constexpr std::uint32_t kResolution = 9U | 1U << 16;  // option if_tsresol, one byte long
    end = put(end, {1, 32, kEthernet, snap_length_, kResolution, 9, 0, 32});
  }
  used_ = static_cast<std::size_t>(end - buffer_.get());
}

std::uint8_t* CaptureWriter::frame() noexcept {
  return buffer_.get() + used_ + (format_ == Format::kPcap ? kPcapRecord : kEnhancedPacket);
}

void CaptureWriter::end_frame(std::size_t size, std::uint64_t time_ns) {
  const std::uint32_t original = low(size);
  const std::uint32_t kept = std::min(original, snap_length_);
  std::uint8_t* at = buffer_.get() + used_;
  if (format_ == Format::kPcap) {
    put(at, {low(time_ns / kSecond), low(time_ns % kSecond), kept, original});
    used_ += kPcapRecord + kept;
  } else {
    const std::uint32_t padded = (kept + 3) & ~3U;
    const std::uint32_t length = low(kEnhancedPacket) + padded + 4;
    put(at, {6, length, 0, low(time_ns >> 32), low(time_ns), kept, original});
    std::memset(at + kEnhancedPacket + kept, 0, padded - kept);
    put(at + kEnhancedPacket + padded, {length});
    used_ += length;
  }
  if (used_ >= kPiece) write_out();
}

void CaptureWriter::close() { write_out(); }

void CaptureWriter::write_out() {
  for (std::size_t done = 0; done < used_;) {
    const ssize_t written = write(descriptor_, buffer_.get() + done, used_ - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + path_);
    done += static_cast<std::size_t>(written);
  }
  used_ = 0;
}

}  // namespace rocescope::synth
