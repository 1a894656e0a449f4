#include "analysis/points/file_rings.hpp"

#include <algorithm>
#include <span>

#include "analysis/points/copy_watch.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/capture_names.hpp"

namespace rocescope {
namespace {

const CaptureInterface* find_interface(std::span<const CaptureInfo> captures, const InterfaceOf& interface) {
  const auto& interfaces = captures[interface.capture].interfaces;
  return interface.number < interfaces.size() ? &interfaces[interface.number] : nullptr;
}

}  // namespace

InterfaceOf FileRings::first_of(const InterfaceOf& interface) const {
  const auto found = firsts_.find(interface);
  return found == firsts_.end() ? interface : found->second;
}

std::size_t FileRings::count_behind(const InterfaceOf& interface) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      firsts_, [&](const auto& each) { return each.second == interface && each.first != interface; }));
}

void FileRings::begin(const InterfaceOf& interface, std::int64_t time, const FrameSource& source) {
  last_ = interface;
  for (std::size_t i = files_.size(); i <= interface.capture; ++i)
    files_.push_back({.first = static_cast<std::uint32_t>(i)});
  if (!files_[interface.capture].has_begun) begin(interface.capture, time, source);
  if (firsts_.size() >= kMostInterfaces || firsts_.contains(interface)) return;
  InterfaceOf& first = firsts_[interface] = interface;
  const std::span<const CaptureInfo> captures = source.info();
  const std::optional<std::uint32_t> before = files_[interface.capture].before;
  if (!before) return;
  const CaptureInterface* const its = find_interface(captures, interface);
  const auto end = firsts_.lower_bound({*before + 1, 0});
  for (auto each = firsts_.lower_bound({*before, 0}); each != end; ++each) {
    const CaptureInterface* const other = find_interface(captures, each->first);
    if (its == nullptr || other == nullptr || its->name != other->name || its->link_type != other->link_type) continue;
    if (its->name.empty() && each->first.number != interface.number) continue;
    first = each->second;
    return;
  }
}

void FileRings::begin(std::uint32_t capture, std::int64_t time, const FrameSource& source) {
  files_[capture].has_begun = true;
  const std::span<const CaptureInfo> captures = source.info();
  if (capture >= captures.size()) return;
  std::optional<std::uint32_t> before;
  for (std::uint32_t i = 0; i < std::min(files_.size(), captures.size()); ++i) {
    const bool is_later = !before || files_[i].last > files_[*before].last;
    if (i == capture || !files_[i].has_begun || !is_later) continue;
    if (are_rotated(captures[i].path, captures[capture].path)) before = i;
  }
  if (!before || !source.has_ended(*before)) return;
  const std::int64_t gap = elapsed(files_[*before].last, time);
  if (gap < 0 || gap > CopyWatch::kLongest) return;  // no copies come as late
  files_[capture].before = before;
  files_[capture].first = files_[*before].first;
}

}  // namespace rocescope
