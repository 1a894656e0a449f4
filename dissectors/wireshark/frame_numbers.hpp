// Which number Wireshark gives to each frame.
#pragma once

#include <cstdint>
#include <vector>

namespace rocescope::wireshark {

/// Frames are counted here as they come, from 1: their ordinals. Wireshark gives a frame that a read filter drops, and the one after it,
/// the same number. While no number comes twice, nothing is kept.
class FrameNumbers {
 public:
  /// The next frame; returns its ordinal.
  std::uint32_t add(std::uint32_t number);
  /// 0: a frame that was dropped, or that is unknown.
  [[nodiscard]] std::uint32_t number_of(std::uint64_t ordinal) const noexcept;
  /// Of the frame that was not dropped; 0: there is none.
  [[nodiscard]] std::uint32_t ordinal_of(std::uint32_t number) const noexcept;
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

 private:
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> numbers_;  // by ordinal, from 1; empty: they are the ordinals
};

}  // namespace rocescope::wireshark
