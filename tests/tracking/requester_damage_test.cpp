// Packets that came by with a wrong ICRC, on short sequences: their receiver drops them.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(RequesterDamage, IsToldWithItsNakAndItsCopy) {
  Stream stream;
  stream.play(R"(
     0 send    10 4 = in_order
     1 corrupt 11   =
     2 send    12 4 = gap missing 1
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

TEST(RequesterDamage, IsToldOnceHoweverOften) {
  Stream stream;
  stream.play(R"(
     0 send    10 4 = in_order
     1 corrupt 11   =
     2 send    12 4 = gap missing 1
     9 nak     11   = response corrupt
    15 corrupt 11   =
    16 send    12 4 = retransmission nak missing 1 of 3 by 4
    19 nak     11   = response corrupt
    25 send    11 4 = retransmission nak corrupt of 5 by 7
    26 send    12 4 = retransmission nak of 3 by 7
    39 nak     11   = response after of 8
    45 send    11 4 = retransmission nak after of 8 by 10)");
}

TEST(RequesterDamage, IsToldOfTheLastPacketOfAll) {
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
     2 send    12 4 = gap missing 1
     9 nak     11   = response before
    15 send    11 4 = retransmission nak before by 4
    16 send    12 4 = retransmission nak of 3 by 4)");
}

}  // namespace
}  // namespace rocescope
