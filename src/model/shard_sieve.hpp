// What a shard leaves to others, so that a source need not give it: each frame is looked at once, where it is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/express_reason.hpp"
#include "model/express_shape.hpp"
#include "rocescope/address.hpp"
#include "rocescope/detail/shard.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// One of so many PSNs has packets that are always looked at for copies.
inline constexpr std::uint32_t kSampledPsns = 64;
/// Whether it is one of these. They are spread: where all messages have one size, the PSNs of their answers lie at equal distances, and some
/// of these are among them too.
[[nodiscard]] constexpr bool is_sampled(Psn psn) noexcept {
  constexpr std::uint32_t kSpread = 0x9E37'79B1;  // 2^32 divided by the golden ratio
  constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max() / kSampledPsns;
  return psn.value() * kSpread <= kLast;
}

/// The times of frames that follow each other.
struct FrameTimes {
  std::int64_t first = 0;  ///< of the first one
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  std::int64_t latest = std::numeric_limits<std::int64_t>::min();
  std::uint64_t back = 0;   ///< frames with an earlier time than the one before
  std::uint64_t count = 0;  ///< frames
};

[[nodiscard]] inline FrameTimes times_of(std::span<const Frame> frames) noexcept {
  FrameTimes times;
  times.count = frames.size();
  if (!frames.empty()) times.first = frames.front().timestamp;
  for (const Frame& frame : frames) {
    times.back += frame.timestamp < times.last ? 1U : 0U;
    times.earliest = std::min(times.earliest, frame.timestamp);
    times.latest = std::max(times.latest, frame.timestamp);
    times.last = frame.timestamp;
  }
  return times;
}

/// Leaves out packets that only other shards follow, and from which nothing is learned.
class ShardSieve {
 public:
  /// `parts`: those of the host pairs that the shard follows, a bit for each: host_part().
  explicit ShardSieve(std::uint64_t parts) noexcept : parts_(parts) {}

  /// Before frames of one interface. `placed`: a bit for each shape of the express lane. From packets of these shapes
  /// nothing is learned but by their sampled PSNs.
  void begin(unsigned placed) noexcept {
    placed_ = placed;
    times_ = {};
    others_.clear();
  }
  /// Frames of Ethernet, in their order; it is a variable of the function that reads them.
  class Pass {
   public:
    explicit Pass(ShardSieve& sieve) noexcept : sieve_(sieve), parts_(sieve.parts_), placed_(sieve.placed_) {}
    /// Whether the frame is left out; else it is the `place`th of those that are given, from 0.
    [[nodiscard, gnu::always_inline]] bool leaves_out(ExpressBytes frame, std::int64_t time,
                                                      std::size_t place) noexcept {
      if (time < last_) [[unlikely]] {
        latest_ = std::max(latest_, last_);
        earliest_ = std::min(earliest_, time);
        ++back_;
      }
      last_ = time;
      const Look look = look_at(frame.data, frame.captured, frame.original, time, parts_, placed_);
      if (look == Look::kOfOthers) [[unlikely]]
        sieve_.others_.push_back(static_cast<std::uint32_t>(place));
      return look == Look::kLeftOut;
    }
    /// `count` frames were looked at.
    void end(std::int64_t first, std::uint64_t count) noexcept {
      sieve_.times_ = {.first = first,
                       .earliest = std::min(first, earliest_),
                       .last = last_,
                       .latest = std::max(latest_, last_),
                       .back = back_,
                       .count = count};
    }

   private:
    ShardSieve& sieve_;
    std::uint64_t parts_;
    unsigned placed_;
    std::int64_t last_ = std::numeric_limits<std::int64_t>::min();
    std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();
    std::int64_t earliest_ = std::numeric_limits<std::int64_t>::max();
    std::uint64_t back_ = 0;
  };

  /// Since begin().
  [[nodiscard]] const FrameTimes& times() const noexcept { return times_; }
  /// The places of frames that were given though they are of others: they have the shape of packets that may take the express lane.
  [[nodiscard]] const std::vector<std::uint32_t>& others() const noexcept { return others_; }

 private:
  enum class Look : std::uint8_t { kGiven, kOfOthers, kLeftOut };

  /// A function of its own, with all that it needs in registers.
  [[nodiscard, gnu::noinline, gnu::flatten]] static Look look_at(const std::uint8_t* data, std::size_t captured,
                                                                 std::uint32_t original, std::int64_t time,
                                                                 std::uint64_t parts, unsigned placed) noexcept {
    Look look = Look::kGiven;
    const ExpressBytes frame{data, captured, original};
    static_cast<void>(with_express_shape(frame, time, [&](auto shape, std::uint8_t number) {
      using Shape = decltype(shape);
      if (!Shape::has_plain_ip(frame)) return ExpressReason::kShape;
      if ((parts >> part_of<Shape>(data + Shape::kNetwork) & 1U) != 0) return ExpressReason::kShape;
      const ExpressReason reason = Shape::reason_behind_ip(frame);
      if (reason != ExpressReason::kNone) return reason;
      const bool is_looked_at =
          (placed >> number & 1U) == 0 || is_sampled(Psn(load_number<std::uint32_t>(data + Shape::kBth + 8)));
      look = is_looked_at ? Look::kOfOthers : Look::kLeftOut;
      return reason;
    }));
    return look;
  }

  template <class Shape>
  [[nodiscard]] static std::uint32_t part_of(const std::uint8_t* ip) noexcept {
    if constexpr (Shape::kIsIpv6) {
      return host_part(IpAddress::v6(Ipv6(ip).source()), IpAddress::v6(Ipv6(ip).destination()));
    } else {
      return host_part(IpAddress::v4(Ipv4(ip).source()), IpAddress::v4(Ipv4(ip).destination()));
    }
  }

  std::uint64_t parts_;
  unsigned placed_ = 0;
  FrameTimes times_;
  std::vector<std::uint32_t> others_;
};

}  // namespace rocescope
