// Originals and copies on short sequences, distinguished by the sender's IPv4 identification.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

/// Five packets, from which the order of the sender is known.
constexpr const char* kFive = R"(
      0 send 10 4 #100 = in_order
      1 send 11 4 #101 = in_order
      2 send 12 4 #103 = in_order
      3 send 13 4 #104 = in_order
      4 send 14 4 #106 = in_order)";

TEST(RequesterOrder, TellsALateOriginalFromTheCopyThatIsOnItsWay) {
  Stream stream;
  stream.play(kFive);
  stream.play(R"(
      5 send 16 4 #108 = gap missing 1
     14 nak  15        = response before
   2000 send 15 4 #107 = out_of_order
   2010 send 15 4 #109 = retransmission nak of 8 by 7
   2011 send 16 4 #110 = retransmission nak of 6 by 7
   2020 ack  16        = response of 6)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

TEST(RequesterOrder, TellsAnOriginalThatItsCopyOvertook) {
  Stream stream;
  stream.play(kFive);
  stream.play(R"(
      5 send 16 4 #108 = gap missing 1
     14 nak  15        = response before
     20 send 15 4 #109 = retransmission nak before by 7
     21 send 16 4 #110 = retransmission nak of 6 by 7)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 1U);
  stream.play("300 send 15 4 #107 = out_of_order of 8");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
  stream.play("310 ack 16 = response of 6");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
}

/// 11 may have overtaken 10 by as much as 14 was late, and have come by before the capture began; 17 was lost later.
TEST(RequesterOrder, CallsNothingLostThatMayHaveComeBeforeTheCapture) {
  for (const bool is_set_up : {false, true}) {
    Stream stream;
    if (!is_set_up) stream.watched_since = 0;
    stream.play(R"(
       0 send 10 4 #100 = in_order
       2 ack  10        = response of 1
     600 send 12 4 #102 = gap missing 1
     610 nak  11        = response before
     700 send 13 4 #103 = in_order
     710 send 15 4 #105 = gap missing 1
    2000 send 14 4 #104 = out_of_order)");
    stream.play(is_set_up ? "9000 send 11 4 #106 = retransmission nak before by 4"
                          : "9000 send 11 4 #106 = retransmission nak by 4");
    stream.play(R"(
    9001 send 12 4 #107 = retransmission nak of 3 by 4
    9002 send 13 4 #108 = retransmission nak of 5 by 4
    9003 send 14 4 #109 = retransmission nak of 7 by 4
    9004 send 15 4 #110 = retransmission nak of 6 by 4
    9010 ack  15        = response of 6
    9100 send 16 4 #111 = in_order
    9101 send 18 4 #113 = gap missing 1
    9102 nak  17        = response
   19000 send 17 4 #114 = retransmission nak before by 16)");
    EXPECT_EQ(stream.requester.totals().troubles->lost_before, is_set_up ? 2U : 1U);
  }
}

TEST(RequesterOrder, TellsACopyWhoseNakWasNotSeen) {
  Stream stream;  // soon enough to have been overtaken
  stream.play(kFive);
  stream.play(R"(
      5 send 16 4 #108 = gap missing 1
     20 send 15 4 #109 = retransmission unknown)");
}

TEST(RequesterOrder, TellsACopyThatALaterCopyOvertook) {
  Stream stream;
  stream.play(kFive);
  stream.play(R"(
     14 nak  12        = response after of 3
     20 send 13 4 #108 = retransmission nak missing 1 of 4 by 6
     21 send 14 4 #109 = retransmission nak of 5 by 6
     22 send 12 4 #107 = retransmission nak of 3 by 6)");
  EXPECT_EQ(stream.requester.totals().troubles->recoveries, 1U);
  EXPECT_EQ(stream.requester.totals().of(VerdictKind::kOutOfOrder), 0U);
}

TEST(RequesterOrder, TellsThatTheCaptureHasAPacketTwiceHoweverLate) {
  Stream stream;
  stream.play(kFive);
  stream.play(R"(
   2004 send 14 4 #106 = capture_duplicate of 5
   2010 nak  14        = response after of 5
   2012 send 14 4 #106 = capture_duplicate of 5
   2020 send 14 4 #109 = retransmission nak after of 5 by 7)");
}

TEST(RequesterOrder, GoesRound) {
  Stream stream;
  stream.play(R"(
      0 send 16777213 4 #65531 = in_order
      1 send 16777214 4 #65532 = in_order
      2 send 16777215 4 #65533 = in_order
      3 send 0        4 #65534 = in_order
      4 send 1        4 #65535 = in_order
      6 send 3        4 #1     = gap missing 1
     14 nak  2                 = response before
     20 send 2        4 #2     = retransmission nak before by 7
     21 send 2        4 #0     = out_of_order of 8)");
}

TEST(RequesterOrder, IsLearntFromPacketsThatOvertakeEachOther) {
  Stream stream;
  stream.play(R"(
      0 send 10 4 #100 = in_order
      1 send 15 4 #105 = gap missing 4
      2 send 12 4 #102 = out_of_order
      3 send 13 4 #103 = out_of_order
      4 send 11 4 #101 = out_of_order
     14 nak  14        = response before
     20 send 14 4 #104 = out_of_order)");
}

TEST(RequesterOrder, IsNotKnownOfASenderThatCountsNothing) {
  for (const char* recipe : {R"(
      0 send 10 4 #7     = in_order
      1 send 11 4 #7     = in_order
      2 send 12 4 #7     = in_order
      3 send 13 4 #7     = in_order
      4 send 14 4 #7     = in_order
      5 send 16 4 #7     = gap missing 1
     14 nak  15          = response before
     20 send 15 4 #7     = retransmission nak before by 7)",
                             R"(
      0 send 10 4 #5077  = in_order
      1 send 11 4 #61822 = in_order
      2 send 12 4 #14330 = in_order
      3 send 13 4 #1207  = in_order
      4 send 14 4 #33021 = in_order
      5 send 16 4 #48109 = gap missing 1
     14 nak  15          = response before
     20 send 15 4 #20400 = retransmission nak before by 7)"}) {
    Stream stream;
    stream.play(recipe);
  }
}

TEST(RequesterOrder, IsNotKnownOncePerhapsTheCountHasGoneRound) {
  Stream stream;  // 500 packets a microsecond to other queue pairs: half the way round in 66 microseconds
  stream.play(R"(
      0 send 10 4 #100   = in_order
      1 send 11 4 #600   = in_order
      2 send 12 4 #1100  = in_order
      3 send 13 4 #1600  = in_order
      4 send 14 4 #2100  = in_order
      6 send 16 4 #3100  = gap missing 1
     14 nak  15          = response before
    130 send 15 4 #65100 = retransmission nak before by 7)");
}

TEST(RequesterOrder, SaysNothingOfWhatWasSeenLongAgo) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(kFive);
  stream.play(R"(
   200000 send 14 4 #109 = retransmission timeout of 5
   200500 send 14 4 #108 = retransmission timeout of 5)");
}

}  // namespace
}  // namespace rocescope
