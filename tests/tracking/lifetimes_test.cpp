// Queue pair numbers that are used again, and connections that only seem to end.
#include <gmock/gmock.h>

#include "network.hpp"

namespace rocescope {
namespace {

using testing::Network;

/// A run of three SENDs and their ACKs: connection 1, PSNs 100 to 102, MSNs 1 to 3, within 250 us.
constexpr const char* kRun = R"(
     0 1>2:17 send 100 4 = 1 in_order
    50 2>1:21 ack  100 1 = 1 response of 1
   100 1>2:17 send 101 4 = 1 in_order
   150 2>1:21 ack  101 2 = 1 response of 3
   200 1>2:17 send 102 4 = 1 in_order
   250 2>1:21 ack  102 3 = 1 response of 5)";

TEST(Lifetimes, BeginWithPsnsThatNothingWasNear) {
  Network network;
  network.play(kRun);
  network.play(R"(
    100000 1>2:17 send 7000000 4 = 2 in_order
    100050 2>1:21 ack  7000000 1 = 2 response of 7
    100100 1>2:17 send 7000001 4 = 2 in_order)");
  EXPECT_EQ(network.connection(1).sides[0].messages_completed(), 3U);
  EXPECT_EQ(network.connection(1).last_time, 250'000);
  EXPECT_EQ(network.connection(1).sides[0].missing_psns(), 0U);
  EXPECT_EQ(network.connection(2).sides[0].messages(), 2U);
  EXPECT_EQ(network.connection(2).sides[0].traffic.packets, 2U);
  EXPECT_EQ(network.connection(2).sides[1].traffic.packets, 1U);
  EXPECT_EQ(network.connection(2).paired_by, PairedBy::kPsn);
}

TEST(Lifetimes, DoNotEndWithOneOddPacket) {
  Network network;
  network.play(kRun);
  network.play(R"(
    300 1>2:17 send 7000000 4 = 2 in_order
    350 1>2:17 send 103     4 = 1 in_order
    400 2>1:21 ack  103     4 = 1 response of 8
    450 1>2:17 send 9000000 4 = 3 in_order
    451 1>2:17 send 9000000 4 = 3 capture_duplicate of 10
    500 1>2:17 send 104     4 = 1 in_order)");
  EXPECT_EQ(network.connection(1).sides[0].messages(), 5U);
  EXPECT_EQ(network.connection(1).sides[0].missing_psns(), 0U);
}

TEST(Lifetimes, EndWhereTheMsnBeginsAgainThoughThePsnsAreTheSame) {
  Network network;
  network.play(kRun);
  // What the requests are is not known before the response.
  network.play(R"(
    100000 1>2:17 send 100 4 = 1 retransmission ack_lost of 1
    100010 1>2:17 send 101 4 = 1 retransmission ack_lost of 3
    100050 2>1:21 ack  100 1 = 2 response of 7
    100060 2>1:21 ack  101 2 = 2 response of 8
    100100 1>2:17 send 102 4 = 2 in_order)");
  EXPECT_EQ(network.connection(1).sides[0].verdicts(VerdictKind::kRetransmission), 0U);
  EXPECT_EQ(network.connection(1).sides[0].traffic.packets, 3U);
  EXPECT_EQ(network.connection(1).last_time, 250'000);
  EXPECT_EQ(network.connection(1).sides[0].sightings.find(FindingId::kRetransmissions), nullptr);
  EXPECT_EQ(network.connection(2).first_time, 100'000'000);
  EXPECT_EQ(network.connection(2).sides[0].verdicts(VerdictKind::kInOrder), 3U);
  EXPECT_EQ(network.connection(2).sides[0].messages_completed(), 2U);
  EXPECT_EQ(network.connection(2).sides[0].traffic.packets, 3U);
}

TEST(Lifetimes, GoOnWhereTheAckOfWhatWasSentAgainHasTheOldMsn) {
  Network network;
  network.play(kRun);
  network.play(R"(
    100000 1>2:17 send 101 4 = 1 retransmission ack_lost of 3
    100010 1>2:17 send 102 4 = 1 retransmission ack_lost of 5
    100050 2>1:21 ack  102 3 = 1 duplicate_ack of 5
    100100 1>2:17 send 103 4 = 1 in_order)");
  EXPECT_EQ(network.connection(1).sides[0].verdicts(VerdictKind::kRetransmission), 2U);
}

TEST(Lifetimes, GoOnAfterAnyPauseWithTheNextPsn) {
  Network network;
  network.play(kRun);
  network.play(R"(
    600000000   1>2:17 send 103 4 = 1 in_order
    600000050   2>1:21 ack  103 4 = 1 response of 7
    90000000000 1>2:17 send 104 4 = 1 in_order)");
}

TEST(Lifetimes, GoOnBehindAHoleOfTheCapture) {
  Network network;
  network.play(kRun);
  network.play(R"(
    1000000 1>2:17 send 9103 4    = 1 gap missing 9000
    1000050 2>1:21 ack  9103 9004 = 1 response of 7
    1000100 1>2:17 send 9104 4    = 1 in_order)");
  EXPECT_EQ(network.connection(1).sides[0].capture_lost(), 9000U);
}

TEST(Lifetimes, GoOnWherePsnsWrap) {
  Network network;
  network.play(R"(
     0 1>2:17 send 16777214 4 = 1 in_order
    50 2>1:21 ack  16777214 1 = 1 response of 1
   100 1>2:17 send 16777215 4 = 1 in_order
   110 1>2:17 send 0        4 = 1 in_order
   150 2>1:21 ack  0        3 = 1 response of 4)");
}

TEST(Lifetimes, EndInBothDirectionsAtOnce) {
  Network network;
  network.play(R"(
     0 1>2:17 send 100 4 = 1 in_order
    50 2>1:21 ack  100 1 = 1 response of 1
   100 2>1:21 send 500 4 = 1 in_order
   150 1>2:17 ack  500 1 = 1 response of 3
   100000 2>1:21 send 9000000 4 = 2 in_order
   100010 1>2:17 send 4000000 4 = 3 in_order
   100050 2>1:21 ack  4000000 1 = 3 response of 6
   100060 1>2:17 ack  9000000 1 = 3 response of 5)");
  EXPECT_EQ(network.connection(1).last_time, 150'000);
  EXPECT_EQ(network.connection(3).sides[0].messages_completed() + network.connection(3).sides[1].messages_completed(),
            2U);
}

TEST(Lifetimes, BeginWithTheFirstRequestOfASideWhereTheOtherBeginsAnewToo) {
  Network network;
  network.play(kRun);
  network.play(R"(
    100000 2>1:21 send 500     4 = 1 in_order
    100050 1>2:17 ack  500     1 = 1 response of 7
    100100 1>2:17 send 7000000 4 = 2 in_order
    100150 2>1:21 ack  7000000 1 = 2 response of 9)");
  EXPECT_EQ(network.connection(1).sides[1].messages(), 0U);
  EXPECT_EQ(network.connection(1).last_time, 250'000);
  EXPECT_EQ(network.connection(2).sides[0].messages_completed(), 1U);
  EXPECT_EQ(network.connection(2).sides[1].messages_completed(), 1U);
}

}  // namespace
}  // namespace rocescope
