#include "tracking/express/counted_times.hpp"

#include <utility>

namespace rocescope {

void CountedTimes::move_to(Histogram* histogram) {
  if (empty()) return;
  histogram->add(Histogram::Counted{.first = first_, .counts = counts_, .min = min_, .max = max_, .sum = sum_});
  *this = {};
}

void CountedTimes::add_elsewhere(std::uint64_t nanoseconds, std::uint16_t bucket, Histogram& histogram) {
  if (nanoseconds >= kLongest) return histogram.add(nanoseconds);
  const bool is_full = static_cast<std::size_t>(bucket) - first_ < kBuckets;
  if (!is_full && !empty()) {
    if (++elsewhere_ < kOften) return histogram.add(nanoseconds);
    elsewhere_ = 0;
    if (std::exchange(here_, 0) > kOften) return histogram.add(nanoseconds);
  }
  move_to(&histogram);
  constexpr std::uint16_t kHalf = kBuckets / 2;
  first_ = static_cast<std::uint16_t>(bucket - std::min(bucket, kHalf));
  add(nanoseconds, histogram);
}

}  // namespace rocescope
