// Frames of a capture that are written to a new file, where they have new numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace rocescope::render {

/// Remembers the last frames that were written: what a verdict names was not long ago.
class RenumberedFrames {
 public:
  /// `number` of the capture, greater than the one before, is the next frame of the new file.
  void add(std::uint64_t number) {
    ++written_;
    numbers_.push_back(number);
    if (numbers_.size() > kRemembered) numbers_.pop_front();
  }
  /// The number that the next frame gets.
  [[nodiscard]] std::uint64_t next() const noexcept { return written_ + 1; }
  /// The new number of a frame; nothing when it was not written, or too long ago.
  [[nodiscard]] std::optional<std::uint64_t> number_of(std::uint64_t number) const {
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    if (found == numbers_.end() || *found != number) return std::nullopt;
    return written_ - static_cast<std::uint64_t>(numbers_.end() - found) + 1;
  }

 private:
  static constexpr std::size_t kRemembered = std::size_t{1} << 20;

  std::deque<std::uint64_t> numbers_;
  std::uint64_t written_ = 0;
};

/// `1204`, or `1204 (here 12)`. `renumbered` may be null: there is no new file.
[[nodiscard]] inline std::string frame_text(std::uint64_t number, const RenumberedFrames* renumbered) {
  const std::uint64_t here = renumbered == nullptr ? number : renumbered->number_of(number).value_or(number);
  const std::string text = std::to_string(number);
  return here == number ? text : text + " (here " + std::to_string(here) + ")";
}

}  // namespace rocescope::render
