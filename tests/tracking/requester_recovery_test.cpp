// Recovery episodes on short sequences.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(RequesterRecovery, IsOneEpisodeOfAllThatIsSentAgain) {
  Stream stream;
  stream.play(R"(
     0 w_first  10 1024 = in_order
     2 w_middle 12 1024 = gap missing 1
     3 w_last   13 100  = in_order
     9 nak      11      = response before
    15 w_middle 11 1024 = retransmission nak before by 4
    16 w_middle 12 1024 = retransmission nak of 2 by 4
    17 w_last   13 100  = retransmission nak of 3 by 4)");
  ASSERT_NE(stream.requester.recovery(), nullptr);
  EXPECT_TRUE(stream.recoveries.empty());  // it may go on
  stream.play("30 ack 13 = response of 3");
  stream.play("31 send 14 4 = in_order");
  EXPECT_EQ(stream.requester.recovery(), nullptr);
  ASSERT_EQ(stream.recoveries.size(), 1U);
  const Recovery& recovery = stream.recoveries.front();
  EXPECT_EQ(recovery.cause, ResendCause::kNak);
  EXPECT_EQ(recovery.trigger_frame, 4U);
  EXPECT_EQ(recovery.first_frame, 5U);
  EXPECT_EQ(recovery.last_frame, 7U);
  EXPECT_EQ(recovery.first_time, 15'000);
  EXPECT_EQ(recovery.last_time, 17'000);
  EXPECT_EQ(recovery.stall, 6'000);  // since the NAK, which acknowledged the first packet
  EXPECT_EQ(recovery.packets, 3U);
  EXPECT_EQ(recovery.bytes, 2148U);
  EXPECT_EQ(recovery.lost_before, 1U);
  EXPECT_EQ(recovery.lost_after, 0U);
}

TEST(RequesterRecovery, BeginsAnewWhenItIsAskedForAgain) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 11 4 = in_order
     2 send 12 4 = in_order
     9 nak  11   = response after of 2
    15 send 11 4 = retransmission nak after of 2 by 4
    16 send 12 4 = retransmission nak of 3 by 4
    20 nak  12   = response after of 3
    25 send 12 4 = retransmission nak after of 3 by 7)");
  ASSERT_EQ(stream.recoveries.size(), 1U);
  EXPECT_EQ(stream.recoveries[0].packets, 2U);
  EXPECT_EQ(stream.recoveries[0].lost_after, 1U);
  ASSERT_NE(stream.requester.recovery(), nullptr);
  EXPECT_EQ(stream.requester.recovery()->trigger_frame, 7U);
  EXPECT_EQ(stream.requester.recovery()->lost_after, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 2U);
}

TEST(RequesterRecovery, CountsEachTimeoutInARowAndItsSilence) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
         0 send 10 4 = in_order
     67200 send 10 4 = retransmission timeout of 1
    134400 send 10 4 = retransmission timeout of 1
    134410 ack  10   = response of 1
    134420 send 11 4 = in_order)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles->recoveries, 2U);
  EXPECT_EQ(totals.troubles->recoveries_by_cause[static_cast<std::size_t>(ResendCause::kTimeout)], 2U);
  EXPECT_EQ(totals.troubles->stalls, 2U);
  EXPECT_EQ(totals.troubles->longest.stall, 67'200'000);
  EXPECT_EQ(totals.troubles->stalled, 134'400'000);
  ASSERT_EQ(stream.recoveries.size(), 2U);
  EXPECT_EQ(stream.recoveries[1].stall, 67'200'000);
}

}  // namespace
}  // namespace rocescope
