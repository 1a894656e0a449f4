// What the wire can hold that no device of a lab sends.
#include "tracking/watchers/region_table.hpp"

#include <gtest/gtest.h>

namespace rocescope {
namespace {

Message write_to(std::uint64_t address, std::uint64_t bytes, std::uint32_t r_key) {
  Message message{.operation = Operation::kWrite, .outcome = MessageOutcome::kCompleted};
  message.address = address;
  message.bytes = bytes;
  message.r_key = r_key;
  return message;
}

TEST(RegionTable, LeavesOutAndCountsWhatItHasNoRoomFor) {
  RegionTable table(2);
  Connection connection;
  connection.number = 1;
  for (const std::uint32_t r_key : {1U, 2U, 3U, 1U, 3U}) table.count(write_to(0x1000, 8, r_key), connection, 0, 1);
  EXPECT_EQ(table.regions().size(), 2U);
  EXPECT_EQ(table.regions()[0].r_key, 1U);
  EXPECT_EQ(table.regions()[0].writes, 2U);
  EXPECT_EQ(table.untracked(), 2U);
}

TEST(RegionTable, ListsTheFirstConnectionsOfManyAndSaysSo) {
  RegionTable table;
  Connection connection;
  for (connection.number = 1; connection.number <= MemoryRegion::kMostUsers; ++connection.number) {
    table.count(write_to(0x1000, 8, 1), connection, 0, 1);
    table.count(write_to(0x1000, 8, 1), connection, 0, 1);
  }
  EXPECT_EQ(table.regions()[0].users.size(), MemoryRegion::kMostUsers);
  EXPECT_FALSE(table.regions()[0].more_users);
  table.count(write_to(0x1000, 8, 1), connection, 0, 1);
  EXPECT_TRUE(table.regions()[0].more_users);
  EXPECT_EQ(table.regions()[0].writes, 2 * MemoryRegion::kMostUsers + 1);
}

TEST(RegionTable, EndsRangesAtTheEndOfTheAddressSpace) {
  RegionTable table;
  table.count(write_to(~std::uint64_t{0} - 3, 100, 1), {}, 0, 1);
  table.count(write_to(5, 0, 1), {}, 0, 1);  // touches nothing
  const MemoryRegion region = table.regions()[0];
  EXPECT_EQ(region.touched.lowest, ~std::uint64_t{0} - 3);
  EXPECT_EQ(region.touched.highest, ~std::uint64_t{0});
  EXPECT_EQ(region.touched.span(), 4U);
  EXPECT_EQ(region.writes, 2U);
}

TEST(RegionTable, TellsRespondersAndOverlaysApart) {
  RegionTable table;
  Connection connection;
  connection.sides[1].address.bytes[15] = 1;
  table.count(write_to(0x1000, 8, 1), connection, 0, 1);
  table.count(write_to(0x1000, 8, 1), connection, 1, 1);
  connection.overlay_id = 7;
  table.count(write_to(0x1000, 8, 1), connection, 0, 1);
  EXPECT_EQ(table.regions().size(), 3U);
}

}  // namespace
}  // namespace rocescope
