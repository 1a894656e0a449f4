#include "rocescope/rate_series.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rocescope {
namespace {

constexpr double kSecond = 1e9;

/// Rounded down, also of times before 1970.
std::int64_t bucket_of(std::int64_t time, std::int64_t width) noexcept {
  return time / width - (time % width < 0 ? 1 : 0);
}

}  // namespace

void RateSeries::add(std::int64_t time, const Sent& sent, std::int64_t interval, std::size_t most) {
  if (empty()) {
    width_ = interval;
    first_ = bucket_of(time, width_);
    first_time_ = last_time_ = time;
  }
  first_time_ = std::min(first_time_, time);
  last_time_ = std::max(last_time_, time);
  std::int64_t bucket = bucket_of(time, width_);
  if (!buckets_.empty() || bucket != first_) {
    make_room(time, std::max(most, kFewestBuckets));
    bucket = bucket_of(time, width_);
    if (!buckets_.empty()) buckets_[static_cast<std::size_t>(bucket - first_)] += sent;
  }
  total_ += sent;
}

/// So that the bucket of `time` is there.
void RateSeries::make_room(std::int64_t time, std::size_t most) {
  if (buckets_.empty()) buckets_.push_back(total_);
  const auto spanned = [&] {
    const std::int64_t bucket = bucket_of(time, width_);
    const std::int64_t last = first_ + static_cast<std::int64_t>(buckets_.size()) - 1;
    return static_cast<std::uint64_t>(std::max(last, bucket)) - static_cast<std::uint64_t>(std::min(first_, bucket));
  };
  while (spanned() >= most) widen();
  const std::int64_t bucket = bucket_of(time, width_);
  if (bucket < first_) {
    buckets_.insert(buckets_.begin(), static_cast<std::size_t>(first_ - bucket), Sent{});
    first_ = bucket;
  }
  const auto index = static_cast<std::size_t>(bucket - first_);
  if (index >= buckets_.size()) buckets_.resize(index + 1);
}

/// Pairs become one.
void RateSeries::widen() {
  const std::int64_t first = first_ >> 1;  // rounds down
  std::size_t size = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const auto to = static_cast<std::size_t>(((first_ + static_cast<std::int64_t>(i)) >> 1) - first);
    const Sent bucket = buckets_[i];
    if (to == size) {
      buckets_[size++] = bucket;
    } else {
      buckets_[to] += bucket;
    }
  }
  buckets_.resize(size);
  first_ = first;
  width_ *= 2;
}

std::int64_t RateSeries::start() const noexcept {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  if (empty()) return 0;
  return first_ < kLowest / width_ ? kLowest : first_ * width_;
}

double RateSeries::average(std::uint64_t Sent::*what) const noexcept {
  const auto passed = static_cast<std::uint64_t>(last_time_) - static_cast<std::uint64_t>(first_time_);
  if (passed == 0) return 0;
  return std::min(static_cast<double>(total_.*what) * kSecond / static_cast<double>(passed), peak(what));
}

double RateSeries::peak(std::uint64_t Sent::*what) const noexcept {
  std::uint64_t most = 0;
  for (const Sent& bucket : buckets()) most = std::max(most, bucket.*what);
  return empty() ? 0 : static_cast<double>(most) * kSecond / static_cast<double>(width_);
}

double RateSeries::amplification() const noexcept {
  return total_.goodput_bytes == 0
             ? 0
             : static_cast<double>(total_.payload_bytes) / static_cast<double>(total_.goodput_bytes);
}

}  // namespace rocescope
