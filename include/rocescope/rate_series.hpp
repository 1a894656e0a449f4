// How much was sent when.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/detail/box.hpp"

namespace rocescope {

/// What was sent in a length of time. Copies that the capture made are left out.
struct Sent {
  std::uint64_t packets = 0;
  std::uint64_t wire_bytes = 0;     ///< whole frames
  std::uint64_t payload_bytes = 0;  ///< of messages, without headers and pad
  std::uint64_t goodput_bytes = 0;  ///< payload not seen before, without packets whose ICRC is wrong
  std::uint64_t resent_bytes = 0;   ///< payload of what had been seen before
  std::uint64_t messages = 0;       ///< that ended, of the sender's requests

  Sent& operator+=(const Sent& other) noexcept {
    packets += other.packets;
    wire_bytes += other.wire_bytes;
    payload_bytes += other.payload_bytes;
    goodput_bytes += other.goodput_bytes;
    resent_bytes += other.resent_bytes;
    messages += other.messages;
    return *this;
  }
};

/// Sums over buckets of time. Exact: each bucket has all that was sent from its start, a whole multiple of width(), on and
/// before the next one's. Starts with buckets of the interval asked for; where that would take too many, all become twice
/// as wide, until they suffice. Takes no memory of its own while everything is in one bucket, nor where it may have but one,
/// which is as wide as the time from the first to the last then, and at least as the interval.
class RateSeries {
 public:
  static constexpr std::size_t kMostBuckets = 1024;
  /// With so many, widths that span all 64-bit times fit in 64 bits as well.
  static constexpr std::size_t kFewestBuckets = 16;

  /// At `time`, nanoseconds since 1970. `interval` in nanoseconds, at least 1: the width of the first buckets.
  /// `most` is how many buckets there may be; fewer than kFewestBuckets are taken for one.
  void add(std::int64_t time, const Sent& sent, std::int64_t interval, std::size_t most = kMostBuckets);
  /// The same where `time` is in the last bucket, as it nearly always is; with the interval and the limit of the last add().
  /// False: it is not, or expect_other_limit() was said, and nothing was added.
  [[nodiscard]] bool add_to_last(std::int64_t time, const Sent& sent) noexcept {
    if (time < 0 || static_cast<std::uint64_t>(time) - last_start_ >= last_width_) return false;
    first_time_ = std::min(first_time_, time);
    last_time_ = std::max(last_time_, time);
    last_ += sent;
    return true;
  }

  /// No more buckets than that, as if it had been the limit from the start; none that is more than that of all add().
  void limit(std::int64_t interval, std::size_t most);
  /// Adds those of `other`, of the same interval. Neither may have a limit below kFewestBuckets; `most` is that of both.
  void merge(const RateSeries& other, std::size_t most = kMostBuckets);

  /// The next limit may not be that of the last add().
  void expect_other_limit() noexcept { last_width_ = 0; }

  [[nodiscard]] bool empty() const noexcept { return width_ == 0; }
  [[nodiscard]] Sent total() const noexcept;
  [[nodiscard]] std::int64_t first_time() const noexcept { return first_time_; }  ///< the earliest
  [[nodiscard]] std::int64_t last_time() const noexcept { return last_time_; }    ///< the latest
  [[nodiscard]] std::int64_t width() const noexcept;                              ///< of a bucket, ns; 0 while empty()
  /// Of the first bucket, nanoseconds since 1970; below the lowest 64-bit number it is that.
  [[nodiscard]] std::int64_t start() const noexcept;
  /// From the first to the last in which something was sent. Last until the next add(). The first call after one brings the last
  /// bucket up to date, and so does what follows here: not for two threads at once.
  [[nodiscard]] std::span<const Sent> buckets() const {
    if (empty()) return {};
    std::vector<Sent>* const buckets = buckets_.get();
    if (buckets == nullptr) return {&last_, 1};
    buckets->back() = last_;
    return *buckets;
  }

  /// Units of `what` in a second, over the time from the first to the last; 0 where that is no time. Never above peak():
  /// what lasted for less than a bucket or two is taken over whole buckets, as the peak is.
  [[nodiscard]] double average(std::uint64_t Sent::*what) const;
  /// The same, in the bucket with the most.
  [[nodiscard]] double peak(std::uint64_t Sent::*what) const;
  /// Payload sent for each byte of goodput; 0 without any.
  [[nodiscard]] double amplification() const noexcept;

 private:
  friend struct PrivateMembers;
  friend struct StateMembers;
  static constexpr std::int64_t kWhole = -1;

  void take_whole(std::int64_t interval);
  [[nodiscard]] Sent& make_room(std::vector<Sent>& buckets, std::int64_t time, std::size_t most);
  void widen(std::vector<Sent>& buckets);
  void find_last() noexcept;

  Sent last_;                     // the last bucket, to which nearly everything goes
  std::uint64_t last_start_ = 0;  // of it, where that is not before 1970
  std::uint64_t last_width_ = 0;  // its width; 0: add_to_last() has to say no
  std::int64_t first_time_ = 0;
  std::int64_t last_time_ = 0;

  /// All of them, while there are several; there the last one is brought up to date when it is read.
  mutable Box<std::vector<Sent>> buckets_;
  std::int64_t width_ = 0;  // kWhole: there may be one only
  std::int64_t first_ = 0;  // number of the first bucket: its start divided by the width; of kWhole: the interval
};

/// What one host sends another.
struct HostRates {
  IpAddress source;
  IpAddress destination;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels
  RateSeries rates;
  std::uint64_t order = 0;  ///< in which they were met: the number of the frame, and the place within it
};

}  // namespace rocescope
