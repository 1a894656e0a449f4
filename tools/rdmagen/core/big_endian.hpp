// Numbers in network byte order, written and read one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rocescope::rdmagen {

/// Writes numbers into `bytes`, which must be large enough for them all.
class BigEndianWriter {
 public:
  explicit BigEndianWriter(std::span<std::uint8_t> bytes) noexcept : bytes_(bytes) {}

  template <typename T>
  BigEndianWriter& put(T value) noexcept {
    for (std::size_t i = sizeof(T); i-- > 0;) {
      bytes_[at_++] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
    return *this;
  }
  BigEndianWriter& skip(std::size_t count) noexcept {
    at_ += count;
    return *this;
  }

 private:
  std::span<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// Reads numbers from `bytes`, which must hold them all.
class BigEndianReader {
 public:
  explicit BigEndianReader(std::span<const std::uint8_t> bytes) noexcept : bytes_(bytes) {}

  template <typename T>
  T take() noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value = value << 8 | bytes_[at_++];
    return static_cast<T>(value);
  }
  template <typename T>
  void take(T& value) noexcept {
    value = take<T>();
  }
  void skip(std::size_t count) noexcept { at_ += count; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace rocescope::rdmagen
