#include "rocescope/bytes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace rocescope {
namespace {

constexpr std::array<std::uint8_t, 18> kBytes = {0x1B, 0xE4, 0x87, 0x2D, 0xC3, 0x5A, 0xF0, 0x96, 0x3C,
                                                 0x69, 0x0F, 0xA5, 0x78, 0xD2, 0xB4, 0x4B, 0x81, 0x7E};

/// Bit by bit, as the wire diagrams count them.
std::uint64_t bits_one_by_one(std::size_t offset, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t bit = offset; bit < offset + width; ++bit) {
    value = (value << 1) | ((kBytes[bit / 8] >> (7 - bit % 8)) & 1U);
  }
  return value;
}

TEST(LoadBits, ReadsEveryWidthAtEveryOffset) {
  for (std::size_t offset = 0; offset < 64; ++offset) {
    for (std::size_t width = 1; width <= 64; ++width) {
      EXPECT_EQ(load_bits(kBytes.data(), offset, width), bits_one_by_one(offset, width)) << offset << ' ' << width;
    }
  }
}

TEST(LoadBits, ReadsNoByteBehindTheField) {
  for (std::size_t width = 1; width <= 64; ++width) {
    const std::vector<std::uint8_t> exact(kBytes.begin(),
                                          kBytes.begin() + static_cast<std::ptrdiff_t>((width + 7) / 8));
    EXPECT_EQ(load_bits(exact.data(), 0, width), bits_one_by_one(0, width));  // AddressSanitizer watches
  }
}

TEST(LoadBits, IsTheSameAtCompileTime) {
  static_assert(load_bits(kBytes.data(), 0, 64) == 0x1BE4'872D'C35A'F096);
  static_assert(load_bits(kBytes.data(), 3, 64) == 0xDF24'396E'1AD7'84B1);
  static_assert(load_bits(kBytes.data(), 8, 24) == 0xE4'872D);
  static_assert(load_bits(kBytes.data(), 10, 3) == 4);
  EXPECT_EQ(load_bits(kBytes.data(), 3, 64), 0xDF24'396E'1AD7'84B1);
}

TEST(LoadLittleEndian, ReadsEveryLength) {
  std::uint64_t expected = 0;
  for (std::size_t length = 1; length <= 8; ++length) {
    expected |= std::uint64_t{kBytes[length - 1]} << (8 * (length - 1));
    EXPECT_EQ(load_little_endian(kBytes.data(), length), expected) << length;
  }
  static_assert(load_little_endian(kBytes.data(), 4) == 0x2D87'E41B);
  static_assert(load_little_endian(kBytes.data(), 8) == 0x96F0'5AC3'2D87'E41B);
}

}  // namespace
}  // namespace rocescope
