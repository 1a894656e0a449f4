// Files that go on where others ended: captures that were rotated, or cut into parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocescope/capture.hpp"
#include "rocescope/frame.hpp"

namespace rocescope {

/// Knows which captures are one capture in several files: of one folder, with names that differ in numbers alone, and one begins where the
/// other ended.
class FileRings {
 public:
  /// Is shown the frames of several captures in their order, each when `source` gave it; or those of one capture that it gave at once.
  void observe(const Frame& frame, const FrameSource& source) {
    const std::uint32_t capture = frame.capture_id;
    if (capture >= files_.size() || !files_[capture].has_begun) begin(frame, source);
    files_[capture].last = frame.timestamp;
  }
  void pass(std::uint32_t capture, std::int64_t last) { files_[capture].last = last; }

  /// The first capture of those that this one goes on with.
  [[nodiscard]] std::uint32_t first_of(std::uint32_t capture) const noexcept {
    return capture < files_.size() ? files_[capture].first : capture;
  }
  /// How many captures go on with this one.
  [[nodiscard]] std::size_t count_behind(std::uint32_t capture) const noexcept;

 private:
  friend struct StateMembers;
  struct File {
    std::int64_t last = 0;  // time of the last frame
    std::uint32_t first = 0;
    bool has_begun = false;
  };

  void begin(const Frame& frame, const FrameSource& source);
  [[nodiscard]] std::optional<std::uint32_t> find_before(std::uint32_t capture) const;

  // By capture:
  std::vector<File> files_;
  std::vector<std::vector<std::string>> names_;  // capture_names()
};

}  // namespace rocescope
