// What a capture does not show, on short sequences: the other order of its two directions, what came before it began, and headers
// that it cut.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(RequesterLimits, AnAckThatTheFileHasBeforeItsRequestDoesNotMakeItLate) {
  Stream stream;
  stream.play(R"(
     0   send 10 4 = in_order
     5   ack  10   = response of 1
    20   ack  11   = ack_of_unseen missing 1
    31   send 11 4 = in_order
    40   send 12 4 = in_order
    45   ack  13   = ack_of_unseen missing 1
    50   send 13 4 = in_order)");
  EXPECT_EQ(stream.requester.totals().of(VerdictKind::kOutOfOrder), 0U);
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 0U);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 4U);
}

TEST(RequesterLimits, ARequestBehindALaterOneIsLateUntilItIsAcknowledged) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 12 4 = gap missing 1
     2 send 11 4 = out_of_order)");
}

TEST(RequesterLimits, WhatComesBackFromBeforeTheCaptureBeganIsNotLate) {
  Stream stream;
  stream.play(R"(
      0 ack  11   = response
    100 send 15 4 = in_order
    700 send 12 4 = in_order
    701 send 13 4 = in_order
    702 send 14 4 = in_order
    703 send 15 4 = retransmission unknown of 2
    730 ack  15   = response of 2)");
  EXPECT_EQ(stream.requester.totals().of(VerdictKind::kOutOfOrder), 0U);
}

TEST(RequesterLimits, APacketThatComesAgainIsOfItsMessageThatEnded) {
  Stream stream;
  stream.play(R"(
      0 s_first  10 1024 = in_order
      2 s_last   12 4    = gap missing 1
      3 send     13 4    = in_order
      9 ack      13      = response of 3
   9000 s_middle 11 1024 = retransmission ack_lost)");
  EXPECT_EQ(stream.requester.totals().sums.messages, 2U);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 2U);
}

/// 8 PSNs each; the second of three READs was missed.
TEST(RequesterLimits, TheDistanceOfTwoReadsAloneShowsNoPathMtu) {
  Stream stream(0);
  stream.play(R"(
     0 read 10 8192 = in_order
     1 read 26 8192 = in_order
     2 read 34 8192 = in_order
     3 read 50 8192 = in_order)");
  EXPECT_EQ(stream.requester.mtu(), 0U);
  stream.play("9 r_first 10 1024 = response of 1");
  EXPECT_EQ(stream.requester.mtu(), 1024U);
  EXPECT_EQ(stream.requester.open_messages()[3].last_psn, Psn(57));
}

TEST(RequesterLimits, AReadWithoutItsRethTakesThePsnsUpToTheNextRequest) {
  Stream stream;
  stream.play(R"(
     0 cut_read 10      = in_order
     1 cut_read 14      = in_order
     5 r_first  10 1024 = response of 1
     6 r_middle 11 1024 = response of 1
     7 r_middle 12 1024 = response of 1
     8 r_last   13 1024 = response of 1
     9 r_first  14 1024 = response of 2
    10 r_last   15 1024 = response of 2
    20 send     16 4    = in_order
    29 ack      16      = response of 9)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles.get(), nullptr);
  EXPECT_EQ(totals.sums.messages, 3U);
  EXPECT_EQ(totals.sums.messages_completed, 3U);
}

TEST(RequesterLimits, AReadWithoutItsRethIsAskedForAgain) {
  Stream stream;
  stream.play(R"(
     0   cut_read 10      = in_order
     5   r_first  10 1024 = response of 1
     6   r_last   13 1024 = read_response_gap missing 2 of 1
    40   cut_read 11      = retransmission implied_nak of 1
    45   r_first  11 1024 = read_response_retransmission of 1
    46   r_middle 12 1024 = read_response_retransmission of 1
    47   r_last   13 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 0U);
}

TEST(RequesterLimits, AReadThatTheCaptureMissedIsOnePacket) {
  Stream stream;
  stream.play(R"(
     0 send     10 4    = in_order
     5 ack      10      = response of 1
    20 r_first  11 1024 = ack_of_unseen missing 1
    21 r_middle 12 1024 = ack_of_unseen
    22 r_middle 13 1024 = ack_of_unseen
    23 r_last   14 1024 = ack_of_unseen
    30 send     15 4    = in_order
    35 ack      15      = response of 7
    40 r_last   19 1024 = ack_of_unseen missing 1
    50 send     20 4    = in_order)");
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 2U);
}

TEST(RequesterLimits, AReadThatTheCaptureMissedBeforeAnotherIsOnePacket) {
  Stream stream;
  stream.play(R"(
     0 send     10 4    = in_order
     5 ack      10      = response of 1
    10 read     15 1024 = gap missing 4
    20 r_first  11 1024 = stale
    21 r_middle 12 1024 = stale
    22 r_middle 13 1024 = stale
    23 r_last   14 1024 = stale
    24 r_only   15 1024 = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 1U);
}

TEST(RequesterLimits, AReadBehindItsResponsesIsNotLate) {
  Stream stream;
  stream.play(R"(
     0 send     10 4    = in_order
     5 ack      10      = response of 1
    20 r_first  11 1024 = ack_of_unseen missing 1
    21 r_last   12 1024 = ack_of_unseen
    30 read     11 2048 = in_order
    40 send     13 4    = in_order
    45 ack      13      = response of 6)");
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 0U);
  EXPECT_EQ(stream.requester.totals().sums.messages, 3U);
}

TEST(RequesterLimits, AReadWithoutItsRethThatComesLateHasThePsnsUpToTheNextRequest) {
  Stream stream;
  stream.play(R"(
     0 send     10 4    = in_order
     5 ack      10      = response of 1
    10 cut_read 19      = gap missing 8
    15 nak      11      = response before
    20 cut_read 11      = retransmission nak before by 4
    25 r_first  11 1024 = response of 5
    26 r_middle 12 1024 = response of 5
    27 r_middle 15 1024 = read_response_gap missing 2 of 5
    60 cut_read 13      = retransmission implied_nak of 5
    65 r_first  13 1024 = read_response_retransmission of 5
    66 r_last   18 1024 = read_response_gap missing 2 of 5
    70 r_only   19 1024 = response of 3)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles->capture_lost, 0U);
  EXPECT_EQ(totals.sums.messages, 3U);
}

TEST(RequesterLimits, SeveralReadsWithoutTheirRethThatComeLateAreSeveral) {
  Stream stream;
  stream.play(R"(
     0 send     10 4    = in_order
     5 ack      10      = response of 1
    10 cut_read 23      = gap missing 12
    15 nak      11      = response before
    20 cut_read 11      = retransmission nak before by 4
    21 cut_read 19      = retransmission nak before by 4
    25 r_last   18 1024 = read_response_gap missing 7 of 5
    26 r_first  19 1024 = response of 6
    27 r_only   23 1024 = response of 3)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles->capture_lost, 0U);
  EXPECT_EQ(totals.sums.messages, 4U);
}

// A hole of millions of PSNs is no READ.
TEST(RequesterLimits, AReadWithoutItsRethExplainsNoLargeHole) {
  Stream stream;
  stream.play(R"(
     0 cut_read 10        = in_order
     1 send     5000000 4 = gap missing 4999989)");
}

}  // namespace
}  // namespace rocescope
