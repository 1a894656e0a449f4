// What two capture points know of the same messages. tests/partial/lost_between_test.py holds it to simulated and to real networks.
#include "analysis/points/message_comparisons.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace rocescope {
namespace {

constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kYear = 365LL * 86'400 * 1'000'000'000;

class MessageComparisonsTest : public ::testing::Test {
 protected:
  MessageComparisonsTest() {
    key_.source.bytes[15] = 1;
    key_.destination.bytes[15] = 2;
    key_.dest_qp = Qpn(17);
  }

  /// A SEND of `packets` packets, sent and acknowledged within ten microseconds.
  static Message send(std::uint32_t psn, std::int64_t time, std::uint64_t frame, std::uint32_t packets = 1) {
    return {.operation = Operation::kSend,
            .outcome = MessageOutcome::kCompleted,
            .has_first = true,
            .has_last = true,
            .first_psn = Psn(psn),
            .last_psn = Psn(psn) + (packets - 1),
            .packets = packets,
            .first_frame = frame,
            .last_frame = frame,
            .first_time = time,
            .last_time = time,
            .completion_frame = frame + 1,
            .completion_time = time + 10 * kMicrosecond};
  }
  void at(std::uint8_t point, const Message& message) { comparisons_.add(key_, point, 1, message); }
  /// Ten messages that both see, from PSN 0 on, each 20 us behind the one before; the second point 2 us later, by its clock.
  void both_see_ten(std::int64_t clock = 0) {
    for (std::uint32_t i = 0; i < 10; ++i) {
      const std::int64_t time = i * 20 * kMicrosecond;
      at(1, send(i, time, 2 * i + 1));
      Message later = send(i, time + 2 * kMicrosecond + clock, 2 * i + 1);
      later.completion_time -= 4 * kMicrosecond;  // its answer passes there first
      at(2, later);
    }
  }
  /// A READ of four responses, the last of which comes at `time`, behind so many of all READs.
  static Message read(std::uint32_t psn, std::int64_t time, std::uint64_t frame, std::uint32_t all_responses) {
    return {.operation = Operation::kReadRequest,
            .outcome = MessageOutcome::kCompleted,
            .has_first = true,
            .has_last = true,
            .first_psn = Psn(psn),
            .last_psn = Psn(psn) + 3,
            .packets = 1,
            .responses = 4,
            .all_responses = all_responses,
            .first_frame = frame - 5,
            .last_frame = frame - 5,
            .first_time = time - 10 * kMicrosecond,
            .last_time = time - 10 * kMicrosecond,
            .completion_frame = frame,
            .completion_time = time};
  }
  void responses_at(std::uint8_t point, const Message& read, std::uint32_t connection = 1) {
    comparisons_.add_responses(key_, point, connection, read);
  }
  /// Both see a READ, then one that the requester asks for twice, of which the second point misses a response. Then another one.
  void both_see_three_reads(std::uint32_t connection_behind = 1, std::uint32_t seen_of_second = 4) {
    responses_at(1, read(0, 0, 10, 4));
    responses_at(2, read(0, 2 * kMicrosecond, 10, 4));
    Message again = read(4, 20 * kMicrosecond, 20, 11);
    again.resent = true;
    again.resent_packets = 1;
    again.resent_responses = 3;
    responses_at(1, again);
    again.responses = seen_of_second;
    again.resent_responses = 2;
    responses_at(2, again);
    responses_at(1, read(8, 40 * kMicrosecond, 30, 15));
    responses_at(2, read(8, 42 * kMicrosecond, 30, 14), connection_behind);
  }
  [[nodiscard]] FlowComparison only_row() {
    const std::vector<FlowComparison> rows = comparisons_.take();
    EXPECT_EQ(rows.size(), 1U);
    return rows.empty() ? FlowComparison() : rows.front();
  }

  FlowKey key_;
  MessageComparisons comparisons_;
};

TEST_F(MessageComparisonsTest, FindMessagesWhateverTheClocksSay) {
  both_see_ten(-40 * kYear);
  const FlowComparison row = only_row();
  EXPECT_TRUE(row.ordered);
  EXPECT_TRUE(row.by_messages);
  EXPECT_EQ(row.from, 1);
  EXPECT_EQ(row.both, 10U);
  EXPECT_EQ(row.only_from + row.only_to + row.uncompared, 0U);
  EXPECT_EQ(row.clock_difference, -40 * kYear);
}

/// A queue pair that starts anew uses the same PSN soon after. Of both messages one was lost between the points.
TEST_F(MessageComparisonsTest, FindTheMessageWhoseFirstPacketIsTheSame) {
  both_see_ten();
  Message lost = send(100, 50 * kMicrosecond, 101);
  lost.first_icrc = 0x1111;
  lost.completion_frame = 0;
  lost.outcome = MessageOutcome::kOutstanding;
  Message arrived = send(100, 70 * kMicrosecond, 103);
  arrived.first_icrc = 0x2222;
  at(1, lost);
  at(1, arrived);
  Message there = send(100, 72 * kMicrosecond, 103);
  there.first_icrc = 0x2222;
  at(2, there);
  const FlowComparison row = only_row();
  EXPECT_EQ(row.both, 11U);
  EXPECT_EQ(row.only_from, 1U);
  EXPECT_EQ(row.lost.packets.front(), 101U);
}

TEST_F(MessageComparisonsTest, CountWhatWasSentAgainBecauseItWasLostBetween) {
  both_see_ten();
  Message resent = send(100, 50 * kMicrosecond, 6, 4);
  resent.resent = true;
  resent.late_us = 5;
  resent.resent_packets = 3;
  Message arrived = send(100, 52 * kMicrosecond, 6, 4);
  arrived.completion_time += 8 * kMicrosecond;
  arrived.resent_packets = 1;
  at(1, resent);
  at(2, arrived);
  const FlowComparison row = only_row();
  EXPECT_EQ(row.only_from, 2U);
  EXPECT_EQ(row.lost.packets[0], 6U);
  EXPECT_EQ(row.both, 10U + 5U);
}

TEST_F(MessageComparisonsTest, LeaveOutWhatCameAfterTheAnswerPassedTheOtherPoint) {
  both_see_ten();
  Message resent = send(100, 50 * kMicrosecond, 6);
  resent.resent_packets = 1;  // 30 us later: its ACK was lost behind the other point
  resent.late_us = 30;
  resent.completion_time += 40 * kMicrosecond;
  at(1, resent);
  at(2, send(100, 52 * kMicrosecond, 6));
  const FlowComparison row = only_row();
  EXPECT_EQ(row.only_from, 0U);
  EXPECT_EQ(row.uncompared, 1U);
}

TEST_F(MessageComparisonsTest, CountResponsesBetweenReadsThatBothSawOnce) {
  both_see_three_reads();
  const FlowComparison row = only_row();
  EXPECT_EQ(row.both, 14U);
  EXPECT_EQ(row.only_from, 1U);
  EXPECT_EQ(row.lost.packets.front(), 20U);
  EXPECT_EQ(row.only_to + row.uncompared, 0U);
  EXPECT_EQ(row.delays.max(), 2 * kMicrosecond);
}

TEST_F(MessageComparisonsTest, LeaveOutResponsesWhereTheCaptureMissesSome) {
  both_see_three_reads(1, 3);  // it was completed: all of them passed
  const FlowComparison row = only_row();
  EXPECT_EQ(row.only_from, 0U);
  EXPECT_EQ(row.uncompared, 1U);
}

TEST_F(MessageComparisonsTest, LeaveOutResponsesOfAConnectionThatIsFollowedAnew) {
  both_see_three_reads(2);
  const FlowComparison row = only_row();
  EXPECT_EQ(row.only_from + row.only_to, 0U);
}

TEST_F(MessageComparisonsTest, CountMessagesThatOneSawIfNothingAnsweredThem) {
  both_see_ten();
  Message unanswered = send(100, 50 * kMicrosecond, 6, 3);
  unanswered.outcome = MessageOutcome::kOutstanding;
  unanswered.completion_frame = 0;
  at(1, unanswered);
  at(1, send(200, 70 * kMicrosecond, 8, 5));  // this one arrived: the capture of the other point missed it
  const FlowComparison row = only_row();
  EXPECT_EQ(row.only_from, 3U);
  EXPECT_EQ(row.uncompared, 5U);
}

/// Whoever saw no response with the MTU does not know the last PSN of a READ. It passed both points.
TEST_F(MessageComparisonsTest, KnowAReadWhoseEndOnePointDoesNotKnow) {
  both_see_ten();
  Message unanswered = read(100, 50 * kMicrosecond, 11, 0);
  unanswered.outcome = MessageOutcome::kOutstanding;
  unanswered.completion_frame = 0;
  at(2, unanswered);
  unanswered.last_psn = unanswered.first_psn;
  at(1, unanswered);
  const FlowComparison row = only_row();
  EXPECT_EQ(row.both, 11U);
  EXPECT_EQ(row.only_from + row.only_to + row.uncompared, 0U);
}

/// The first point was not watched when the READ was sent for the first time: there what asks for its rest is a READ of its own.
TEST_F(MessageComparisonsTest, KnowTheRestOfARead) {
  both_see_ten();
  Message rest = read(102, 60 * kMicrosecond, 11, 0);
  rest.last_psn = rest.first_psn + 1;
  rest.outcome = MessageOutcome::kOutstanding;
  rest.completion_frame = 0;
  at(1, rest);
  Message whole = read(100, 40 * kMicrosecond, 11, 0);
  whole.resent = true;
  whole.resent_packets = 1;
  at(2, whole);
  const FlowComparison row = only_row();
  EXPECT_EQ(row.both, 10U);
  EXPECT_EQ(row.only_from + row.only_to, 0U);
}

/// The requester asks again for what had been answered at the second point: there one request more came than it counts.
TEST_F(MessageComparisonsTest, CountRequestsOfReadsThatHadBeenAnswered) {
  both_see_ten();
  Message asked = read(100, 50 * kMicrosecond, 11, 0);
  asked.resent = true;
  asked.attempts = 4;
  asked.resent_packets = 3;
  asked.late_us = 30;
  at(1, asked);
  Message answered = read(100, 52 * kMicrosecond, 11, 0);
  answered.reopened = true;
  answered.attempts = 3;
  answered.resent_packets = 1;
  answered.completion_time += 60 * kMicrosecond;
  at(2, answered);
  const FlowComparison row = only_row();
  EXPECT_EQ(row.only_from, 1U);
  EXPECT_EQ(row.uncompared, 1U);
}

/// The first point has packets twice. Each of them passed there once at least.
TEST_F(MessageComparisonsTest, CountEachPacketOnceWhereTheCaptureHasSomeTwice) {
  both_see_ten();
  Message resent = send(100, 50 * kMicrosecond, 6, 4);
  resent.resent = true;
  resent.late_us = 5;
  resent.resent_packets = 3;
  Message arrived = send(100, 52 * kMicrosecond, 6, 4);
  arrived.completion_time += 8 * kMicrosecond;
  arrived.resent_packets = 1;
  Message unanswered = send(200, 70 * kMicrosecond, 8, 5);
  unanswered.outcome = MessageOutcome::kOutstanding;
  unanswered.completion_frame = 0;
  unanswered.resent_packets = 2;
  at(1, resent);
  at(1, unanswered);
  at(2, arrived);
  comparisons_.note_faults(1, {.copies = true});
  const FlowComparison row = only_row();
  EXPECT_EQ(row.both, 10U + 4U);
  EXPECT_EQ(row.only_from, 5U);
  EXPECT_EQ(row.uncompared, 3U + 2U);
}

/// Nothing asked for a response of the second READ again, which the first point has twice.
TEST_F(MessageComparisonsTest, LeaveOutResponsesThatNothingAskedForAgain) {
  responses_at(1, read(0, 20 * kMicrosecond, 10, 4));
  responses_at(2, read(0, 22 * kMicrosecond, 10, 4));
  Message twice = read(4, 40 * kMicrosecond, 20, 9);
  twice.resent_responses = 1;
  responses_at(1, twice);
  responses_at(2, read(4, 42 * kMicrosecond, 20, 8));
  responses_at(1, read(8, 60 * kMicrosecond, 30, 13));
  responses_at(2, read(8, 62 * kMicrosecond, 30, 12));
  const FlowComparison row = only_row();
  EXPECT_EQ(row.both, 12U);
  EXPECT_EQ(row.only_from + row.only_to, 0U);
  EXPECT_EQ(row.uncompared, 1U);
}

/// One of both takes them for those of another queue pair. What the other one lacks then says nothing.
TEST_F(MessageComparisonsTest, LeaveOutFlowsWhoseSendersThePointsTakeForDifferentOnes) {
  for (const std::uint32_t sender : {20U, 21U}) {
    for (std::uint32_t i = 0; i < 10; ++i) {
      Message unanswered = send(i, i * 20 * kMicrosecond, 2 * i + 1);
      if (i % 3 == 1) unanswered.completion_frame = 0;
      comparisons_.add(key_, 1, 1, unanswered, Qpn(20));
      comparisons_.add(key_, 2, 1, unanswered, Qpn(i < 5 || i == 9 ? 20U : sender));
    }
    if (sender == 20) {
      EXPECT_EQ(only_row().both, 10U);
    } else {
      EXPECT_TRUE(comparisons_.take().empty());
      EXPECT_EQ(comparisons_.uncompared(), 10U);
    }
  }
}

TEST_F(MessageComparisonsTest, LeaveOutWhatCameWhileOnePointWasNotWatched) {
  Message before = send(300, -50 * kMicrosecond, 1);
  Message behind = send(400, 500 * kMicrosecond, 90);
  for (Message* const each : {&before, &behind}) {
    each->outcome = MessageOutcome::kOutstanding;
    each->completion_frame = 0;
    at(1, *each);
  }
  for (std::uint32_t i = 0; i < 10; ++i) {
    at(1, send(i, i * 20 * kMicrosecond, 2 * i + 3));
    at(2, send(i, i * 20 * kMicrosecond + kMicrosecond, 2 * i + 1));
  }
  const FlowComparison row = only_row();
  EXPECT_EQ(row.only_from, 0U);
  EXPECT_EQ(row.uncompared, 2U);
}

TEST_F(MessageComparisonsTest, KnowTheRoundOfTheSamePsn) {
  both_see_ten();
  constexpr std::int64_t kRound = 60'000'000'000;
  at(1, send(3, kRound, 100));
  at(1, send(4, 2 * kRound, 200));
  at(2, send(4, 2 * kRound + 2 * kMicrosecond, 200));
  const FlowComparison row = only_row();
  EXPECT_EQ(row.both, 11U);
  EXPECT_EQ(row.uncompared, 1U);  // PSN 3 of the second round, which was answered
}

TEST_F(MessageComparisonsTest, AreOfFourPointsAtMost) {
  for (std::uint8_t point = 1; point <= 6; ++point) {
    for (std::uint32_t i = 0; i < 10; ++i) at(point, send(i, i * 20 * kMicrosecond + point, 2 * i + 1));
  }
  EXPECT_EQ(comparisons_.take().size(), 6U);
  EXPECT_EQ(comparisons_.uncompared(), 20U);
}

TEST_F(MessageComparisonsTest, HaveNoRowOfWhatOnePointSawAlone) {
  for (std::uint32_t i = 0; i < 10; ++i) at(1, send(i, i * 20 * kMicrosecond, 2 * i + 1));
  EXPECT_TRUE(comparisons_.take().empty());
}

}  // namespace
}  // namespace rocescope
