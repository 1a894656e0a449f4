// Responses to READs that are lost: where, and when the READs end. What is true follows from who must have sent what (IBTA 9.7.5).
#include <gmock/gmock.h>

#include <cstdint>
#include <string>

#include "stream.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;
using testing::Stream;

/// `BEFORE before, AFTER after, MISSED not captured`
std::string lost_of(const Stream& stream) {
  const StreamTotals totals = stream.requester.totals();
  return std::to_string(totals.troubles->read_responses_lost_before) + " before, " +
         std::to_string(totals.troubles->read_responses_lost_after) + " after, " +
         std::to_string(totals.troubles->read_responses_not_captured) + " not captured";
}

/// The messages that ended: `FIRST_PSN at FRAME, ATTEMPTS attempts`, with `resent` if they were.
std::vector<std::string> ends_of(const Stream& stream) {
  std::vector<std::string> ends;
  for (const Message& message : stream.news.ended) {
    ends.push_back(std::to_string(message.first_psn.value()) + " at " + std::to_string(message.completion_frame) +
                   ", " + std::to_string(message.attempts) + " attempts" + (message.resent ? ", resent" : ""));
  }
  return ends;
}

TEST(RequesterReads, AreNotOverWhileAResponseIsMissing) {
  Stream stream;
  stream.play(R"(
     0 read     10 4096 = in_order
     5 r_first  10 1024 = response of 1
     6 r_middle 12 1024 = read_response_gap missing 1 of 1
     7 r_last   13 1024 = response of 1
    40 read     11 3072 = retransmission implied_nak of 1
    45 r_first  11 1024 = read_response_retransmission of 1
    46 r_middle 12 1024 = read_response_retransmission of 1
    47 r_last   13 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(lost_of(stream), "1 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 8, 1 attempts, resent"));
  EXPECT_THAT(stream.measured, ElementsAre("2: read_first 5"));
  EXPECT_THAT(stream.read_times(), ElementsAre(47));
}

TEST(RequesterReads, TakeNoPsnsBehindTheirLastResponse) {
  Stream stream(0);  // the path MTU is unknown, and the capture lacks the second READ
  stream.play(R"(
     0 read     10 512 = in_order
     5 r_only   10 512 = response of 1
    20 r_only   11 512 = ack_of_unseen missing 1
    40 read     12 512 = in_order
    45 r_only   12 512 = response of 4)");
}

TEST(RequesterReads, KeepThoseBehindThemWaiting) {
  Stream stream;  // the requester drops the second READ's responses, and asks for all again
  stream.play(R"(
     0 read     10 2048 = in_order
     1 read     12 1024 = in_order
     5 r_last   11 1024 = read_response_gap missing 1 of 1
     6 r_only   12 1024 = response of 2
    20 read     10 2048 = retransmission implied_nak of 1
    21 read     12 1024 = retransmission implied_nak of 2
    30 r_first  10 1024 = read_response_retransmission of 1
    31 r_last   11 1024 = read_response_retransmission of 1
    32 r_only   12 1024 = read_response_retransmission of 2)");
  EXPECT_EQ(lost_of(stream), "1 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 8, 2 attempts, resent", "12 at 9, 2 attempts, resent"));
}

TEST(RequesterReads, LoseTheirLastResponsesToo) {
  Stream stream;  // which the next READ's responses show
  stream.play(R"(
     0 read     10 4096 = in_order
     1 read     14 1024 = in_order
     5 r_first  10 1024 = response of 1
     6 r_middle 11 1024 = response of 1
     7 r_only   14 1024 = response of 2
    20 read     12 2048 = retransmission implied_nak of 1
    21 read     14 1024 = retransmission implied_nak of 2
    30 r_first  12 1024 = response of 1
    31 r_last   13 1024 = response of 1
    32 r_only   14 1024 = read_response_retransmission of 2)");
  EXPECT_EQ(lost_of(stream), "2 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 9, 1 attempts, resent", "14 at 10, 2 attempts, resent"));
}

TEST(RequesterReads, LoseAllTheirResponses) {
  Stream stream;
  stream.play(R"(
     0 read     10 2048 = in_order
     1 read     12 1024 = in_order
     5 r_only   12 1024 = response of 2
    20 read     10 2048 = retransmission implied_nak of 1
    21 read     12 1024 = retransmission implied_nak of 2
    30 r_first  10 1024 = response of 1
    31 r_last   11 1024 = response of 1
    32 r_only   12 1024 = read_response_retransmission of 2)");
  EXPECT_EQ(lost_of(stream), "2 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 7, 2 attempts, resent", "12 at 8, 2 attempts, resent"));
}

TEST(RequesterReads, OfWhichNothingCameMayNotHaveArrived) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 send   9  4    = in_order
        1 read   10 1024 = in_order
        5 ack    9       = response of 1
    67200 read   10 1024 = retransmission timeout of 2
    67210 r_only 10 1024 = response of 2)");
  EXPECT_EQ(lost_of(stream), "0 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("9 at 3, 1 attempts", "10 at 5, 2 attempts, resent"));
}

TEST(RequesterReads, LoseTheLastResponseBeforeATimeout) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 read    10 2048 = in_order
        5 r_first 10 1024 = response of 1
    67200 read    11 1024 = retransmission timeout of 1
    67210 r_only  11 1024 = response of 1)");
  EXPECT_EQ(lost_of(stream), "1 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 4, 1 attempts, resent"));
}

TEST(RequesterReads, LoseAResponseAgain) {
  Stream stream;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 read    10 2048 = in_order
        5 r_last  11 1024 = read_response_gap missing 1 of 1
       20 read    10 2048 = retransmission implied_nak of 1
       25 r_last  11 1024 = read_response_retransmission of 1
    67200 read    10 2048 = retransmission timeout of 1
    67205 r_first 10 1024 = read_response_retransmission of 1
    67206 r_last  11 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(lost_of(stream), "2 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 7, 3 attempts, resent"));
}

TEST(RequesterReads, LoseResponsesBehindTheCapture) {
  Stream stream;
  stream.play(R"(
     0 read     10 4096 = in_order
     5 r_first  10 1024 = response of 1
     6 r_middle 11 1024 = response of 1
     7 r_middle 12 1024 = response of 1
     8 r_last   13 1024 = response of 1
    40 read     12 2048 = retransmission implied_nak of 1
    45 r_first  12 1024 = read_response_retransmission of 1
    46 r_last   13 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(lost_of(stream), "0 before, 1 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 5, 1 attempts", "10 at 8, 1 attempts, resent"));
  EXPECT_TRUE(stream.news.ended.back().reopened);
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 1U);
  EXPECT_TRUE(stream.requester.open_messages().empty());
  EXPECT_THAT(stream.measured, ElementsAre("2: read_first 5", "5: read_last 8", "6: message_time withdrawn"));
  EXPECT_THAT(stream.read_times(), ElementsAre(46));
}

TEST(RequesterReads, LoseResponsesBehindTheCaptureAgainAndAgain) {
  Stream stream;  // of the first READ; the second waits for it
  stream.play(R"(
     0 read     10 2048 = in_order
     1 read     12 2048 = in_order
     5 r_first  10 1024 = response of 1
     6 r_last   11 1024 = response of 1
     7 r_first  12 1024 = response of 2
     8 r_last   13 1024 = response of 2
  2040 read     10 2048 = retransmission implied_nak of 1
  2041 read     12 2048 = retransmission implied_nak of 2
  2045 r_first  10 1024 = read_response_retransmission of 1
  2046 r_last   11 1024 = read_response_retransmission of 1
  2047 r_first  12 1024 = read_response_retransmission of 2
  2048 r_last   13 1024 = read_response_retransmission of 2
  4060 read     11 1024 = retransmission implied_nak of 1
  4061 read     12 2048 = retransmission implied_nak of 2
  4070 r_only   11 1024 = read_response_retransmission of 1
  4071 r_first  12 1024 = read_response_retransmission of 2
  4072 r_last   13 1024 = read_response_retransmission of 2
  4080 read     14 1024 = in_order
  4085 r_only   14 1024 = response of 18)");
  EXPECT_EQ(lost_of(stream), "0 before, 2 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 4, 1 attempts", "12 at 6, 1 attempts", "10 at 10, 2 attempts, resent",
                                           "12 at 12, 2 attempts, resent", "10 at 15, 2 attempts, resent",
                                           "12 at 17, 3 attempts, resent", "14 at 19, 1 attempts"));
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 3U);
  EXPECT_TRUE(stream.requester.open_messages().empty());
}

TEST(RequesterReads, AskedForAgainAreOutstanding) {
  Stream stream;
  stream.play(R"(
     0 read     10 1024 = in_order
     5 r_only   10 1024 = response of 1
  2040 read     10 1024 = retransmission implied_nak of 1)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 0U);
  EXPECT_EQ(stream.requester.totals().in_flight.messages, 1U);
  ASSERT_EQ(stream.requester.open_messages().size(), 1U);
  EXPECT_EQ(stream.requester.open_messages()[0].outcome, MessageOutcome::kOutstanding);
  EXPECT_EQ(stream.requester.open_messages()[0].attempts, 2U);
}

TEST(RequesterReads, AreTakenUpAgainWhileTheyAreAmongTheLast) {
  Stream stream;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::string psn = std::to_string(10 + i);
    const std::string frame = std::to_string(stream.frame + 1);
    stream.play(std::to_string(10 + i) + " read " + psn + " 1024 = in_order\n" + std::to_string(10 + i) + ".5 r_only " +
                psn + " 1024 = response of " + frame);
  }
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 40U);
  stream.play(R"(
   2060 read   34 1024 = retransmission implied_nak of 49
   2061 read   49 1024 = retransmission implied_nak of 79)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 38U);
  stream.play(R"(
   2062 r_only 34 1024 = read_response_retransmission of 49
   2063 r_only 49 1024 = read_response_retransmission of 79)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 40U);
  EXPECT_TRUE(stream.requester.open_messages().empty());
}

TEST(RequesterReads, WithoutTheirRethLoseResponsesBehindTheCapture) {
  Stream stream;
  stream.play(R"(
     0 cut_read 10      = in_order
     1 cut_read 12      = in_order
     5 r_first  10 1024 = response of 1
     6 r_last   11 1024 = response of 1
     7 r_first  12 1024 = response of 2
     8 r_last   13 1024 = response of 2
  2040 cut_read 11      = retransmission implied_nak of 1
  2041 cut_read 12      = retransmission implied_nak of 2
  2045 r_only   11 1024 = read_response_retransmission of 1
  2046 r_first  12 1024 = read_response_retransmission of 2
  2047 r_last   13 1024 = read_response_retransmission of 2)");
  EXPECT_EQ(lost_of(stream), "0 before, 1 after, 0 not captured");
  EXPECT_TRUE(stream.requester.open_messages().empty());
}

TEST(RequesterReads, WithoutTheirRethLoseTheResponseThatIsAskedForFirst) {
  Stream stream;
  stream.play(R"(
     0 cut_read 10      = in_order
     5 r_first  10 1024 = response of 1
     6 r_last   13 1024 = read_response_gap missing 2 of 1
    40 cut_read 11      = retransmission implied_nak of 1
    45 r_first  11 1024 = read_response_retransmission of 1
    46 r_middle 12 1024 = read_response_retransmission of 1
    47 r_last   13 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(lost_of(stream), "1 before, 0 after, 0 not captured");
}

TEST(RequesterReads, ThatATimerMayHaveRepeatedAreNotLost) {
  Stream stream;  // the responses may still have been on their way
  stream.requester.set_ack_timeout(8'000'000);
  stream.play(R"(
       0 read   10 1024 = in_order
    7990 r_only 10 1024 = response of 1
    8000 read   10 1024 = retransmission spurious of 1
    8010 r_only 10 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(lost_of(stream), "0 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 2, 1 attempts", "10 at 4, 2 attempts, resent"));
}

TEST(RequesterReads, LoseTheSameResponseOfTwoAttempts) {
  Stream stream;  // an attempt is over once the next is answered: 12 and 13 did not come of either
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 read     10 4096 = in_order
        5 r_middle 11 1024 = read_response_gap missing 1 of 1
       20 read     10 4096 = retransmission implied_nak of 1
       25 r_first  10 1024 = read_response_retransmission of 1
       26 r_middle 11 1024 = read_response_retransmission of 1
    67200 read     12 2048 = retransmission timeout of 1
    67205 r_middle 12 1024 = response of 1
    67206 r_last   13 1024 = response of 1)");
  EXPECT_EQ(lost_of(stream), "5 before, 0 after, 0 not captured");
}

TEST(RequesterReads, ThatGoOnShowThatTheCaptureMissedResponses) {
  Stream stream;  // the requester asks for what it lacks, and not for what is before that
  stream.play(R"(
     0 read     10 4096 = in_order
     1 read     14 4096 = in_order
     5 r_first  10 1024 = response of 1
     6 r_last   13 1024 = read_response_gap missing 2 of 1
     7 r_first  14 1024 = response of 2
     8 r_last   17 1024 = read_response_gap missing 2 of 2
    40 read     16 2048 = retransmission implied_nak of 2
    45 r_first  16 1024 = read_response_retransmission of 2
    46 r_last   17 1024 = read_response_retransmission of 2)");
  EXPECT_EQ(lost_of(stream), "1 before, 0 after, 3 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 4, 1 attempts", "14 at 9, 1 attempts, resent"));
}

TEST(RequesterReads, CountAsCompletedWhereTheirRequesterDoesNotAskAgain) {
  Stream stream;
  stream.play(R"(
     0 read     10 4096 = in_order
     5 r_first  10 1024 = response of 1
     6 r_last   13 1024 = read_response_gap missing 2 of 1)");
  EXPECT_EQ(lost_of(stream), "0 before, 0 after, 0 not captured");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 1U);
  EXPECT_EQ(stream.requester.totals().in_flight.messages, 0U);
  ASSERT_EQ(stream.requester.open_messages().size(), 1U);
  EXPECT_EQ(stream.requester.open_messages()[0].outcome, MessageOutcome::kCompleted);
  EXPECT_EQ(stream.requester.open_messages()[0].completion_time, 6'000);
}

TEST(RequesterReads, AreOverOnceTheirRequesterCannotWaitAnyMore) {
  Stream stream;  // it cannot have so many outstanding
  stream.play(R"(
     0 read     10 2048 = in_order
     5 r_last   11 1024 = read_response_gap missing 1 of 1)");
  for (std::uint32_t i = 0; i < 200; ++i) {
    const std::string psn = std::to_string(12 + i);
    const std::string frame = std::to_string(stream.frame + 1);
    stream.play(std::to_string(10 + i) + " read " + psn + " 1024 = in_order\n" + std::to_string(10 + i) + ".5 r_only " +
                psn + " 1024 = response of " + frame);
  }
  EXPECT_EQ(lost_of(stream), "0 before, 0 after, 1 not captured");
  EXPECT_EQ(stream.news.ended.size(), 201U);
  EXPECT_TRUE(stream.requester.open_messages().empty());
}

TEST(RequesterReads, ThatCameDamagedAreNotLost) {
  Stream stream;
  stream.play(R"(
     0 read      10 3072 = in_order
     5 r_first   10 1024 = response of 1
     6 r_corrupt 11      =
     7 r_last    12 1024 = response of 1
    40 read      11 2048 = retransmission implied_nak of 1
    45 r_first   11 1024 = read_response_retransmission of 1
    46 r_last    12 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(lost_of(stream), "0 before, 0 after, 0 not captured");
  EXPECT_THAT(ends_of(stream), ElementsAre("10 at 7, 1 attempts, resent"));
}

TEST(RequesterReads, AreNotAskedForAgainBecauseOfANakOfAnother) {
  Stream stream;  // the first READ was lost behind the capture point, so the responder dropped the second
  stream.play(R"(
     0 send     9  4    = in_order
     1 read     10 2048 = in_order
     2 read     12 1024 = in_order
     5 ack      9       = response of 1
     6 nak      10      = response after of 2
    20 read     10 2048 = retransmission nak after of 2 by 5
    21 read     12 1024 = retransmission nak of 3 by 5
    30 r_first  10 1024 = response of 2
    31 r_last   11 1024 = response of 2
    32 r_only   12 1024 = response of 3)");
  EXPECT_EQ(lost_of(stream), "0 before, 0 after, 0 not captured");
}

/// The capture begins behind the first of them, which comes again before the path MTU is known.
TEST(RequesterReads, HaveTheirSpansOnceThePathMtuIsKnown) {
  Stream stream;
  stream.play(R"(
     0 read     14 4096 = in_order
     1 nak      10      = response before
    10 read     10 4096 = retransmission nak by 2
    11 read     14 4096 = retransmission nak of 1 by 2
    12 read     18 4096 = in_order
    13 read     22 4096 = in_order
    20 r_first  10 1024 = response of 3
    21 r_last   13 1024 = read_response_gap missing 2 of 3
    40 read     11 3072 = retransmission implied_nak of 3)");
  EXPECT_EQ(stream.requester.totals().sums.messages, 4U);
}

}  // namespace
}  // namespace rocescope
