// Things by their keys.
#include "tracking/connections/key_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace rocescope {
namespace {

/// So that many keys have the same hash.
struct Coarse {
  std::size_t operator()(std::uint32_t key) const noexcept { return key / 8; }
};
using Table = KeyTable<std::uint32_t, std::uint32_t, Coarse>;

TEST(KeyTable, has_what_was_added_and_nothing_else) {
  Table table;
  std::map<std::uint32_t, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const std::uint32_t key = i * 7919 % 1'500;
    table[key] += i;
    expected[key] += i;
  }
  EXPECT_EQ(table.size(), expected.size());
  for (std::uint32_t key = 0; key < 1'600; ++key) {
    const std::uint32_t* const found = table.find(key);
    ASSERT_EQ(found != nullptr, expected.contains(key)) << key;
    if (found != nullptr) EXPECT_EQ(*found, expected[key]);
  }
}

TEST(KeyTable, keeps_its_things_where_they_are_while_others_are_added) {
  Table table;
  std::uint32_t& first = table[1];
  first = 5;
  for (std::uint32_t key = 2; key < 10'000; ++key) table[key] = key;
  EXPECT_EQ(table.find(1), &first);
  EXPECT_EQ(first, 5);
}

TEST(KeyTable, erases_what_is_gone_and_finds_the_others) {
  Table table;
  for (std::uint32_t key = 0; key < 1'000; ++key) table[key] = key;
  table.erase_if([](const auto& entry) { return entry.second % 3 != 0; });
  EXPECT_EQ(table.size(), 334);
  for (std::uint32_t key = 0; key < 1'000; ++key) {
    const std::uint32_t* const found = table.find(key);
    ASSERT_EQ(found != nullptr, key % 3 == 0) << key;
    if (found != nullptr) EXPECT_EQ(*found, key);
  }
  table[1] = 7;
  EXPECT_EQ(*table.find(1), 7);
}

}  // namespace
}  // namespace rocescope
