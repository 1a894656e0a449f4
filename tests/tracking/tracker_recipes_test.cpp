// Several connections at once, on short sequences: what is whose.
#include <gmock/gmock.h>

#include "network.hpp"

namespace rocescope {
namespace {

using testing::Network;

TEST(TrackerRecipes, KeepQueuePairsOfTheSameNumberAtSeveralHostsApart) {
  Network network;
  network.play(R"(
     0 1>2:17 send 100 4 = 1 in_order
     1 1>3:17 send 200 4 = 2 in_order
     2 4>2:17 send 100 4 = 3 in_order
     3 1>2:17 send 102 4 = 1 gap missing 1
     4 1>3:17 send 201 4 = 2 in_order
     5 4>2:17 send 101 4 = 3 in_order
     9 2>1:21 nak  101   = 1 response before
    10 3>1:22 ack  201   = 2 response of 5
    11 2>4:21 ack  101   = 3 response of 6
    20 1>2:17 send 101 4 = 1 retransmission nak before by 7
    21 1>2:17 send 102 4 = 1 retransmission nak of 4 by 7
    22 1>3:17 send 202 4 = 2 in_order
    30 2>1:21 ack  102   = 1 response of 4)");
  EXPECT_EQ(network.connection(1).sides[0].lost_before(), 1U);
  EXPECT_EQ(network.connection(2).sides[0].recoveries(), 0U);
  EXPECT_EQ(network.connection(3).sides[0].recoveries(), 0U);
  EXPECT_EQ(network.connection(3).sides[0].messages_completed(), 2U);
}

TEST(TrackerRecipes, TakeNoConnectionForACandidateThatWasJoinedWithAnother) {
  Network network;  // packet 3 may answer 1 or 2; then 5 shows whose requests 1 are
  network.play(R"(
     0 2>1:31 send 500 4 = 1 in_order
     1 2>1:32 send 500 4 = 2 in_order
     5 1>2:21 ack  500   = 3 response
    10 1>2:22 send 100 4 = 4 in_order
    11 1>2:22 send 101 4 = 4 in_order
    15 2>1:31 ack  100   = 1 response
    16 2>1:31 ack  101   = 4 response of 5
    20 2>1:31 send 501 4 = 4 in_order
    21 2>1:32 send 501 4 = 2 in_order
    22 2>1:32 send 502 4 = 2 in_order
    25 1>2:21 ack  501   = 2 response of 9
    26 1>2:21 ack  502   = 2 response of 10)");
  EXPECT_EQ(network.connection(4).paired_by, PairedBy::kPsn);
  EXPECT_EQ(network.connection(2).paired_by, PairedBy::kPsn);
}

TEST(TrackerRecipes, LeaveAQueuePairThatSendsToItselfOneFlow) {
  Network network;
  network.play(R"(
     0 1>1:17 write 100 8 = 1 in_order
     5 1>1:17 ack   100   = 1 response
     6 1>1:17 ack   100   = 1 response
    10 1>1:17 write 101 8 = 1 in_order
    15 1>1:17 ack   101   = 1 response)");
  EXPECT_EQ(network.connection(1).paired_by, PairedBy::kNothing);
}

TEST(TrackerRecipes, FollowBothSidesOfAConnectionThatBothAsk) {
  Network network;  // with the same PSNs, as NCCL's queue pairs have
  network.play(R"(
     0 1>2:17 send    100 4    = 1 in_order
     5 2>1:21 ack     100      = 1 response of 1
    10 1>2:17 w_first 101 1024 = 1 in_order
    11 2>1:21 w_first 101 1024 = 1 in_order
    13 2>1:21 w_last  103 4    = 1 gap missing 1
    14 1>2:17 w_last  102 4    = 1 in_order
    18 1>2:17 nak     102      = 1 response before
    19 2>1:21 ack     102      = 1 response of 6
    25 2>1:21 w_middle 102 1024 = 1 retransmission nak before by 7
    26 2>1:21 w_last  103 4    = 1 retransmission nak of 5 by 7
    30 1>2:17 ack     103      = 1 response of 5)");
  const Connection& connection = network.connection(1);
  EXPECT_EQ(connection.sides[0].recoveries(), 0U);
  EXPECT_EQ(connection.sides[0].messages_completed(), 2U);
  EXPECT_EQ(connection.sides[1].recoveries(), 1U);
  EXPECT_EQ(connection.sides[1].messages_completed(), 1U);
}

TEST(TrackerRecipes, GoRoundAtTheEndOfThePsnsInBothDirections) {
  Network network;
  network.play(R"(
     0 1>2:17 send 16777215 4 = 1 in_order
     5 2>1:21 ack  16777215   = 1 response of 1
    10 1>2:17 send 0        4 = 1 in_order
    11 2>1:21 send 16777214 4 = 1 in_order
    12 2>1:21 send 0        4 = 1 gap missing 1
    13 1>2:17 nak  16777215   = 1 response before
    15 2>1:21 ack  0          = 1 response of 3
    20 2>1:21 send 16777215 4 = 1 retransmission nak before by 6
    21 2>1:21 send 0        4 = 1 retransmission nak of 5 by 6
    30 1>2:17 ack  0          = 1 response of 5)");
  EXPECT_EQ(network.connection(1).sides[0].lost_before(), 0U);
  EXPECT_EQ(network.connection(1).sides[1].lost_before(), 1U);
}

TEST(TrackerRecipes, GiveACnpToTheConnectionWhoseRequesterHasItsQueuePair) {
  Network network;  // the notification point answers the requester's queue pair, as ACKs do
  network.play(R"(
     0 1>2:17 send 100 4 = 1 in_order
     1 1>3:17 send 200 4 = 2 in_order
     5 2>1:21 ack  100   = 1 response of 1
     6 3>1:22 ack  200   = 2 response of 2
     7 3>1:22 cnp  0     = 2
     8 3>1:22 cnp  0     = 2
     9 2>1:22 cnp  0     = 0
    10 2>1:21 cnp  0     = 1)");
  const auto cnps = [&](std::uint32_t number, std::size_t side) {
    return network.connection(number).sides[side].cnp_packets;
  };
  EXPECT_EQ(cnps(1, 0), 0U);
  EXPECT_EQ(cnps(1, 1), 1U);
  EXPECT_EQ(cnps(2, 0), 0U);
  EXPECT_EQ(cnps(2, 1), 2U);
}

TEST(TrackerRecipes, TakeACnpForNoEvidenceOfAConnection) {
  Network network;  // its PSN says nothing
  network.play(R"(
     0 1>2:17 send 100 4 = 1 in_order
     1 2>1:21 cnp  100   = 0
     5 2>1:21 ack  100   = 1 response of 1
     6 2>1:21 cnp  100   = 1)");
}

TEST(TrackerRecipes, TakeTheSameNumberInTheOtherDirectionForAnotherQueuePair) {
  Network network;  // 17 of host 1 is not 17 of host 2
  network.play(R"(
     0 1>2:17 send 100 4 = 1 in_order
     1 2>1:17 send 500 4 = 2 in_order
     2 1>2:17 send 101 4 = 1 in_order
     3 2>1:17 send 501 4 = 2 in_order)");
}

TEST(TrackerRecipes, FollowOnceItIsKnownWhatIsSeenInOneDirectionOnly) {
  Network network;  // a mirror of one port: the other direction is unknown, and nothing is concluded about it
  network.play(R"(
     0 1>2:17 send 100 4 = 1 in_order
     1 1>2:17 send 101 4 = 1 in_order
     2 1>2:17 send 103 4 = 1 gap missing 1
  5000 1>2:17 send 102 4 = 1 retransmission timeout before
  5001 1>2:17 send 103 4 = 1 retransmission timeout of 3)");
  EXPECT_EQ(network.connection(1).sides[0].most_in_flight().packets, 0U);
}

// What one direction showed of the path MTU, before the other was joined with it, holds for that one: PSN 504 is one of its READ.
TEST(TrackerRecipes, ADirectionThatIsJoinedTakesThePathMtuOfTheOther) {
  testing::Network network;
  network.play(R"(
      0 1>2:17 w_first 100 1024 = 1 in_order
      1 1>2:17 w_last  101 10   = 1 in_order
      2 1>2:17 ack     400      = 1 response
      3 2>1:33 send    500 10   = 2 in_order
      4 2>1:33 ack     101      = 1 response of 2
      5 1>2:17 send    102 10   = 1 in_order
      6 2>1:33 read    501 4096 = 1 in_order
      7 2>1:33 send    504 10   = 1 used_psn of 7
  )");
}

}  // namespace
}  // namespace rocescope
