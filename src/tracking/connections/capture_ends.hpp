// When captures end that are read together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace rocescope {

/// Captures of one run end at different times: what did not come until the end of one, another one does not show. A capture goes on in
/// another one that begins behind it if only numbers tell their names apart, as those of files that tcpdump and dumpcap rotate.
class CaptureEnds {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  /// The captures, by Frame::capture_id. Of one alone nothing is asked.
  void name(const std::vector<std::string>& paths);
  /// The capture has a frame with this time, ns since 1970.
  void pass(std::uint32_t capture, std::int64_t time) {
    if (capture >= spans_.size()) spans_.resize(capture + std::size_t{1});
    Span& span = spans_[capture];
    if (time < span.first || time >= span.next) is_chained_ = false;
    if (time < span.first) span.first = time;
    if (time > span.last) span.last = time;
  }
  /// The latest time so far of a frame of the capture, or of those that it goes on in; kNever where there is no other capture.
  [[nodiscard]] std::int64_t end_of(std::uint32_t capture) const;

 private:
  friend struct StateMembers;
  /// So much times of captures may go back, also from one to the next.
  static constexpr std::int64_t kWindow = 100'000'000;  // ns

  struct Span {
    std::int64_t first = kNever;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    // Of chain():
    std::int64_t next = kNever;  // it goes on in another one unless it lasts until then
    std::uint32_t final = 0;     // the last one of those
    [[nodiscard]] bool has_frames() const noexcept { return first <= last; }
  };
  void chain() const;

  /// By capture: capture_names().
  std::vector<std::vector<std::string>> names_;
  mutable std::vector<Span> spans_;
  mutable bool is_chained_ = false;
};

}  // namespace rocescope
