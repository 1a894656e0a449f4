// The PSN engine on short sequences: each line a packet and the verdict on it.
#include "tracking/requests/requester.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <sstream>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(Requester, FollowsPacketsInOrder) {
  Stream stream;
  stream.play(R"(
     0 w_first  100 1024 = in_order
     1 w_middle 101 1024 = in_order
     2 w_last   102 10   = in_order
    10 ack      102      = response of 3
    11 send     103 16   = in_order
    20 ack      103      = response of 5)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.sums.messages, 2U);
  EXPECT_EQ(totals.sums.messages_completed, 2U);
  EXPECT_EQ(totals.sums.payload_bytes, 2074U);
  EXPECT_EQ(totals.troubles->recoveries, 0U);
}

TEST(Requester, GoesRoundAtTheEndOfThePsns) {
  Stream stream;
  stream.play(R"(
     0 w_first  16777214 1024 = in_order
     1 w_middle 16777215 1024 = in_order
     2 w_last   0        10   = in_order
    10 ack      0             = response of 3
    11 read     1        2048 = in_order
    12 send     3        4    = in_order
    20 r_first  1        1024 = response of 5
    21 r_last   2        1024 = response of 5
    22 ack      3             = response of 6)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 3U);
}

TEST(Requester, TellsALossBeforeTheCapturePointFromItsNak) {
  Stream stream;
  stream.play(R"(
     0 w_first  10 1024 = in_order
     2 w_middle 12 1024 = gap missing 1
     3 w_last   13 1024 = in_order
     9 nak      11      = response before
    15 w_middle 11 1024 = retransmission nak before by 4
    16 w_middle 12 1024 = retransmission nak of 2 by 4
    17 w_last   13 1024 = retransmission nak of 3 by 4
    30 ack      13      = response of 3)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles->lost_before, 1U);
  EXPECT_EQ(totals.troubles->lost_after, 0U);
  EXPECT_EQ(totals.troubles->recoveries, 1U);
  EXPECT_EQ(totals.troubles->resent_bytes, 2048U);
  EXPECT_EQ(totals.sums.messages, 1U);
  EXPECT_EQ(totals.sums.messages_completed, 1U);
  EXPECT_EQ(totals.troubles->capture_lost, 0U);
}

// The end of one message and the beginning of the next are missing, and come again.
TEST(Requester, DoesNotJoinMessagesWhileTheHoleBetweenThemMayBeFilled) {
  Stream stream;
  stream.play(R"(
     0 w_first  10 1024 = in_order
     2 w_last   14 100  = gap missing 3
     9 nak      12      = response before
    15 w_last   12 100  = retransmission nak before by 3
    16 w_first  13 1024 = retransmission nak before by 3
    17 w_last   14 100  = retransmission nak of 2 by 3
    30 ack      14      = response of 2)");
  EXPECT_EQ(stream.requester.totals().sums.messages, 2U);
  ASSERT_EQ(stream.news.ended.size(), 2U);
  EXPECT_EQ(stream.news.ended[0].last_psn, Psn(12));
  EXPECT_EQ(stream.news.ended[1].first_psn, Psn(13));
  EXPECT_EQ(stream.news.ended[1].bytes, 1124U);
}

TEST(Requester, TellsALossBehindTheCapturePoint) {
  Stream stream;
  stream.play(R"(
     0 w_first  10 1024 = in_order
     1 w_middle 11 1024 = in_order
     2 w_last   12 1024 = in_order
     9 nak      11      = response after of 2
    15 w_middle 11 1024 = retransmission nak after of 2 by 4
    16 w_last   12 1024 = retransmission nak of 3 by 4
    30 ack      12      = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 1U);
}

// The responder drops what comes behind a hole, and asks for it when its copy is lost (seen in captures of rdma_rxe).
TEST(Requester, TakesAPacketBehindAHoleForNotArrived) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 12 4 = gap missing 1
     2 send 13 4 = in_order
     9 nak  11   = response before
    15 send 11 4 = retransmission nak before by 4
    17 send 13 4 = retransmission nak missing 1 of 3 by 4
    20 nak  12   = response before of 2
    25 send 12 4 = retransmission nak before of 2 by 7
    26 send 13 4 = retransmission nak of 3 by 7
    30 ack  13   = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 2U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 0U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 2U);
}

TEST(Requester, DoesNotTakeCopiesThatOvertakeEachOtherForLost) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 12 4 = gap missing 1
     2 send 13 4 = in_order
     9 nak  11   = response before
    15 send 11 4 = retransmission nak before by 4
    17 send 13 4 = retransmission nak missing 1 of 3 by 4
    18 send 12 4 = retransmission nak of 2 by 4
    30 ack  13   = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
}

TEST(Requester, TakesANakForAPacketThatCameLateForReordering) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 12 4 = gap missing 1
     2 send 11 4 = out_of_order
     9 nak  11   = response of 3
    15 send 11 4 = retransmission nak of 3 by 4
    16 send 12 4 = retransmission nak of 2 by 4)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 0U);
}

/// The NAK was sent before what it asks for came: the responder has that, and what it is sent again is a duplicate there.
TEST(Requester, KnowsThatWhatCameLateArrivedAlthoughANakAsksForIt) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 12 4 = gap missing 1
     2 send 11 4 = out_of_order
     9 nak  11   = response of 3)");
  EXPECT_TRUE(stream.requester.has_arrived(Psn(11)));
  EXPECT_FALSE(stream.requester.has_arrived(Psn(12)));  // it was dropped: 11 was missing
}

TEST(Requester, TellsReorderingFromLoss) {
  Stream stream;
  stream.play(R"(
     0 w_first  10 1024 = in_order
     1 w_last   12 1024 = gap missing 1
     2 w_middle 11 1024 = out_of_order
    30 ack      12      = response of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 0U);
  EXPECT_EQ(stream.requester.totals().sums.messages, 1U);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 1U);
}

TEST(Requester, TakesAHoleFilledAfterLongForARetransmission) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 send 10 4 = in_order
        1 send 12 4 = gap missing 1
    68000 send 11 4 = retransmission timeout before
    68001 send 12 4 = retransmission timeout of 2)");
}

TEST(Requester, TellsATimeoutBySilence) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 send 10 4 = in_order
    67109 send 10 4 = retransmission timeout of 1
    67120 ack  10   = response of 1
    80000 send 11 4 = in_order
    90000 send 11 4 = retransmission unknown of 4)");
}

TEST(Requester, TellsTheCaptureThatSeesEveryPacketTwice) {
  Stream stream;
  stream.play(R"(
     0   send 10 4 = in_order
     0.5 send 10 4 = capture_duplicate of 1
     3   send 11 4 = in_order
     3.5 send 11 4 = capture_duplicate of 3
     9   ack  11   = response of 3
     9.5 ack  11   = duplicate_ack of 3)");
  EXPECT_EQ(stream.requester.totals().sums.payload_bytes, 8U);
}

TEST(Requester, TellsARequestThatComesAgainThoughItsAckWasSeen) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 send 10 4 = in_order
        9 ack  10   = response of 1
    67200 send 10 4 = retransmission ack_lost of 1
    67300 ack  10   = duplicate_ack of 1)");
  Stream slow;
  slow.requester.set_ack_timeout(67'000'000);
  slow.play(R"(
        0 send 10 4 = in_order
    67100 ack  10   = response of 1
    67500 send 10 4 = retransmission spurious of 1)");
}

TEST(Requester, TellsWaitingForAReceiver) {
  Stream stream;
  stream.play(R"(
      0 send 10 4 = in_order
      1 send 11 4 = in_order
      9 rnr  10   = response of 1
    700 send 10 4 = retransmission rnr of 1 by 3
    701 send 11 4 = retransmission rnr of 2 by 3
    710 ack  11   = response of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->rnr_naks, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 0U);
}

TEST(Requester, TakesWhatWasAcknowledgedAndNeverSeenForALossOfTheCapture) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 13 4 = gap missing 2
     9 ack  13   = response of 2
    12 ack  15   = ack_of_unseen missing 2
    13 send 16 4 = in_order)");
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 4U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(Requester, TakesAnAckThatTheCaptureHasBeforeItsRequestForWhatItIs) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     9 ack  11   = ack_of_unseen missing 1
    11 send 11 4 = in_order
    12 send 12 4 = in_order
    20 ack  12   = response of 4)");
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 0U);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 3U);
}

TEST(Requester, FollowsTheResponsesOfAREAD) {
  Stream stream;
  stream.play(R"(
     0 read     10 3000 = in_order
     1 read     13 3000 = in_order
     2 send     16 4    = in_order
     5 r_first  10 1024 = response of 1
     6 r_middle 11 1024 = response of 1
     7 r_last   12 952  = response of 1
     8 r_first  13 1024 = response of 2
    10 r_last   15 952  = read_response_gap missing 1 of 2
    11 ack      16      = response of 3
    40 read     14 1976 = retransmission implied_nak of 2
    45 r_first  14 1024 = read_response_retransmission of 2)");
}

TEST(Requester, LearnsThePathMtuFromWhatFollowsARead) {
  Stream stream(0);
  stream.play(R"(
     0 read 10 3000 = in_order
     1 send 12 4    = in_order
     2 read 13 3000 = in_order
     3 read 15 3000 = in_order
     4 read 17 3000 = in_order)");
  EXPECT_EQ(stream.requester.mtu(), 0U);  // between any two, something may have been missed
  stream.play("5 send 19 4 = in_order");
  EXPECT_EQ(stream.requester.mtu(), 2048U);
  Stream other(0);
  other.play(R"(
     0 read     10 3000 = in_order
     1 r_first  10 1024 = response of 1
     2 r_middle 11 1024 = response of 1
     3 r_last   12 952  = response of 1
     4 send     13 4    = in_order)");
  EXPECT_EQ(other.requester.mtu(), 1024U);
}

TEST(Requester, EndsARefusedMessage) {
  Stream stream;
  stream.play(R"(
     0 send   10 4 = in_order
     1 write  11 4 = in_order
     9 refuse 11   = response of 2)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->messages_refused, 1U);
}

TEST(Requester, IsBoundedWhereNothingIsEverAnswered) {
  Requester requester;
  const TrackOptions options;
  StreamNews news;
  std::uint64_t ended = 0;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    const Verdict verdict = requester.request(
        {.opcode = &opcode_info(0x04), .psn = Psn(i), .frame = i + 1, .time = i * 1000LL, .icrc = i}, options, news);
    ASSERT_EQ(verdict.kind, VerdictKind::kInOrder);
    ended += news.ended.size();
    news.ended.clear();
  }
  EXPECT_EQ(requester.open_messages().size(), Requester::kMostOpen);
  EXPECT_EQ(ended, 1'000'000 - Requester::kMostOpen);
}

TEST(Requester, StandsTimesThatNoClockShows) {
  constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(elapsed(kFirst, kLast), kLast);
  EXPECT_EQ(elapsed(kLast, kFirst), -kLast);
  EXPECT_EQ(elapsed(kFirst, kFirst), 0);
  EXPECT_EQ(elapsed(-5, 7), 12);
  EXPECT_EQ(elapsed(7, -5), -12);
}

TEST(Requester, ForgetsNothingThatIsOutstanding) {
  Stream stream;
  std::ostringstream recipe;
  for (int psn = 0; psn < 5000; ++psn) recipe << psn << " send " << psn << " 4 = in_order\n";
  recipe << "6000 nak 0 = response after of 1\n";
  recipe << "6001 send 0 4 = retransmission nak after of 1 by 5001\n";
  stream.play(recipe.str());
}

}  // namespace
}  // namespace rocescope
