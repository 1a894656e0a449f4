// Captures on disk for the tests: bytes put together by hand, files that independent programs wrote, and all that
// open_capture() gives for them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/capture.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {

using ByteVector = std::vector<std::uint8_t>;

/// A folder of capture files.
class CaptureFolder : public TemporaryFolder {
 public:
  /// Writes a file and returns its path.
  std::string file(std::string_view name, const ByteVector& bytes) const;
};

[[nodiscard]] ByteVector bytes_of(std::string_view text);
[[nodiscard]] ByteVector read_file(const std::string& path);
[[nodiscard]] ByteVector first_bytes(const ByteVector& bytes, std::size_t count);

/// A capture that is part of the repository.
[[nodiscard]] std::string shipped(std::string_view name);

struct FrameCopy {
  Frame frame;  ///< without its data
  ByteVector data;
  std::vector<std::string> comments;
};

/// Everything that a capture gave.
struct Reading {
  std::string error;  ///< when it could not be opened
  std::vector<FrameCopy> frames;
  std::vector<CaptureInfo> info;

  /// The warnings of the first capture, one in a line.
  [[nodiscard]] std::string warnings() const;
};

[[nodiscard]] Reading read_capture(const std::string& path);
[[nodiscard]] Reading read_captures(const std::vector<std::string>& paths);
/// The frames that `source` has left.
[[nodiscard]] Reading read_rest(FrameSource& source);

/// Whether a program is installed.
[[nodiscard]] bool has_program(std::string_view name);
/// What a shell command prints; fails the test when the command fails and `must_succeed`.
std::string run(const std::string& command, bool must_succeed = true);

}  // namespace rocescope::testing
