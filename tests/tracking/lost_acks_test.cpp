// ACKs that did not reach the requester, and silences. What is true follows from what a responder says to duplicates (IBTA 9.7.5.1.2).
#include <gmock/gmock.h>

#include <string>

#include "stream.hpp"

namespace rocescope {
namespace {

class LostAcksTest : public ::testing::Test {
 protected:
  LostAcksTest() {
    stream_.asks_for_acks = true;
    stream_.requester.set_ack_timeout(67'000'000);
    stream_.play(R"(
      0 send 10 4   = in_order
      1 ack  10 1   = response of 1
      2 send 11 4   = in_order
      3 send 12 4   = in_order)");
  }
  /// `BEFORE before, AFTER after`
  [[nodiscard]] std::string lost() const {
    const StreamTotals totals = stream_.requester.totals();
    return std::to_string(totals.troubles->acks_lost_before) + " before, " +
           std::to_string(totals.troubles->acks_lost_after) + " after";
  }

  testing::Stream stream_;
};

TEST_F(LostAcksTest, AreKnownByTwoAnswersToDuplicates) {
  stream_.play(R"(
    70000 send 11 4 = retransmission timeout of 3
    70001 send 12 4 = retransmission timeout of 4
    70100 ack  12 3 = response of 4
    70101 ack  12 3 = duplicate_ack of 4)");
  EXPECT_EQ(lost(), "0 before, 0 after");  // a third would say that the first was late
  stream_.play(R"(
    70200 send 13 4 = in_order
    70300 ack  13 4 = response of 9)");
  EXPECT_EQ(lost(), "1 before, 0 after");
  EXPECT_EQ(stream_.news.lost_ack.frame, 7U);
}

TEST_F(LostAcksTest, AreNotThoseOfRequestsThatWereLost) {
  stream_.play(R"(
    70000 send 11 4 = retransmission timeout of 3
    70001 send 12 4 = retransmission timeout of 4
    70100 ack  11 2 = response of 3
    70101 ack  12 3 = response of 4
    70200 send 13 4 = in_order
    70300 ack  13 4 = response of 9)");
  EXPECT_EQ(lost(), "0 before, 0 after");
}

TEST_F(LostAcksTest, AreNotThoseThatCameLate) {
  stream_.play(R"(
    70000 send 11 4 = retransmission timeout of 3
    70001 send 12 4 = retransmission timeout of 4
    70100 ack  12 3 = response of 4
    70101 ack  12 3 = duplicate_ack of 4
    70102 ack  12 3 = duplicate_ack of 4
    70200 send 13 4 = in_order
    70300 ack  13 4 = response of 10)");
  EXPECT_EQ(lost(), "0 before, 0 after") << "one ACK for both, and one for each duplicate";
}

TEST_F(LostAcksTest, AreNotThoseOfASlowResponder) {
  stream_.play(R"(
    70000 send 11 4 = retransmission timeout of 3
    70001 send 12 4 = retransmission timeout of 4
    95000 ack  12 3 = response of 4
    95001 ack  12 3 = duplicate_ack of 4
    95200 send 13 4 = in_order
    95300 ack  13 4 = response of 9)");
  EXPECT_EQ(lost(), "0 before, 0 after") << "it took a third as long again";
}

TEST_F(LostAcksTest, AreNotCopiesOfOneAck) {
  stream_.play(R"(
    70000 send 11 4 = retransmission timeout of 3
    70001 send 12 4 = retransmission timeout of 4
    70100 ack  12 3 = response of 4)");
  stream_.icrc_salt = static_cast<std::uint32_t>(-1);  // the same packet once more
  stream_.play("70101 ack  12 3 = duplicate_ack of 4");
  stream_.icrc_salt = 0;
  stream_.play(R"(
    70200 send 13 4 = in_order
    70300 ack  13 4 = response of 9)");
  EXPECT_EQ(lost(), "0 before, 0 after");
}

TEST_F(LostAcksTest, AreNotThoseOfPacketsThatAskForNone) {
  testing::Stream stream;  // the middle was carried out, the rest was lost
  stream.asks_for_acks = true;
  stream.requester.set_ack_timeout(67'000'000);
  stream.play(R"(
        0 w_first  10 1024 = in_order
        1 w_middle 11 1024 = in_order
        2 w_last   12 1024 = in_order
    70000 w_first  10 1024 = retransmission timeout of 1
    70001 w_middle 11 1024 = retransmission timeout of 2
    70100 ack      11      = response of 2
    70101 ack      11      = duplicate_ack of 2
    70200 w_last   12 1024 = retransmission timeout of 3
    70300 ack      12      = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->acks_lost_before, 0U);
}

TEST_F(LostAcksTest, PassedHereLongBeforeTheirRequestsComeAgain) {
  stream_.play(R"(
        9 ack  12 3 = response of 4
    70000 send 11 4 = retransmission ack_lost of 3
    70001 send 12 4 = retransmission ack_lost of 4
    70100 ack  12 3 = duplicate_ack of 4)");
  EXPECT_EQ(lost(), "0 before, 1 after");
  EXPECT_EQ(stream_.news.lost_ack.where, LostWhere::kNowhere) << "of an earlier packet";
  stream_.play("140000 send 11 4 = retransmission ack_lost of 3");
  EXPECT_EQ(lost(), "0 before, 1 after") << "the second may have been lost before the capture point";
}

TEST_F(LostAcksTest, MayBeOnTheirWayForAMoment) {
  stream_.play(R"(
    66000 ack  12 3 = response of 4
    70000 send 11 4 = retransmission ack_lost of 3)");
  EXPECT_EQ(lost(), "0 before, 0 after");
}

TEST_F(LostAcksTest, ASilenceIsThreeTimeoutsInARow) {
  stream_.play(R"(
     70000 send 11 4 = retransmission timeout of 3
    140000 send 11 4 = retransmission timeout of 3)");
  EXPECT_EQ(stream_.requester.totals().troubles->silences, 0U);
  stream_.play("210000 send 11 4 = retransmission timeout of 3");
  const StreamTotals open = stream_.requester.totals();
  EXPECT_EQ(open.troubles->silences, 1U);
  EXPECT_EQ(open.troubles->silences_ended, 0U);
  EXPECT_EQ(open.troubles->longest.silence, 209'998'000);
  stream_.play("210500 ack 11 2 = response of 3");
  const StreamTotals ended = stream_.requester.totals();
  EXPECT_EQ(ended.troubles->silences_ended, 1U);
  EXPECT_EQ(ended.troubles->longest.silence, 210'498'000);  // since frame 3 waited
  EXPECT_EQ(ended.troubles->longest.tries_in_silence, 3U);
}

}  // namespace
}  // namespace rocescope
