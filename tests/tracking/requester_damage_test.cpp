// Packets that came by with a wrong ICRC, on short sequences: their receiver drops them.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(RequesterDamage, IsReportedWithItsNakAndItsCopy) {
  Stream stream;
  stream.play(R"(
     0 send    10 4 = in_order
     1 corrupt 11   =
     2 send    12 4 = in_order
     9 nak     11   = response corrupt
    15 send    11 4 = retransmission nak corrupt of 2 by 4
    16 corrupt 12   =
    17 send    13 4 = in_order
    20 nak     12   = response corrupt of 3
    25 send    12 4 = retransmission nak corrupt of 6 by 8
    26 send    13 4 = retransmission nak of 7 by 8)");
  EXPECT_EQ(stream.requester.totals().troubles->corrupt, 2U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterDamage, IsReportedOnceHoweverOften) {
  Stream stream;
  stream.play(R"(
     0 send    10 4 = in_order
     1 corrupt 11   =
     2 send    12 4 = in_order
     9 nak     11   = response corrupt
    15 corrupt 11   =
    16 send    12 4 = retransmission nak of 3 by 4
    19 nak     11   = response corrupt
    25 send    11 4 = retransmission nak corrupt of 5 by 7
    26 send    12 4 = retransmission nak of 3 by 7
    39 nak     11   = response after of 8
    45 send    11 4 = retransmission nak after of 8 by 10)");
}

TEST(RequesterDamage, OfOneThatNobodySawWholeIsNoLossWhenARecoveryDoesNotSendIt) {
  Stream stream;  // impaired_out-corrupt_heavy: 11 is damaged twice, and sent again after a timeout
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
         0 send    10 4 = in_order
         1 corrupt 11   =
         2 send    12 4 = in_order
         9 nak     11   = response corrupt
        15 corrupt 11   =
        16 send    12 4 = retransmission nak of 3 by 4
        17 send    13 4 = in_order
     67300 send    11 4 = retransmission timeout corrupt of 5
     67301 send    12 4 = retransmission timeout of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterDamage, IsReportedForTheLastPacketOfAll) {
  Stream stream;  // it is the next PSN, but nobody begins a new message in the middle of a recovery
  stream.play(R"(
     0 send    10 4 = in_order
     2 send    12 4 = gap missing 1
     3 corrupt 13   =
     9 nak     11   = response before
    15 send    11 4 = retransmission nak before by 4
    16 send    12 4 = retransmission nak of 2 by 4
    17 send    13 4 = retransmission nak corrupt of 3 by 4
    30 ack     13   = response of 7)");
  Stream other;  // damaged in its PSN, which is 11
  other.play(R"(
     0 send    10 4 = in_order
     1 corrupt 12   =
     2 send    12 4 = in_order
     9 nak     11   = response corrupt
    15 send    11 4 = retransmission nak corrupt of 2 by 4
    16 send    12 4 = retransmission nak of 3 by 4)");
  EXPECT_EQ(other.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterDamage, OfAPsnTakesThePlaceOfThePacketThatIsMissing) {
  Stream stream;
  stream.play(R"(
     0 send    10 4 = in_order
     1 corrupt 4107 =
     2 corrupt 12   =
     3 send    14 4 = gap missing 1
     9 nak     11   = response corrupt
    15 corrupt 524299 =
    16 send    12 4 = retransmission nak corrupt of 3 by 5
    17 send    13 4 = retransmission nak before by 5
    18 send    14 4 = retransmission nak of 4 by 5
    19 nak     11   = response corrupt
    25 send    11 4 = retransmission nak corrupt of 6 by 10)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->corrupt, 3U);
}

TEST(RequesterDamage, OfAPsnAtTheEndTakesTheNextPlace) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
         0 send    10 4 = in_order
         1 corrupt 4107 =
         9 ack     10   = response of 1
     67300 send    11 4 = in_order
     67309 ack     11   = response of 4)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterDamage, ThatOnlyTheCaptureHasIsNoLossOfTheCapture) {
  Stream stream;  // a mirror damaged the copies: what was sent arrived
  stream.play(R"(
     0 send      10 4    = in_order
     1 corrupt   11      =
     2 send      12 4    = in_order
     3 corrupt   4109    =
     9 ack       13      = response
    11 read      14 3072 = in_order
    12 r_first   14 1024 = response of 6
    13 r_corrupt 15      =
    14 r_last    16 1024 = response of 6
    15 send      17 4    = in_order
    19 ack       17      = response of 10)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.troubles->capture_lost, 0U);
  EXPECT_EQ(totals.troubles->missing, 0U);
  EXPECT_EQ(totals.troubles->read_responses_missing, 0U);
  EXPECT_EQ(totals.troubles->corrupt, 2U);
  EXPECT_EQ(totals.troubles->corrupt_responses, 1U);
  EXPECT_EQ(stream.requester.recovery(), nullptr);
}

}  // namespace
}  // namespace rocescope
