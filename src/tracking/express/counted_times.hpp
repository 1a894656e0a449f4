// Times that are in no histogram yet.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/times.hpp"

namespace rocescope {

/// Most times of a kind have the magnitude of those before. So two cache lines count them by the buckets of their
/// histogram, without a search for the bucket. A time outside of these buckets goes to the histogram at once; if many
/// do, the two lines move to their buckets.
class alignas(64) CountedTimes {
 public:
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 32;

  /// `histogram`: to which the times go in the end.
  void add(std::uint64_t nanoseconds, Histogram& histogram) {
    const std::uint16_t bucket = Histogram::bucket_of(nanoseconds);
    const auto place = static_cast<std::size_t>(bucket) - first_;  // one before the first is far behind the last
    if (place >= kBuckets || counts_[place] == kMost || nanoseconds >= kLongest) [[unlikely]]
      return add_elsewhere(nanoseconds, bucket, histogram);
    ++counts_[place];
    ++here_;
    const auto ns = static_cast<std::uint32_t>(nanoseconds);
    min_ = std::min(min_, ns);
    max_ = std::max(max_, ns);
    sum_ += ns;
  }
  /// Moves all times to `histogram`, which may be null if there are none.
  void move_to(Histogram* histogram);

 private:
  static constexpr std::size_t kBuckets = 106;  // more than three octaves
  static constexpr std::uint8_t kMost = 255;
  static constexpr std::uint8_t kOften = 16;

  [[nodiscard]] bool empty() const noexcept { return min_ > max_; }
  void add_elsewhere(std::uint64_t nanoseconds, std::uint16_t bucket, Histogram& histogram);

  std::uint64_t sum_ = 0;
  std::uint32_t min_ = 0xFFFFFFFF;
  std::uint32_t max_ = 0;
  std::uint16_t first_ = 0;     // bucket
  std::uint8_t elsewhere_ = 0;  // times, since it was asked whether the lines should move
  std::uint8_t here_ = 0;       // the same, without a multiple of 256
  std::array<std::uint8_t, kBuckets> counts_{};
};
static_assert(sizeof(CountedTimes) == 128);

}  // namespace rocescope
