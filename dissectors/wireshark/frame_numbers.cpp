#include "wireshark/frame_numbers.hpp"

#include <algorithm>
#include <numeric>

namespace rocescope::wireshark {

std::uint32_t FrameNumbers::add(std::uint32_t number) {
  ++count_;
  if (numbers_.empty() && number == count_) return count_;
  if (numbers_.empty()) {
    numbers_.resize(count_ - 1);
    std::iota(numbers_.begin(), numbers_.end(), 1U);
  }
  numbers_.push_back(number);
  return count_;
}

std::uint32_t FrameNumbers::number_of(std::uint64_t ordinal) const noexcept {
  if (ordinal == 0 || ordinal > count_) return 0;
  if (numbers_.empty()) return static_cast<std::uint32_t>(ordinal);
  const std::uint32_t number = numbers_[ordinal - 1];
  const bool dropped = ordinal < count_ && numbers_[ordinal] == number;
  return dropped ? 0 : number;
}

std::uint32_t FrameNumbers::ordinal_of(std::uint32_t number) const noexcept {
  if (numbers_.empty()) return number <= count_ ? number : 0;
  const auto behind = std::ranges::upper_bound(numbers_, number);
  const bool found = behind != numbers_.begin() && *(behind - 1) == number;
  return found ? static_cast<std::uint32_t>(behind - numbers_.begin()) : 0;
}

}  // namespace rocescope::wireshark
