// How many commands were outstanding when.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace rocescope {

/// The commands that were outstanding in a length of time.
struct Depth {
  std::uint64_t most = 0;          ///< at once
  std::uint64_t command_time = 0;  ///< nanoseconds in which each was outstanding, added up over the commands

  friend bool operator==(const Depth&, const Depth&) = default;
};

/// Over buckets of time, each from a whole multiple of their width on.
struct DepthSeries {
  std::int64_t start = 0;  ///< of the first bucket, nanoseconds since 1970
  std::int64_t width = 0;  ///< of a bucket, nanoseconds
  std::vector<Depth> buckets;

  [[nodiscard]] bool empty() const noexcept { return buckets.empty(); }
};

/// Follows how many commands of a connection are outstanding. Bounded: where there would be too many buckets, all become twice as wide.
/// What ends a command may be known later than what came behind it: settle() says how far all is known. Exact as long as is_known() says
/// so: where the time of the capture goes back, it is unknown.
class DepthMeter {
 public:
  static constexpr std::size_t kMostBuckets = 128;
  static constexpr std::int64_t kInterval = 1'000'000;   ///< nanoseconds: the width of the first buckets
  static constexpr std::int64_t kMostBack = 10'000'000;  ///< nanoseconds: by so much packets may stand in a wrong order
  /// Times from 1970 on for 146 years; what happens at others is taken to happen at the nearest of these.
  static constexpr std::int64_t kLatest = (std::int64_t{1} << 62) - 1;

  explicit DepthMeter(std::int64_t interval = kInterval) { series_.width = interval; }

  /// What happens at the same time happens in the order of the packets; of the same packet, beginnings come first.
  void begin(std::int64_t time, std::uint64_t packet) { add({clamp(time), 2 * packet}); }
  /// A command that began at `begun` ends.
  void end(std::int64_t begun, std::int64_t time, std::uint64_t packet) {
    is_known_ = is_known_ && clamp(begun) - clamp(time) <= kMostBack;
    add({clamp(time), 2 * packet + 1});
  }
  /// A packet comes now.
  void pass(std::int64_t time) noexcept {
    is_known_ = is_known_ && latest_ - clamp(time) <= kMostBack;
    now_ = clamp(time);
    latest_ = std::max(latest_, now_);
  }
  /// When the last packet came.
  [[nodiscard]] std::int64_t now() const noexcept { return now_; }
  /// The latest time so far.
  [[nodiscard]] std::int64_t latest() const noexcept { return latest_; }
  [[nodiscard]] bool is_known() const noexcept { return is_known_; }
  /// Whether so much waits that settle() is worth its time.
  [[nodiscard]] bool is_due() const noexcept { return waiting_.size() >= due_; }
  /// All that happened before `until` is known.
  void settle(std::int64_t until) {
    sort();
    if (waiting_.size() >= kMostWaiting) until = std::numeric_limits<std::int64_t>::max();
    const auto end = std::partition_point(waiting_.begin(), waiting_.end(),
                                          [&](const Change& change) { return change.time < until; });
    if (end != waiting_.begin()) make_wide_enough(waiting_.front().time, std::prev(end)->time);
    for (auto next = waiting_.begin(); next != end; ++next) take(*next);
    waiting_.erase(waiting_.begin(), end);
    due_ = std::max(kFewest, 2 * waiting_.size());
  }
  /// What was settled.
  [[nodiscard]] const DepthSeries& series() const noexcept { return series_; }
  /// The same; nothing more comes.
  [[nodiscard]] DepthSeries take_series() noexcept { return std::move(series_); }
  /// At once, of that.
  [[nodiscard]] std::uint64_t most() const noexcept {
    std::uint64_t most = 0;
    for (const Depth& bucket : series_.buckets) most = std::max(most, bucket.most);
    return most;
  }

 private:
  friend struct StateMembers;
  static constexpr std::size_t kFewest = 64;
  static constexpr std::size_t kMostWaiting = 16'384;
  struct Change {
    std::int64_t time = 0;
    std::uint64_t place = 0;  ///< among those of this time: twice the number of the packet; for an end, one more

    [[nodiscard]] bool is_begin() const noexcept { return place % 2 == 0; }
  };

  [[nodiscard]] static std::int64_t clamp(std::int64_t time) noexcept {
    return std::clamp<std::int64_t>(time, 0, kLatest);
  }
  void add(Change change) {
    constexpr std::size_t kSome = 16;
    latest_ = std::max(latest_, change.time);
    if (waiting_.capacity() == 0) waiting_.reserve(kSome);
    waiting_.push_back(change);
  }
  [[nodiscard]] static bool is_before(const Change& a, const Change& b) noexcept {
    return a.time != b.time ? a.time < b.time : a.place < b.place;
  }
  /// They come nearly in order: each goes a few places back.
  void sort() {
    std::size_t left = 8 * waiting_.size();  // steps, after which another way is quicker
    for (std::size_t i = 1; i < waiting_.size(); ++i) {
      const Change change = waiting_[i];
      std::size_t to = i;
      for (; to > 0 && left > 0 && is_before(change, waiting_[to - 1]); --to, --left) waiting_[to] = waiting_[to - 1];
      waiting_[to] = change;
    }
    if (left == 0) std::sort(waiting_.begin(), waiting_.end(), is_before);
  }
  void take(const Change& change) {
    is_known_ = is_known_ && change.time >= time_;
    const std::int64_t time = std::max(change.time, time_);
    if (time - last_start() >= series_.width) reach(time);
    Depth& last = series_.buckets.back();
    add_time(time, last);
    outstanding_ += change.is_begin() ? 1 : -1;
    if (change.is_begin()) last.most = std::max(last.most, std::max<std::uint64_t>(outstanding(), 1));
  }
  [[nodiscard]] std::uint64_t outstanding() const noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(outstanding_, 0));
  }
  [[nodiscard]] std::int64_t last_start() const noexcept {
    return series_.start + static_cast<std::int64_t>(series_.buckets.size() - 1) * series_.width;
  }
  void begin_series(std::int64_t time) {
    series_.start = time / series_.width * series_.width;
    series_.buckets.resize(1);
    time_ = time;
  }
  /// Makes the buckets wide enough for changes from `first` to `last`, while there are few of them.
  void make_wide_enough(std::int64_t first, std::int64_t last) {
    if (series_.empty()) begin_series(std::max(first, time_));
    while ((last - series_.start) / series_.width >= static_cast<std::int64_t>(kMostBuckets)) widen();
    const auto buckets = static_cast<std::size_t>((std::max(last, series_.start) - series_.start) / series_.width) + 1;
    constexpr std::size_t kSome = 16;  // there may be a series for each of very many connections
    if (buckets > series_.buckets.capacity()) series_.buckets.reserve((buckets + kSome - 1) / kSome * kSome);
  }
  /// Makes the buckets up to that of `time`. These are not too many.
  void reach(std::int64_t time) {
    const auto size = static_cast<std::size_t>((time - series_.start) / series_.width) + 1;
    add_time(last_start() + series_.width, series_.buckets.back());
    const std::uint64_t now = outstanding();
    if (size > series_.buckets.size() + 1)
      series_.buckets.resize(size - 1,
                             {.most = now, .command_time = product(static_cast<std::uint64_t>(series_.width), now)});
    series_.buckets.push_back({.most = now});
    time_ = last_start();
  }
  void add_time(std::int64_t until, Depth& bucket) {
    bucket.command_time = sum(bucket.command_time, product(static_cast<std::uint64_t>(until - time_), outstanding()));
    time_ = until;
  }
  // The largest number stands for all that are larger.
  [[nodiscard]] static std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t all = 0;
    return __builtin_add_overflow(a, b, &all) ? std::numeric_limits<std::uint64_t>::max() : all;
  }
  [[nodiscard]] static std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t all = 0;
    return __builtin_mul_overflow(a, b, &all) ? std::numeric_limits<std::uint64_t>::max() : all;
  }
  /// Pairs become one.
  void widen() {
    std::vector<Depth>& buckets = series_.buckets;
    const std::size_t shift = series_.start / series_.width % 2 == 0 ? 0 : 1;  // the first is the second of its pair
    std::size_t to = shift;
    for (std::size_t i = shift; i < buckets.size(); i += 2) {
      const Depth second = i + 1 < buckets.size() ? buckets[i + 1] : Depth();
      buckets[to++] = {.most = std::max(buckets[i].most, second.most),
                       .command_time = sum(buckets[i].command_time, second.command_time)};
    }
    buckets.resize(to);
    if (shift != 0) series_.start -= series_.width;
    series_.width *= 2;
  }

  DepthSeries series_;
  std::int64_t time_ = 0;         // until when it is settled
  std::int64_t outstanding_ = 0;  // since then; less than 0 where one ends when it begins, until that is taken
  std::vector<Change> waiting_;
  std::size_t due_ = kFewest;  // of these
  std::int64_t now_ = 0;
  std::int64_t latest_ = 0;
  bool is_known_ = true;
};

}  // namespace rocescope
