// A capture that has packets twice, on short sequences: nothing is counted twice but them.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(RequesterMirror, HasARecoveryTwice) {
  Stream stream;
  stream.play(R"(
     0   send 10 4 = in_order
     0.5 send 10 4 = capture_duplicate of 1
     1   send 12 4 = gap missing 1
     1.5 send 12 4 = capture_duplicate of 3
     9   nak  11   = response before
     9.5 nak  11   = duplicate_ack
    15   send 11 4 = retransmission nak before by 5
    15.5 send 11 4 = capture_duplicate of 7
    16   send 12 4 = retransmission nak of 3 by 5
    16.5 send 12 4 = capture_duplicate of 3
    30   ack  12   = response of 3
    30.5 ack  12   = duplicate_ack of 3)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles->recoveries, 1U);
  EXPECT_EQ(totals.troubles->lost_before, 1U);
  EXPECT_EQ(totals.troubles->resent_bytes, 4U);
  EXPECT_EQ(totals.sums.payload_bytes, 16U);
}

TEST(RequesterMirror, HasTheNakOfALossBehindItTwice) {
  Stream stream;
  stream.play(R"(
     0   send 10 4 = in_order
     1   send 11 4 = in_order
     2   send 12 4 = in_order
     9   nak  11   = response after of 2
     9.5 nak  11   = duplicate_ack of 2
    15   send 11 4 = retransmission nak after of 2 by 4
    15.5 send 11 4 = capture_duplicate of 2
    16   send 12 4 = retransmission nak of 3 by 4
    30   ack  12   = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

TEST(RequesterMirror, HasAReadAndItsResponsesTwice) {
  Stream stream;
  stream.play(R"(
     0   read    10 2048 = in_order
     0.5 read    10 2048 = capture_duplicate of 1
     9   r_first 10 1024 = response of 1
     9.5 r_first 10 1024 = read_response_retransmission of 1
    10   r_last  11 1024 = response of 1
    10.5 r_last  11 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 0U);
}

TEST(RequesterMirror, HasWaitingForAReceiverTwice) {
  Stream stream;
  stream.play(R"(
      0   send 10 4 = in_order
      9   rnr  10   = response of 1
      9.5 rnr  10   = duplicate_ack of 1
    700   send 10 4 = retransmission rnr of 1 by 2
    700.5 send 10 4 = capture_duplicate of 1
    710   ack  10   = response of 1)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

TEST(RequesterMirror, CountsARefusalOnce) {
  Stream stream;
  stream.play(R"(
      0   send   10 4 = in_order
      9   refuse 10   = response of 1
      9.5 refuse 10   = duplicate_ack of 1)");
  EXPECT_EQ(stream.requester.totals().troubles->fatal_naks, 1U);
}

TEST(RequesterMirror, CountsEachRnrNakThatItsTimerAllows) {
  Stream stream;  // the capture missed what was sent again after 10 us
  stream.play(R"(
      0 send 10 4 = in_order
      9 rnr  10 1 = response of 1
     12 rnr  10 1 = duplicate_ack of 1
     40 rnr  10 1 = duplicate_ack of 1)");
  EXPECT_EQ(stream.requester.totals().troubles->rnr_naks, 2U);
}

TEST(RequesterMirror, HasNothingTwiceWhereThePacketWasSentAnewLater) {
  Stream stream;  // the same bytes, but too late for a copy of the mirror
  stream.play(R"(
     0 send 10 4 = in_order
   251 send 10 4 = retransmission unknown of 1)");
}

}  // namespace
}  // namespace rocescope
