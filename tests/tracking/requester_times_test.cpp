// What the PSN engine measures, on short sequences. The expected times follow from those of the recipe's lines.
#include <gmock/gmock.h>

#include "stream.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Stream;

TEST(RequesterTimes, MeasuresAMessageFromItsLastAndFromItsFirstPacket) {
  Stream stream;
  stream.play(R"(
     0 w_first  100 1024 = in_order
     1 w_middle 101 1024 = in_order
     2 w_last   102 10   = in_order
     3 send     103 10   = in_order
    10 ack      103      = response of 4)");
  EXPECT_THAT(stream.measured,
              ElementsAre("5: message_time 10", "5: ack_latency 8", "5: message_time 7", "5: ack_latency 7"));
}

TEST(RequesterTimes, MeasuresFromTheLastPacketThoughOneBeforeItIsLate) {
  Stream stream;
  stream.play(R"(
     0 w_first  100 1024 = in_order
     1 w_last   102 10   = gap missing 1
     4 w_middle 101 1024 = out_of_order
    10 ack      102      = response of 2)");
  EXPECT_THAT(stream.measured, ElementsAre("4: message_time 10", "4: ack_latency 9"));
}

TEST(RequesterTimes, MeasuresReadsAndAtomics) {
  Stream stream;
  stream.play(R"(
     0 read       10 2048 = in_order
     1 fadd       12 0    = in_order
     5 r_first    10 1024 = response of 1
     7 r_last     11 1024 = response of 1
     9 atomic_ack 12      = response of 2)");
  EXPECT_THAT(stream.measured, ElementsAre("3: read_first 5", "4: read_last 7", "5: message_time 8", "5: atomic 8"));
  EXPECT_THAT(stream.read_times(), ElementsAre(7));
}

TEST(RequesterTimes, TakesResponsesThatStopForAStall) {
  Stream stream;
  stream.play(R"(
        0 read     10 4096 = in_order
        5 r_first  10 1024 = response of 1
    40005 r_middle 11 1024 = response of 1
    40006 r_middle 12 1024 = response of 1
    40999 r_last   13 1024 = response of 1)");
  EXPECT_THAT(stream.measured, ElementsAre("2: read_first 5", "3: stall 40000", "5: read_last 40999"));
}

TEST(RequesterTimes, TakesNoPacesOfASlowResponderForStalls) {
  Stream stream;
  stream.play(R"(
       0 read     10 3072 = in_order
       5 r_first  10 1024 = response of 1
    2005 r_middle 11 1024 = response of 1
    4005 r_last   12 1024 = response of 1)");
  EXPECT_THAT(stream.measured, ElementsAre("2: read_first 5", "4: read_last 4005"));
}

/// The responder took longer to find the data than it paused.
TEST(RequesterTimes, TakesNoPauseOfASlowReadForAStall) {
  Stream stream;
  stream.play(R"(
        0 read     10 3072 = in_order
     9000 r_first  10 1024 = response of 1
    49000 r_middle 11 1024 = response of 1
    49001 r_last   12 1024 = response of 1)");
  EXPECT_THAT(stream.measured, ElementsAre("2: read_first 9000", "4: read_last 49001"));
}

TEST(RequesterTimes, MeasuresAMessageThatWasSentTwiceFromItsFirstAttempt) {  // but no latency (Karn)
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 send 10 4    = in_order
        1 read 11 1024 = in_order
    67200 send 10 4    = retransmission timeout of 1
    67201 read 11 1024 = retransmission timeout of 2
    67210 ack  10      = response of 1
    67211 r_only 11 1024 = response of 2)");
  EXPECT_THAT(stream.measured, ElementsAre("3: stall 67199", "5: message_time 67210"));
  EXPECT_THAT(stream.read_times(), ElementsAre(67210));
}

TEST(RequesterTimes, MeasuresTheNakOfAHoleAndWhatFollows) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     2 send 12 4 = gap missing 1
     3 send 13 4 = in_order
     9 nak  11   = response before
    15 send 11 4 = retransmission nak before by 4
    16 send 12 4 = retransmission nak of 2 by 4
    17 send 13 4 = retransmission nak of 3 by 4
    30 ack  13   = response of 3)");
  EXPECT_THAT(stream.measured,
              ElementsAre("4: nak_generation 7", "4: message_time 9", "4: ack_latency 9", "5: nak_recovery 6",
                          "8: message_time 15", "8: message_time 28", "8: message_time 27"));
}

TEST(RequesterTimes, MeasuresTheNakOfAPacketThatWasLostBehindTheCapture) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 11 4 = in_order
     2 send 12 4 = in_order
     9 nak  11   = response after of 2
    15 send 11 4 = retransmission nak after of 2 by 4
    16 send 12 4 = retransmission nak of 3 by 4
    20 nak  11   = response after of 2)");
  EXPECT_THAT(stream.measured, ElementsAre("4: nak_generation 7", "4: message_time 9", "4: ack_latency 9",
                                           "5: nak_recovery 6", "7: nak_generation 4"));
}

TEST(RequesterTimes, HoldsTheWaitAfterAnRnrNakAgainstItsTimer) {
  Stream stream;
  stream.play(R"(
      0 send 10 4  = in_order
      9 rnr  10 12 = response of 1
    700 send 10 4  = retransmission rnr of 1 by 2
    710 rnr  10 12 = response of 1
    900 send 10 4  = retransmission rnr of 1 by 4)");
  EXPECT_THAT(stream.measured, ElementsAre("3: rnr_wait 691 of 640", "5: rnr_wait 190 of 640"));
  EXPECT_EQ(stream.requester.totals().troubles->rnr_too_early, 1U);
}

TEST(RequesterTimes, CallsAnAnswerThatTakesMuchLongerThanUsualAStall) {
  Stream stream;
  stream.play(R"(
       0 send 10 4 = in_order
      10 ack  10   = response of 1
    1000 send 11 4 = in_order
    9000 ack  11   = response of 3
   90000 send 12 4 = in_order
   90100 ack  12   = response of 5)");
  EXPECT_EQ(stream.measured[2], "4: stall 8000");
  EXPECT_EQ(stream.requester.totals().troubles->stalls, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->longest.stall, 8'000'000);
}

TEST(RequesterTimes, MeasuresNothingWhereTheCaptureMissedTheRequest) {
  Stream stream;
  stream.play(R"(
       0 send 10 4 = in_order
    9000 ack  11   = ack_of_unseen missing 1)");
  EXPECT_THAT(stream.measured, IsEmpty());
}

}  // namespace
}  // namespace rocescope
