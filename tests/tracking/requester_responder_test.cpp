// Responses on short sequences: what they acknowledge, repeat or lack.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

TEST(RequesterResponses, AcknowledgeAllThatIsBeforeThem) {
  Stream stream;  // coalesced, and the one before it was lost
  stream.play(R"(
     0 send     10 4    = in_order
     1 w_first  11 1024 = in_order
     2 w_last   12 4    = in_order
     3 send     13 4    = in_order
     9 ack      12      = response of 3
    10 ack      13      = response of 4)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 3U);
  EXPECT_TRUE(stream.requester.open_messages().empty());
}

TEST(RequesterResponses, DifferFromThoseThatSayItAgain) {
  Stream stream;
  stream.play(R"(
     0 send 10 4 = in_order
     1 send 11 4 = in_order
     9 ack  11   = response of 2
    10 ack  11   = duplicate_ack of 2
    11 ack  10   = stale of 1
    12 nak  10   = stale of 1
    13 ack  14   = ack_of_unseen missing 3)");
}

TEST(RequesterResponses, OfAtomicsAndFlushesCompleteThem) {
  Stream stream;  // FLUSH and ATOMIC WRITE are answered by an empty READ response (IBTA A19)
  stream.play(R"(
     0 fadd         10 0 = in_order
     1 cswap        11 0 = in_order
     2 atomic_write 12 8 = in_order
     3 flush        13 0 = in_order
     8 atomic_ack   10   = response of 1
     9 atomic_ack   11   = response of 2
    10 r_only       12 0 = response of 3
    11 r_only       13 0 = response of 4
    12 r_only       13 0 = read_response_retransmission of 4)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 4U);
}

TEST(RequesterResponses, OfAFlushBeforeASendAcknowledgeTheSend) {
  Stream stream;
  stream.play(R"(
     0 send         10 4 = in_order
     1 atomic_write 11 8 = in_order
    10 r_only       11 0 = response of 2)");
  EXPECT_EQ(stream.requester.totals().sums.messages_completed, 2U);
}

TEST(RequesterResponses, OfAReadSaySoWhenSomeAreMissing) {
  Stream stream;
  stream.play(R"(
     0 read     10 4096 = in_order
     5 r_first  10 1024 = response of 1
     7 r_last   13 1024 = read_response_gap missing 2 of 1
    40 read     11 3072 = retransmission implied_nak of 1
    45 r_first  11 1024 = read_response_retransmission of 1
    46 r_middle 12 1024 = read_response_retransmission of 1
    47 r_last   13 1024 = read_response_retransmission of 1)");
  EXPECT_EQ(stream.requester.totals().of(VerdictKind::kReadResponseGap), 1U);
  EXPECT_EQ(stream.requester.totals().of(VerdictKind::kReadResponseRetransmission), 3U);
  for (const std::string& measured : stream.measured) EXPECT_EQ(measured.find("read_last"), std::string::npos);
}

TEST(RequesterResponses, CountTheResponderSMessagesUpwards) {
  Stream stream;
  stream.play(R"(
     0 send 10 4        = in_order
     1 send 11 4        = in_order
     2 send 12 4        = in_order
     9 ack  10 16777215 = response of 1
    10 ack  11 1        = response of 2
    11 ack  12 16777214 = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->msn_backwards, 1U);
}

TEST(RequesterResponses, WithoutCreditsStopTheRequesterUntilOneHasSome) {
  Stream stream;
  stream.play(R"(
        0 send 10 4 = in_order
        1 send 11 4 = in_order
        2 send 12 4 = in_order
        9 ack0 10 1 = response of 1
       10 ack0 11 2 = response of 2
     2009 ack  12 3 = response of 3
     2010 send 13 4 = in_order
     2019 ack0 13 4 = response of 7
     2020 send 14 4 = in_order
     5000 ack  14 5 = response of 9)");
  EXPECT_EQ(stream.requester.totals().troubles->credit_stalls, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->credit_stalled, 2'000'000);
}

TEST(RequesterResponses, LeaveInFlightWhatTheyDoNotCover) {
  Stream stream;
  stream.play(R"(
     0 read     10 2048 = in_order
     1 w_first  12 1024 = in_order
     2 w_middle 13 1024 = in_order
     3 w_last   14 100  = in_order
     4 fadd     15 0    = in_order
     8 r_first  10 1024 = response of 1
     9 r_last   11 1024 = response of 1
    10 ack      13      = response of 3)");
  const StreamTotals totals = stream.requester.totals();
  EXPECT_EQ(totals.most_in_flight.messages, 3U);
  EXPECT_EQ(totals.most_in_flight.packets, 5U);
  EXPECT_EQ(totals.most_in_flight.bytes, 2148U);
  EXPECT_EQ(totals.most_in_flight.reads, 2U);
  EXPECT_EQ(totals.in_flight.messages, 2U);
  EXPECT_EQ(totals.in_flight.packets, 2U);
  EXPECT_EQ(totals.in_flight.bytes, 100U);
  EXPECT_EQ(totals.in_flight.reads, 1U);
}

// The READs that are remembered span more than half of all PSNs: serial numbers do not tell which of them comes first.
TEST(RequesterResponses, CoverReadsOfHundredsOfMegabytes) {
  Stream stream;
  constexpr std::uint32_t kPsns = 196'608;
  for (std::uint32_t i = 0; i < 80; ++i) {
    const std::string first = std::to_string(i * kPsns);
    const std::string last = std::to_string((i + 1) * kPsns - 1);
    const std::string time = std::to_string(i);
    stream.play(time + " read " + first + " 201326592 = in_order");
    stream.play(time + " r_last " + last + " 1024 = read_response_gap missing 196607 of " +
                std::to_string(stream.frame));
  }
  EXPECT_EQ(stream.requester.totals().most_in_flight.reads, 1U);
  EXPECT_EQ(stream.requester.totals().most_in_flight.packets, 1U);
}

TEST(RequesterResponses, ThatAreNotSeenLeaveNothingToSayOfWhatIsInFlight) {
  Stream stream;
  stream.play("0 send 10 4 = in_order");
  EXPECT_EQ(stream.requester.totals().most_in_flight.packets, 0U);
}

TEST(RequesterResponses, RefuseARequestThatWasNotSeen) {
  Stream stream;
  stream.play(R"(
     0 send   10 4 = in_order
     9 rnr    12 1 = ack_of_unseen missing 1
    20 send   12 4 = retransmission rnr by 2
    25 ack    12   = response of 3)");
  EXPECT_EQ(stream.requester.totals().troubles->capture_lost, 1U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
}

TEST(RequesterResponder, AReadStaysItselfWhenWhatWasBeforeItEnds) {
  Stream stream;  // the SEND's middle never came by here
  stream.play(R"(
     0 s_first 100 1024 = in_order
     1 s_last  102 4    = gap missing 1
     2 read    103 8    = in_order
     3 write   104 8    = in_order
     9 r_only  103 8    = response of 3)");
  ASSERT_EQ(stream.news.ended.size(), 2U);
  EXPECT_EQ(stream.news.ended[0].operation, Operation::kSend);
  EXPECT_EQ(stream.news.ended[1].operation, Operation::kReadRequest);
  ASSERT_EQ(stream.requester.open_messages().size(), 1U);
  EXPECT_EQ(stream.requester.open_messages()[0].operation, Operation::kWrite);
  EXPECT_EQ(stream.requester.open_messages()[0].outcome, MessageOutcome::kOutstanding);
}

}  // namespace
}  // namespace rocescope
