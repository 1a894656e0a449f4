#include "rocescope/field.hpp"

#include <gtest/gtest.h>

#include "rocescope/field_value.hpp"
#include "rocescope/headers.hpp"

namespace rocescope {
namespace {

// The checks that every header makes at compile time, on tables that are wrong in one way each.

constexpr Field kGood[] = {
    field::number("a", "A", 0, 4),
    field::number("b", "B", 4, 12),
    field::number("b.high", "High", 4, 4).part(),
    field::number("b.low", "Low", 8, 8).part(),
};
static_assert(tiles(kGood, 2));

template <std::size_t N>
constexpr bool with(std::size_t size, const Field (&fields)[N]) {
  return tiles(fields, size);
}

TEST(FieldTable, AcceptsFieldsThatTileTheHeader) { EXPECT_TRUE(tiles(kGood, 2)); }

TEST(FieldTable, RejectsAHole) {
  EXPECT_FALSE(with(2, {field::number("a", "A", 0, 4), field::number("b", "B", 5, 11)}));
}

TEST(FieldTable, RejectsAnOverlap) {
  EXPECT_FALSE(with(2, {field::number("a", "A", 0, 8), field::number("b", "B", 7, 9)}));
}

TEST(FieldTable, RejectsAHoleAtTheEnd) { EXPECT_FALSE(with(2, {field::number("a", "A", 0, 15)})); }

TEST(FieldTable, RejectsAFieldBeyondTheHeader) { EXPECT_FALSE(with(2, {field::number("a", "A", 0, 17)})); }

TEST(FieldTable, RejectsFieldsOutOfWireOrder) {
  EXPECT_FALSE(with(2, {field::number("b", "B", 8, 8), field::number("a", "A", 0, 8)}));
}

TEST(FieldTable, RejectsPartsThatDoNotTileTheirWhole) {
  EXPECT_FALSE(with(1, {field::number("a", "A", 0, 8), field::number("a.x", "X", 0, 3).part()}));
  EXPECT_FALSE(with(1, {field::number("a", "A", 0, 8), field::number("a.x", "X", 0, 9).part()}));
}

TEST(FieldTable, AcceptsAlternativesOfTheSameBits) {
  constexpr auto kNever = [](const std::uint8_t*) { return false; };
  EXPECT_TRUE(with(1, {field::number("a", "A", 0, 8).when(kNever), field::number("b", "B", 0, 8).when(kNever)}));
  EXPECT_FALSE(with(1, {field::number("a", "A", 0, 8).when(kNever), field::number("b", "B", 0, 8)}));
}

TEST(FieldValue, CountsInUnitsOfTheMultiplierFromTheAddend) {
  static constexpr ValueName kNames[] = {{3, 3, "three"}};
  constexpr Field kLength = field::number("a", "A", 3, 5).times(4).plus(4).named(kNames);
  constexpr std::uint8_t kHeader[] = {0xE3};
  FieldValue value;
  ASSERT_TRUE(read_field(kLength, kHeader, {.kind = HeaderKind::kPayload, .offset = 0, .length = 1}, value));
  EXPECT_EQ(value.number, 16u);
  EXPECT_EQ(value.meaning(), "three");
}

TEST(FieldTable, RejectsNumbersWiderThan64Bits) { EXPECT_FALSE(with(9, {field::number("a", "A", 0, 72)})); }

TEST(FieldTable, RejectsValueNamesOutOfOrder) {
  static constexpr ValueName kNames[] = {{2, 2, "two"}, {1, 1, "one"}};
  EXPECT_FALSE(with(1, {field::number("a", "A", 0, 8).named(kNames)}));
}

TEST(ValueNames, FindSingleValuesAndRanges) {
  static constexpr ValueName kNames[] = {{1, 1, "one"}, {4, 7, "some"}};
  EXPECT_EQ(name_of(kNames, 1), "one");
  EXPECT_EQ(name_of(kNames, 4), "some");
  EXPECT_EQ(name_of(kNames, 7), "some");
  EXPECT_EQ(name_of(kNames, 2), "");
  EXPECT_EQ(name_of(kNames, 8), "");
  EXPECT_EQ(name_of({}, 0), "");
}

TEST(LoadBits, ReadsMostSignificantBitFirst) {
  constexpr std::uint8_t kNumbers[] = {0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0xFF};
  EXPECT_EQ(load_bits(kNumbers, 0, 4), 0x1U);
  EXPECT_EQ(load_bits(kNumbers, 4, 12), 0x234U);
  EXPECT_EQ(load_bits(kNumbers, 0, 64), 0x123456789ABCDEF0U);
  EXPECT_EQ(load_bits(kNumbers, 4, 64), 0x23456789ABCDEF0FU);
  EXPECT_EQ(load_bits(kNumbers, 7, 1), 0U);
  EXPECT_EQ(load_little_endian(kNumbers, 4), 0x78563412U);
}

// From a buffer full of ones with only this field cleared: an accessor that reads a bit too many or too few shows.
TEST(HeaderViews, ReadExactlyTheirBits) {
  for (const HeaderInfo& header : all_headers()) {
    for (const Field& f : header.fields) {
      if (f.type != FieldType::kUnsigned || f.byte_order != ByteOrder::kBigEndian) continue;
      std::vector<std::uint8_t> bytes((f.bit_offset + f.bit_width) / 8 + 2, 0xFF);
      for (std::uint32_t bit = f.bit_offset; bit < f.bit_offset + f.bit_width; ++bit) {
        bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] & ~(0x80U >> (bit % 8)));
      }
      EXPECT_EQ(load_bits(bytes.data(), f.bit_offset, f.bit_width), 0U) << f.name;
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(~byte);
      const std::uint64_t ones = f.bit_width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bit_width) - 1;
      EXPECT_EQ(load_bits(bytes.data(), f.bit_offset, f.bit_width), ones) << f.name;
    }
  }
}

}  // namespace
}  // namespace rocescope
