// How much was sent of late.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace rocescope {

/// Bytes of the last window of time, which it cuts into sixteenths.
class RateMeter {
 public:
  /// `window` is in nanoseconds and the same in all calls.
  void add(std::int64_t time, std::uint64_t bytes, std::int64_t window) noexcept;
  /// Bytes in the window before `time`, which is not before the last one added; what of the oldest sixteenth lies in it is
  /// taken to be even.
  [[nodiscard]] std::uint64_t before(std::int64_t time, std::int64_t window) const noexcept;
  /// Whether anything was added.
  [[nodiscard]] bool started() const noexcept { return started_; }
  /// The first time that was added, since when nothing went back by more than a window.
  [[nodiscard]] std::int64_t since() const noexcept { return since_; }

  /// Of the parts that it cuts a window into, ns.
  [[nodiscard]] static constexpr std::int64_t width_of(std::int64_t window) noexcept {
    return std::max<std::int64_t>(window / kParts, 1);
  }
  /// Parts of a window. What is so many before the last one added counts nowhere.
  static constexpr std::int64_t kForgotten = 17;

 private:
  friend struct StateMembers;
  static constexpr std::int64_t kParts = kForgotten - 1;
  static constexpr std::size_t kSlots = kForgotten;

  [[nodiscard]] static std::int64_t slot_of(std::int64_t time, std::int64_t width) noexcept {
    return time / width - (time % width < 0 ? 1 : 0);
  }
  /// Whether the newest slot is that of `time`, as it is of most. May say no of times before 1970: from there on, differences need
  /// not fit in 64 bits.
  [[nodiscard]] bool is_in_newest(std::int64_t time, std::int64_t width) const noexcept {
    const auto start = static_cast<std::uint64_t>(newest_) * static_cast<std::uint64_t>(width);
    return started_ && newest_ >= 0 && time >= 0 &&
           static_cast<std::uint64_t>(time) - start < static_cast<std::uint64_t>(width);
  }
  [[nodiscard]] static std::size_t index_of(std::int64_t slot) noexcept {
    constexpr std::uint64_t kLowest = std::uint64_t{1} << 63;  // slots before 1970 are negative
    return static_cast<std::size_t>((static_cast<std::uint64_t>(slot) ^ kLowest) % kSlots);
  }

  std::array<std::uint64_t, kSlots> bytes_{};
  std::int64_t newest_ = 0;  // slot
  std::int64_t since_ = 0;
  bool started_ = false;
};

}  // namespace rocescope
