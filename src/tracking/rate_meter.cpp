#include "rocescope/detail/rate_meter.hpp"

#include <algorithm>

namespace rocescope {

void RateMeter::add(std::int64_t time, std::uint64_t bytes, std::int64_t window) noexcept {
  const std::int64_t width = width_of(window);
  if (is_in_newest(time, width)) {
    bytes_[index_of(newest_)] += bytes;
    return;
  }
  const std::int64_t slot = slot_of(time, width);
  if (!started_ || slot <= newest_ - kParts) {  // time went back: what was before is no guide
    *this = {};
    started_ = true;
    newest_ = slot;
    since_ = time;
  }
  if (slot > newest_) {
    const auto passed = static_cast<std::uint64_t>(slot) - static_cast<std::uint64_t>(newest_);
    if (passed >= kSlots) {
      bytes_ = {};
    } else {
      std::size_t index = index_of(newest_);
      for (std::uint64_t i = 0; i < passed; ++i) bytes_[index = index + 1 == kSlots ? 0 : index + 1] = 0;
    }
    newest_ = slot;
  }
  bytes_[index_of(slot)] += bytes;
}

std::uint64_t RateMeter::before(std::int64_t time, std::int64_t window) const noexcept {
  const std::int64_t width = width_of(window);
  const std::int64_t slot = slot_of(time, width);
  if (!started_ || slot < newest_ || slot - newest_ >= kParts + 1) return 0;
  std::uint64_t sum = 0;
  for (std::int64_t each = slot - kParts + 1; each <= newest_; ++each) sum += bytes_[index_of(each)];
  const std::int64_t oldest = slot - kParts;
  if (oldest > newest_ - static_cast<std::int64_t>(kSlots)) {
    const std::int64_t into = time % width;
    const auto outside =
        static_cast<std::uint64_t>(into < 0 ? into + width : into);  // of the oldest part, at its beginning
    const std::uint64_t bytes = bytes_[index_of(oldest)];
    sum += bytes * (static_cast<std::uint64_t>(width) - outside) / static_cast<std::uint64_t>(width);
  }
  return sum;
}

}  // namespace rocescope
