// Where in memory the packets of WRITEs and READs belong.
#include "messages/transfers.hpp"

#include <gtest/gtest.h>

namespace rocescope {
namespace {

TEST(Transfers, PlacePacketsBehindTheirFirst) {
  Transfers transfers;
  transfers.begin(Psn(0xFFFFFF), 3, 0x1000, 7);
  EXPECT_EQ(transfers.take(Psn(0xFFFFFF), false)->packets, 0U);
  const auto last = transfers.take(Psn(1), true);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->packets, 2U);
  EXPECT_EQ(last->address, 0x1000U);
  EXPECT_EQ(last->r_key, 7U);
  EXPECT_EQ(last->skipped, 1U);
}

TEST(Transfers, TakeEachPacketOnce) {
  Transfers transfers;
  transfers.begin(Psn(10), 5, 0, 7);
  EXPECT_TRUE(transfers.take(Psn(10), false));
  EXPECT_TRUE(transfers.take(Psn(14), true));
  EXPECT_FALSE(transfers.take(Psn(10), false));
  for (const std::uint32_t late : {12U, 11U, 13U}) {
    EXPECT_TRUE(transfers.take(Psn(late), false)) << late;
    EXPECT_FALSE(transfers.take(Psn(late), false)) << late;
  }
  transfers.begin(Psn(10), 5, 0, 7);  // sent again
  EXPECT_FALSE(transfers.take(Psn(10), false));
}

/// With all parts that are left this would take minutes.
TEST(Transfers, ForgetTheFirstOfTooManyParts) {
  constexpr std::uint32_t kParts = 200'000;
  Transfers transfers;
  transfers.begin(Psn(0), 2 * kParts + 2, 0, 7);
  EXPECT_TRUE(transfers.take(Psn(2 * kParts + 1), true));
  for (std::uint32_t i = 1; i <= kParts; ++i) ASSERT_TRUE(transfers.take(Psn(2 * i), false)) << i;
  EXPECT_FALSE(transfers.take(Psn(2 * kParts), false));
  EXPECT_TRUE(transfers.take(Psn(2 * kParts - 1), false));
  EXPECT_FALSE(transfers.take(Psn(1), false));  // forgotten: it counts as seen
}

TEST(Transfers, DoNotPlaceWhatIsOfAnother) {
  Transfers transfers;
  EXPECT_FALSE(transfers.take(Psn(5), false)->packets);
  transfers.begin(Psn(10), 2, 0x1000, 7);
  EXPECT_FALSE(transfers.take(Psn(12), false)->packets);  // the beginning of its own was not seen
  transfers.begin(Psn(20), 0, 0x2000, 7);                 // unknown path MTU
  EXPECT_TRUE(transfers.take(Psn(20), true)->packets);
  EXPECT_FALSE(transfers.take(Psn(21), false)->packets);
}

TEST(Transfers, ForgetThoseOfAnotherRoundOfPsns) {
  Transfers transfers;
  transfers.begin(Psn(10), 1, 0x1000, 7);
  transfers.begin(Psn(0x900000), 1, 0x2000, 7);
  transfers.begin(Psn(10), 1, 0x3000, 7);
  EXPECT_EQ(transfers.take(Psn(10), true)->address, 0x3000U);
}

}  // namespace
}  // namespace rocescope
