// Files that go on where others ended: captures that tcpdump or dumpcap rotated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "rocescope/capture.hpp"
#include "rocescope/frame.hpp"

namespace rocescope {

/// An interface of a capture.
struct InterfaceOf {
  std::uint32_t capture = 0;
  std::uint32_t number = 0;
  friend auto operator<=>(const InterfaceOf&, const InterfaceOf&) noexcept = default;
};

/// Finds captures that are one capture in several files: their names form a ring (are_rotated()), and one begins where
/// the other ended.
class FileRings {
 public:
  /// Call with the frames in their order, each as soon as `source` gave it. If it gave several at once, call pass()
  /// with the time of the last one.
  void observe(const Frame& frame, const FrameSource& source) {
    const InterfaceOf interface { frame.capture_id, frame.interface_id };
    if (!last_ || *last_ != interface) begin(interface, frame.timestamp, source);
    files_[frame.capture_id].last = frame.timestamp;
  }
  void pass(std::uint32_t capture, std::int64_t last) { files_[capture].last = last; }

  /// The first of the captures that this one continues.
  [[nodiscard]] std::uint32_t first_of(std::uint32_t capture) const noexcept {
    return capture < files_.size() ? files_[capture].first : capture;
  }
  /// The interface with the same name in the first of these captures that has frames of it.
  [[nodiscard]] InterfaceOf first_of(const InterfaceOf& interface) const;
  /// How many captures go on with this interface, which is the first one.
  [[nodiscard]] std::size_t count_behind(const InterfaceOf& interface) const noexcept;

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostInterfaces = 65'536;  // further ones are each by itself
  struct File {
    std::int64_t last = 0;  // time of the last frame
    std::uint32_t first = 0;
    std::optional<std::uint32_t> before{};  // the capture that it goes on with
    bool has_begun = false;
  };

  void begin(const InterfaceOf& interface, std::int64_t time, const FrameSource& source);
  void begin(std::uint32_t capture, std::int64_t time, const FrameSource& source);

  std::vector<File> files_;                    // by capture
  std::map<InterfaceOf, InterfaceOf> firsts_;  // first_of()
  std::optional<InterfaceOf> last_;            // of the frame that was shown last
};

}  // namespace rocescope
