// ACKs, NAKs and retransmissions that are lost themselves, and what the capture lacks, on short sequences.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::kAckTimeout;
using testing::Stream;

constexpr std::int64_t kTimeout = 67'000'000;

TEST(RequesterLost, AckBeforeTheCaptureLooksAsATimeout) {
  Stream stream;
  stream.requester.set_ack_timeout(kTimeout);
  stream.play(R"(
         0 send 10 4 = in_order
     67200 send 10 4 = retransmission timeout of 1
     67209 ack  10   = response of 1)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before + stream.requester.totals().troubles->lost_after, 0U);
}

TEST(RequesterLost, AckIsMadeUpForByTheNextOne) {
  Stream stream;
  stream.play(R"(
         0 send 10 4 = in_order
         1 send 11 4 = in_order
         9 ack  11   = response of 2
        20 send 12 4 = in_order)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 2U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 0U);
}

TEST(RequesterLost, AckBehindTheCaptureMakesARetransmissionThatIsAcknowledgedAgain) {
  Stream stream;
  stream.requester.set_ack_timeout(kTimeout);
  stream.play(R"(
         0 send 10 4 = in_order
         1 send 11 4 = in_order
         9 ack  10   = response of 1
        10 ack  11   = response of 2
     67200 send 10 4 = retransmission ack_lost of 1
     67201 send 11 4 = retransmission ack_lost of 2
     67210 ack  11   = duplicate_ack of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 2U);
}

TEST(RequesterLost, NakBeforeTheCaptureLeavesATimeout) {
  Stream stream;
  stream.requester.set_ack_timeout(kTimeout);
  stream.play(R"(
         0 send 10 4 = in_order
         2 send 12 4 = gap missing 1
         9 ack  10   = response of 1
     67200 send 11 4 = retransmission timeout before
     67201 send 12 4 = retransmission timeout of 2
     67210 ack  12   = response of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

TEST(RequesterLost, NakThatWasLostBehindTheCaptureShowsWhereTheRequestWasLost) {
  Stream stream;
  stream.requester.set_ack_timeout(kTimeout);
  stream.play(R"(
         0 send 10 4 = in_order
         1 send 11 4 = in_order
         2 send 12 4 = in_order
         9 nak  11   = response after of 2
     67200 send 11 4 = retransmission timeout after of 2
     67201 send 12 4 = retransmission timeout of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_after, 1U);
}

TEST(RequesterLost, RetransmissionBeforeTheCaptureIsShownByTheNextNak) {
  Stream stream;
  stream.play(R"(
         0 send 10 4 = in_order
         2 send 12 4 = gap missing 1
         9 nak  11   = response before
        21 send 12 4 = retransmission nak missing 1 of 2 by 3
        29 nak  11   = response before
        40 send 11 4 = retransmission nak before by 5
        41 send 12 4 = retransmission nak of 2 by 5
        50 ack  12   = response of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 2U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 2U);
}

TEST(RequesterLost, RetransmissionBehindTheCaptureIsSentAgainAfterATimeout) {
  Stream stream;  // the only one of the recovery: nothing behind it makes the responder ask again
  stream.requester.set_ack_timeout(kTimeout);
  stream.play(R"(
         0 send 10 4 = in_order
         1 send 11 4 = in_order
         9 nak  11   = response after of 2
        15 send 11 4 = retransmission nak after of 2 by 3
     67300 send 11 4 = retransmission timeout of 2
     67309 ack  11   = response of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 2U);
}

TEST(RequesterLost, ByTheCaptureAreRequestsOfWhichOnlyAnswersAreSeen) {
  Stream stream;
  stream.play(R"(
         0 send    10 4    = in_order
         9 ack     10      = response of 1
        19 ack     11      = ack_of_unseen missing 1
        20 read    12 2048 = in_order
        30 r_last  13 1024 = read_response_gap missing 1 of 4
        31 send    15 4    = gap missing 1
        40 ack     15      = response of 6)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles->capture_lost, 2U);
  EXPECT_EQ(totals.troubles->lost_before + totals.troubles->lost_after, 0U);
  EXPECT_EQ(totals.troubles->recoveries, 0U);
}

TEST(RequesterLost, ByTheCaptureIsAlsoTheNakOfARecovery) {
  Stream stream;  // the packets come again too soon for a timeout: where they were lost stays open
  stream.requester.set_ack_timeout(kTimeout);
  stream.play(R"(
         0 send 10 4 = in_order
         1 send 11 4 = in_order
         2 send 12 4 = in_order
         9 ack  10   = response of 1)");
  stream.icrc_salt = 1;
  stream.play(R"(
        20 send 11 4 = retransmission unknown of 2
        21 send 12 4 = retransmission unknown of 3
        30 ack  12   = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before + stream.requester.totals().troubles->lost_after, 0U);
}

TEST(RequesterLost, KnowsWhatTheResponderExpectsBehindAReadOfUnknownSpan) {
  Stream stream(0);
  stream.play(R"(
     0 read 10 3000 = in_order
     1 send 13 4    = in_order
     2 send 14 4    = in_order
     9 nak  13      = response after of 2)");
}

/// The NAK acknowledges what was seen of the first WRITE, not its last packet, which comes behind those of the next WRITE.
TEST(RequesterLost, LastPacketThatIsAskedForEndsItsMessage) {
  Stream stream;
  stream.play(R"(
         0 w_first  10 1024 = in_order
         1 w_middle 11 1024 = in_order
         2 w_first  14 1024 = gap missing 2
         9 nak      13      = response before)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 0U);
  stream.play(R"(
        20 w_last   13 1024 = retransmission nak before by 4
        30 ack      13      = response of 5)");
  EXPECT_EQ(stream.requester.totals().sums.messages, 2U);
}

/// A requester that did not get the NAK in time, or did not follow it: the responder waits for that packet all the same.
TEST(RequesterLost, PacketThatIsAskedForIsAwaitedWhateverTheRecoveryBeganWith) {
  Stream stream;
  stream.requester.set_ack_timeout(kAckTimeout);
  stream.play(R"(
         0 send 10 4 = in_order
         2 send 12 4 = gap missing 1
         9 nak  11   = response before
     67200 send 11 4 = retransmission timeout before
     67201 send 12 4 = retransmission timeout of 2
     67210 ack  12   = response of 2)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_awaited, 1U);
}

}  // namespace
}  // namespace rocescope
