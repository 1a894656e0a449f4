// Why a requester sends again, and where packets were lost: a short sequence for each case that the engine distinguishes.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::kAckTimeout;
using testing::Stream;

TEST(RequesterCause, IsATimeoutWhenTheNakWasLostBehindTheCapture) {
  Stream stream;  // the NAK in line 4 never reaches the requester; the responder says it only once
  stream.requester.set_ack_timeout(kAckTimeout);
  stream.play(R"(
        0 send 10 4 = in_order
        1 send 11 4 = in_order
        2 send 12 4 = in_order
        9 nak  11   = response after of 2
    67200 send 11 4 = retransmission timeout after of 2
    67201 send 12 4 = retransmission timeout of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

TEST(RequesterCause, IsATimeoutWhenNoNakCame) {
  Stream stream;  // the last packet was lost: nothing behind it makes the responder say so
  stream.requester.set_ack_timeout(kAckTimeout);
  stream.play(R"(
        0 send 10 4 = in_order
        1 send 11 4 = in_order
        9 ack  10   = response of 1
    67200 send 11 4 = retransmission timeout of 2
    67210 ack  11   = response of 2)");
}

TEST(RequesterCause, IsATimeoutThoughOthersGoOn) {
  Stream stream;  // the timer runs from the oldest request that is not acknowledged, not from the last packet
  stream.requester.set_ack_timeout(kAckTimeout);
  stream.play(R"(
        0 send 10 4 = in_order
        9 ack  10   = response of 1
      100 send 11 4 = in_order
    30000 send 12 4 = in_order
    60000 send 13 4 = in_order
    67300 send 11 4 = retransmission timeout of 3
    67301 send 12 4 = retransmission timeout of 4
    67302 send 13 4 = retransmission timeout of 5)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

TEST(RequesterCause, IsANakEachTimeWhenTheRetransmissionIsLostToo) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 11 4 = in_order
     2 send 12 4 = in_order
     9 nak  11   = response after of 2
    15 send 11 4 = retransmission nak after of 2 by 4
    16 send 12 4 = retransmission nak of 3 by 4
    25 nak  11   = response after of 2
    30 send 11 4 = retransmission nak after of 2 by 7
    31 send 12 4 = retransmission nak of 3 by 7
    40 ack  12   = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 2U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 2U);
}

TEST(RequesterCause, GoesRoundAtTheEndOfThePsns) {
  Stream stream;
  stream.play(R"(
     0 w_first  16777214 1024 = in_order
     2 w_middle 0        1024 = gap missing 1
     3 w_last   1        1024 = in_order
     9 nak      16777215      = response before
    15 w_middle 16777215 1024 = retransmission nak before by 4
    16 w_middle 0        1024 = retransmission nak of 2 by 4
    17 w_last   1        1024 = retransmission nak of 3 by 4
    30 ack      1             = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 1U);
}

TEST(RequesterCause, IsThatNothingWasAnsweredBehindAHoleOfAREAD) {
  Stream stream;  // the requester drops the responses behind the hole, also those of other READs (seen of rdma_rxe)
  stream.play(R"(
     0 read    10 2048 = in_order
     1 read    12 1024 = in_order
     9 r_last  11 1024 = read_response_gap missing 1 of 1
    10 r_only  12 1024 = response of 2
    20 read    10 2048 = retransmission implied_nak of 1
    21 read    12 1024 = retransmission implied_nak of 2
    30 r_first 10 1024 = read_response_retransmission of 1
    31 r_last  11 1024 = read_response_retransmission of 1
    32 r_only  12 1024 = read_response_retransmission of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

TEST(RequesterCause, OfAReadIsATimeoutWhenItsResponsesStop) {
  Stream stream;
  stream.requester.set_ack_timeout(kAckTimeout);
  stream.play(R"(
        0 read     10 3000 = in_order
        9 r_first  10 1024 = response of 1
    67200 read     11 1976 = retransmission timeout of 1
    67210 r_first  11 1024 = response of 1
    67211 r_last   12 952  = response of 1)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 1U);
}

TEST(RequesterCause, OfARequestBeforeAllThatWasSeenIsItsNak) {
  Stream stream;  // its original was lost or came before the capture began: nothing shows which
  stream.play(R"(
     1 send 11 4 = in_order
     2 send 12 4 = in_order
     9 nak  10   = response before
    15 send 10 4 = retransmission nak by 3
    16 send 11 4 = retransmission nak of 1 by 3
    17 send 12 4 = retransmission nak of 2 by 3
    20 ack  12   = response of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 3U);
}

TEST(RequesterCause, IsKnownThoughTheOriginalWasNeverSeen) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     9 nak  11   = response before
    15 send 11 4 = retransmission nak before by 2
    20 ack  11   = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
}

TEST(RequesterCause, IsNoneWhereACopyThatWasCalledLostComesAfterAll) {
  Stream stream;  // the packet of line 5 or of line 6 is the original, overtaken by the NAK and the recovery
  stream.play(R"(
      0 send 10 4 = in_order
      1 send 12 4 = gap missing 1
      9 nak  11   = response before
     15 send 11 4 = retransmission nak before by 3)");
  stream.icrc_salt = 1;
  stream.play(R"(
     16 send 12 4 = retransmission nak of 2 by 3
    300 send 11 4 = out_of_order of 4)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterCause, ClaimsNoLossWhereOvertakingExplainsTheHole) {
  Stream stream;
  stream.play(R"(
       0 send 10 4 = in_order
       1 send 12 4 = gap missing 1
     900 send 11 4 = out_of_order
    1000 send 14 4 = gap missing 1
    1009 nak  13   = response
    1500 send 13 4 = retransmission nak by 5)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterCause, IsNotALossBehindTheCaptureWhenTheResponderGetsItAfterAll) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 11 4 = in_order
     2 send 12 4 = in_order
     9 nak  11   = response after of 2
    10 ack  11   = response of 2
    15 send 12 4 = retransmission nak of 3 by 4)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 0U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterCause, OfWhatANakAsksForIsKnownWhereTheRecoveryBeganBeforeIt) {
  Stream stream;  // the first atomic's answer was lost: the NAK acknowledges it, but its value is missing (rdma_rxe)
  stream.play(R"(
     0 fadd 10 0 = in_order
     1 fadd 11 0 = in_order
     2 fadd 12 0 = in_order
     9 nak  11   = response after of 2
   315 fadd 10 0 = retransmission spurious of 1
   316 fadd 11 0 = retransmission spurious after of 2
   317 fadd 12 0 = retransmission spurious of 3
   320 atomic_ack 10 = duplicate_ack of 1
   321 atomic_ack 11 = response of 2
   322 atomic_ack 12 = response of 3)");
  ASSERT_NE(stream.requester.recovery(), nullptr);
  EXPECT_EQ(stream.requester.recovery()->lost_after, 1U);
}

TEST(RequesterCause, ThatIsNotKnownTellsNoLoss) {
  Stream stream;  // rdma_rxe sends again at once at times; had 11 been lost, its responder would have said so
  stream.play(R"(
     0 s_first  10 1024 = in_order
     2 s_last   12 4    = gap missing 1)");
  stream.icrc_salt = 1;
  stream.play(R"(
     3 s_first  10 1024 = retransmission unknown of 1
     4 s_middle 11 1024 = retransmission unknown
     5 s_last   12 4    = retransmission unknown of 2
     9 ack      12      = response of 2)");
  stream.icrc_salt = 0;
  stream.play(R"(
    20 s_first  13 1024 = in_order
    21 s_middle 14 1024 = in_order
    22 s_last   15 4    = in_order)");
  stream.icrc_salt = 1;
  stream.play(R"(
    24 s_first  13 1024 = retransmission unknown of 7
    25 s_last   15 4    = retransmission unknown missing 1 of 9)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterCause, IsNoLongerANakThatWasAnsweredWithTheRestOfARead) {
  Stream stream;  // the requester misses responses as well, and begins with these (seen of rdma_rxe)
  stream.play(R"(
     0 read    10 3000 = in_order
     2 send    14 4    = gap missing 1
     8 r_first 10 1024 = response of 1
     9 r_last  12 952  = read_response_gap missing 1 of 1
    10 nak     13      = response before
    20 read    11 1976 = retransmission implied_nak of 1
    21 send    13 4    = retransmission implied_nak before
    22 send    14 4    = retransmission implied_nak of 2
    30 r_first 11 1024 = read_response_retransmission of 1
    31 r_last  12 952  = read_response_retransmission of 1
    32 ack     14      = response of 2
    40 send    15 4    = in_order
 90000 send    13 4    = retransmission timeout of 7)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
}

TEST(RequesterCause, IsNoLossOfWhatItsRecoveryHadBroughtBefore) {
  Stream stream;  // the responder drops 12, since 11 was overtaken behind the capture, takes 11 and asks for 12
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 11 4 = in_order
     2 send 12 4 = in_order
     3 send 13 4 = in_order
     9 nak  11   = response after of 2
    15 send 11 4 = retransmission nak after of 2 by 5
    16 send 12 4 = retransmission nak of 3 by 5
    17 nak  11   = response after of 2
    18 ack  11   = response of 2
    19 send 13 4 = retransmission nak of 4 by 5
    20 nak  12   = response of 3
    25 send 12 4 = retransmission nak of 3 by 11)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterCause, IsUnknownWhereTheCaptureLacksPackets) {
  Stream stream;
  stream.requester.set_ack_timeout(kAckTimeout);
  stream.play(R"(
       0 send 10 4 = in_order
       9 ack  12   = ack_of_unseen missing 2
      20 send 13 4 = in_order
      21 send 15 4 = gap missing 1
    1500 send 14 4 = retransmission unknown)");
  Stream whole;
  whole.requester.set_ack_timeout(kAckTimeout);  // where it has all, nothing can have asked for it: it was overtaken
  whole.play(R"(
       0 send 10 4 = in_order
       9 ack  10   = response of 1
      21 send 12 4 = gap missing 1
    1500 send 11 4 = out_of_order)");
}

TEST(RequesterCause, OfACopyWithAnotherIcrcIsNoDuplicateOfTheCapture) {
  Stream stream;
  stream.play("0 send 10 4 = in_order");
  stream.icrc_salt = 1;
  stream.play("0.5 send 10 4 = retransmission unknown of 1");
}

}  // namespace
}  // namespace rocescope
