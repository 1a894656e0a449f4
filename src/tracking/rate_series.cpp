#include "rocescope/rate_series.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rocescope {
namespace {

constexpr double kSecond = 1e9;

/// Rounded down, also of times before 1970.
std::int64_t bucket_of(std::int64_t time, std::int64_t width) noexcept {
  const std::int64_t bucket = time / width;
  return bucket - (bucket * width > time ? 1 : 0);
}

}  // namespace

void RateSeries::add(std::int64_t time, const Sent& sent, std::int64_t interval, std::size_t most) {
  if (empty()) {
    width_ = interval;
    first_ = bucket_of(time, width_);
    first_time_ = last_time_ = time;
  }
  if (most < kFewestBuckets && width_ != kWhole) take_whole(interval);
  find_last();
  std::vector<Sent>* const buckets = buckets_.get();
  const bool fits = buckets == nullptr || buckets->size() <= most;
  if (fits && add_to_last(time, sent)) return;
  first_time_ = std::min(first_time_, time);
  last_time_ = std::max(last_time_, time);
  if (width_ == kWhole || (buckets == nullptr && bucket_of(time, width_) == first_)) {
    last_ += sent;
    return;
  }
  std::vector<Sent>& all = buckets_.make();
  if (all.empty()) all.emplace_back();
  all.back() = last_;
  make_room(all, time, most) += sent;
  last_ = all.back();
  find_last();
}

void RateSeries::limit(std::int64_t interval, std::size_t most) {
  if (empty() || width_ == kWhole) return;
  std::vector<Sent>* const buckets = buckets_.get();
  if (most < kFewestBuckets) {
    take_whole(interval);
  } else if (buckets != nullptr && buckets->size() > most) {
    buckets->back() = last_;
    while (buckets->size() > most) widen(*buckets);
    last_ = buckets->back();
  }
  find_last();
}

void RateSeries::merge(const RateSeries& other, std::size_t most) {
  if (other.empty()) return;
  if (empty()) return void(*this = other);
  RateSeries more = other;
  const auto all = [](RateSeries& series) -> std::vector<Sent>& {
    std::vector<Sent>& buckets = series.buckets_.make();
    if (buckets.empty()) buckets.emplace_back();
    buckets.back() = series.last_;
    return buckets;
  };
  std::vector<Sent>& own = all(*this);
  std::vector<Sent>& added = all(more);
  while (width_ < more.width_) widen(own);
  while (more.width_ < width_) more.widen(added);
  const auto last = [](const RateSeries& series, const std::vector<Sent>& buckets) {
    return series.first_ + static_cast<std::int64_t>(buckets.size()) - 1;
  };
  const auto spanned = [&] {
    return static_cast<std::uint64_t>(std::max(last(*this, own), last(more, added))) -
           static_cast<std::uint64_t>(std::min(first_, more.first_));
  };
  while (spanned() >= most) {
    widen(own);
    more.widen(added);
  }
  if (more.first_ < first_) {
    own.insert(own.begin(), static_cast<std::size_t>(first_ - more.first_), Sent{});
    first_ = more.first_;
  }
  const auto start = static_cast<std::size_t>(more.first_ - first_);
  if (start + added.size() > own.size()) own.resize(start + added.size());
  for (std::size_t i = 0; i < added.size(); ++i) own[start + i] += added[i];
  first_time_ = std::min(first_time_, more.first_time_);
  last_time_ = std::max(last_time_, more.last_time_);
  last_ = own.back();
  find_last();
}

/// There may be one bucket only.
void RateSeries::take_whole(std::int64_t interval) {
  last_ = total();
  buckets_ = {};
  width_ = kWhole;
  first_ = interval;
}

/// From 1970 on only: before, differences of times need not fit in 64 bits.
void RateSeries::find_last() noexcept {
  constexpr std::uint64_t kEver = std::uint64_t{1} << 63;
  if (width_ == kWhole) {
    last_start_ = 0;
    last_width_ = kEver;
    return;
  }
  const std::size_t before = buckets_.get() == nullptr ? 0 : buckets_.get()->size() - 1;
  last_start_ = (static_cast<std::uint64_t>(first_) + before) * static_cast<std::uint64_t>(width_);
  last_width_ = first_ < 0 ? 0 : static_cast<std::uint64_t>(width_);
}

Sent RateSeries::total() const noexcept {
  Sent total;
  for (const Sent& bucket : buckets()) total += bucket;
  return total;
}

/// The bucket of `time`, made where there is none.
Sent& RateSeries::make_room(std::vector<Sent>& buckets, std::int64_t time, std::size_t most) {
  const auto spanned = [&] {
    const std::int64_t bucket = bucket_of(time, width_);
    const std::int64_t last = first_ + static_cast<std::int64_t>(buckets.size()) - 1;
    return static_cast<std::uint64_t>(std::max(last, bucket)) - static_cast<std::uint64_t>(std::min(first_, bucket));
  };
  while (spanned() >= most) widen(buckets);
  const std::int64_t bucket = bucket_of(time, width_);
  if (bucket < first_) {
    buckets.insert(buckets.begin(), static_cast<std::size_t>(first_ - bucket), Sent{});
    first_ = bucket;
  }
  const auto index = static_cast<std::size_t>(bucket - first_);
  if (index >= buckets.size()) buckets.resize(index + 1);
  return buckets[index];
}

/// Pairs become one.
void RateSeries::widen(std::vector<Sent>& buckets) {
  const std::int64_t first = first_ >> 1;  // rounds down
  std::size_t size = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const auto to = static_cast<std::size_t>(((first_ + static_cast<std::int64_t>(i)) >> 1) - first);
    const Sent bucket = buckets[i];
    if (to == size) {
      buckets[size++] = bucket;
    } else {
      buckets[to] += bucket;
    }
  }
  buckets.resize(size);
  first_ = first;
  width_ *= 2;
}

std::int64_t RateSeries::width() const noexcept {
  if (width_ != kWhole) return width_;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t passed = static_cast<std::uint64_t>(last_time_) - static_cast<std::uint64_t>(first_time_);
  return std::max(first_, static_cast<std::int64_t>(std::min(passed, kMost)));
}

std::int64_t RateSeries::start() const noexcept {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  if (empty()) return 0;
  if (width_ == kWhole) return first_time_;
  return first_ < kLowest / width_ ? kLowest : first_ * width_;
}

double RateSeries::average(std::uint64_t Sent::*what) const {
  const auto passed = static_cast<std::uint64_t>(last_time_) - static_cast<std::uint64_t>(first_time_);
  if (passed == 0) return 0;
  return std::min(static_cast<double>(total().*what) * kSecond / static_cast<double>(passed), peak(what));
}

double RateSeries::peak(std::uint64_t Sent::*what) const {
  std::uint64_t most = 0;
  for (const Sent& bucket : buckets()) most = std::max(most, bucket.*what);
  return empty() ? 0 : static_cast<double>(most) * kSecond / static_cast<double>(width());
}

double RateSeries::amplification() const noexcept {
  const Sent all = total();
  return all.goodput_bytes == 0 ? 0 : static_cast<double>(all.payload_bytes) / static_cast<double>(all.goodput_bytes);
}

}  // namespace rocescope
