// Time stamps of pcapng: ticks of any power of ten or two, counted from any second.
#pragma once

#include <cstdint>
#include <limits>

namespace rocescope {

/// What the if_tsresol and if_tsoffset options of an interface say (draft-ietf-opsawg-pcapng, 4.2).
class PcapngTime {
 public:
  /// Microseconds since 1970, as when the options are missing.
  constexpr PcapngTime() noexcept : PcapngTime(6, 0) {}
  /// `resolution`: the byte of if_tsresol: ticks of 10^-n s, or of 2^-n s when its highest bit is set.
  constexpr PcapngTime(std::uint8_t resolution, std::int64_t offset_seconds) noexcept
      : binary_((resolution & 0x80U) != 0), exponent_(resolution & 0x7FU), offset_seconds_(offset_seconds) {
    for (unsigned n = exponent_ < 9 ? 9 - exponent_ : exponent_ - 9; n > 0 && !binary_ && factor_ <= kMost; --n) {
      factor_ *= 10;
    }
    if (!binary_ && exponent_ <= 9 && offset_seconds_ == 0) {
      quick_factor_ = static_cast<std::uint64_t>(factor_);
      quick_below_ = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / quick_factor_;
    }
  }

  /// Nanoseconds since 1970, rounded down; the nearest that 64 bits can hold.
  [[nodiscard]] constexpr std::int64_t nanoseconds(std::uint64_t ticks) const noexcept {
    if (ticks < quick_below_) return static_cast<std::int64_t>(ticks * quick_factor_);
    Wide value = ticks;
    if (binary_) {
      value = (value * kNanosecondsPerSecond) >> exponent_;
    } else if (exponent_ <= 9) {
      value *= factor_;
    } else {
      value /= factor_;
    }
    const SignedWide total = static_cast<SignedWide>(value) + SignedWide{offset_seconds_} * kNanosecondsPerSecond;
    if (total > std::numeric_limits<std::int64_t>::max()) return std::numeric_limits<std::int64_t>::max();
    if (total < std::numeric_limits<std::int64_t>::min()) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(total);
  }

  /// The nearest that 64 bits can hold.
  [[nodiscard]] constexpr std::uint64_t ticks_per_second() const noexcept {
    if (binary_) return exponent_ < 64 ? std::uint64_t{1} << exponent_ : kMost;
    std::uint64_t ticks = 1;
    for (unsigned n = exponent_; n > 0; --n) {
      if (ticks > kMost / 10) return kMost;
      ticks *= 10;
    }
    return ticks;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  __extension__ using SignedWide = __int128;
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

  bool binary_;
  unsigned exponent_;
  Wide factor_ = 1;                 // between ticks and nanoseconds; 1 for binary
  std::uint64_t quick_factor_ = 1;  // the same, for ticks below `quick_below_`: all there are in most captures
  std::uint64_t quick_below_ = 0;
  std::int64_t offset_seconds_;
};

}  // namespace rocescope
