#include "analysis/points/file_rings.hpp"

#include <algorithm>
#include <span>

#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/capture_names.hpp"

namespace rocescope {

std::size_t FileRings::count_behind(std::uint32_t capture) const noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (i != capture && files_[i].has_begun && files_[i].first == capture) ++count;
  }
  return count;
}

void FileRings::begin(const Frame& frame, const FrameSource& source) {
  constexpr std::int64_t kLongestGap = 100'000'000;  // ns: copies of what came before a longer one come before it too
  const std::uint32_t capture = frame.capture_id;
  for (std::size_t i = files_.size(); i <= capture; ++i) files_.push_back({.first = static_cast<std::uint32_t>(i)});
  files_[capture].has_begun = true;
  const std::span<const CaptureInfo> captures = source.info();
  for (std::size_t i = names_.size(); i < captures.size(); ++i) names_.push_back(capture_names(captures[i].path));
  if (capture >= names_.size()) return;
  const std::optional<std::uint32_t> before = find_before(capture);
  if (!before || !source.has_ended(*before)) return;
  const std::int64_t gap = elapsed(files_[*before].last, frame.timestamp);
  if (gap >= 0 && gap <= kLongestGap) files_[capture].first = files_[*before].first;
}

/// Of the captures that have begun, the one whose name is the most alike; of several, the one that went on the longest.
std::optional<std::uint32_t> FileRings::find_before(std::uint32_t capture) const {
  std::optional<std::uint32_t> best;
  std::size_t most_in_common = 1;
  for (std::uint32_t i = 0; i < std::min(files_.size(), names_.size()); ++i) {
    if (i == capture || !files_[i].has_begun) continue;
    const std::size_t in_common = names_in_common(names_[i], names_[capture]);
    if (in_common < most_in_common) continue;
    if (best && in_common == most_in_common && files_[i].last <= files_[*best].last) continue;
    best = i;
    most_in_common = in_common;
  }
  return best;
}

}  // namespace rocescope
