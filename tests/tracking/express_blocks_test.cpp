// Where packets wait on the express lane.
#include <gtest/gtest.h>

#include "tracking/express/express_connection.hpp"
#include "tracking/express/express_waiting.hpp"

namespace rocescope {
namespace {

TEST(ExpressBlocks, gives_the_block_that_came_back_last) {
  ExpressBlocks<2, 4> blocks;
  ExpressConnection one;
  ExpressConnection other;
  const std::uint32_t first = blocks.take(one);
  const std::uint32_t second = blocks.take(one);
  EXPECT_NE(blocks.at(first), blocks.at(second));
  blocks.give_back(second);
  blocks.give_back(first);
  EXPECT_EQ(blocks.take(other), first);
  EXPECT_EQ(blocks.take(other), second);
}

TEST(ExpressBlocks, names_each_owner_in_its_turn_once_all_blocks_are_taken) {
  ExpressBlocks<2, 2> blocks;
  ExpressConnection one;
  ExpressConnection other;
  const std::uint32_t first = blocks.take(one);
  EXPECT_TRUE(blocks.has_room());
  (void)blocks.take(other);
  EXPECT_FALSE(blocks.has_room());
  ExpressConnection& next = blocks.next_owner();
  ExpressConnection& behind = blocks.next_owner();
  EXPECT_NE(&next, &behind);
  EXPECT_EQ(&blocks.next_owner(), &next);
  blocks.give_back(first);
  EXPECT_TRUE(blocks.has_room());
  EXPECT_EQ(blocks.take(other), first);
}

TEST(ExpressBlocks, keeps_what_waits_while_more_blocks_come) {
  ExpressBlocks<2, 10'000> blocks;
  ExpressConnection owner;
  ExpressFacts* const first = blocks.at(blocks.take(owner));
  first[1].frame = 7;
  for (int i = 1; i < 10'000; ++i) (void)blocks.take(owner);
  EXPECT_FALSE(blocks.has_room());
  EXPECT_EQ(blocks.at(0), first);
  EXPECT_EQ(first[1].frame, 7U);
}

}  // namespace
}  // namespace rocescope
