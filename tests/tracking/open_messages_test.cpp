// Messages put together from their packets, without anything that judges these.
#include "tracking/requests/open_messages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "stream_parts.hpp"

namespace rocescope {
namespace {

using namespace testing;

class OpenMessagesTest : public ::testing::Test {
 protected:
  Message& add(const RequestPacket& packet, std::uint32_t next) {
    return messages.add(packet, packet.psn, Psn(next), counted.log);
  }
  Counted counted;
  OpenMessages messages;
};

TEST_F(OpenMessagesTest, BeginAndEndWithTheirPackets) {
  add(request(kSendFirst, 10, 1024), 10);
  add(request(kSendMiddle, 11, 1024), 11);
  add(request(kSendLast, 12, 100), 12);
  add(request(kSendOnly, 13, 7), 13);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages.all()[0].bytes, 2148U);
  EXPECT_EQ(messages.all()[0].packets, 3U);
  EXPECT_TRUE(messages.all()[0].has_last);
  EXPECT_EQ(messages.find(Psn(11)), &messages.front());
  EXPECT_EQ(messages.find(Psn(14)), nullptr);
  EXPECT_EQ(messages.bytes(), 2155U);
}

TEST_F(OpenMessagesTest, StandInTheOrderOfTheirPsnsWhereverTheyCome) {
  for (const std::uint32_t psn : {20U, 22U, 24U, 26U, 28U, 30U}) add(request(kSendOnly, psn), psn);
  messages.complete(messages.front(), {}, MessageOutcome::kCompleted, counted.log);
  for (const std::uint32_t psn : {23U, 21U, 29U, 20U, 27U, 31U, 25U}) add(request(kSendOnly, psn), 31);
  std::vector<std::uint32_t> psns;
  for (const Message& message : messages.all()) psns.push_back(message.first_psn.value());
  EXPECT_EQ(psns, (std::vector<std::uint32_t>{20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}));
}

TEST_F(OpenMessagesTest, BecomeOneWithThePacketBetweenThem) {
  add(request(kSendFirst, 10, 1024), 10);
  add(request(kSendLast, 12, 100), 12);
  EXPECT_EQ(messages.size(), 2U);
  const Message& whole = add(request(kSendMiddle, 11, 1024), 13);
  EXPECT_EQ(messages.size(), 1U);
  EXPECT_EQ(whole.packets, 3U);
  EXPECT_EQ(whole.last_frame, 13U);
  EXPECT_EQ(counted.totals.sums.messages, 1U);
}

TEST_F(OpenMessagesTest, AreJoinedWhereTheMiddleWasNeverSeen) {
  add(request(kSendFirst, 10, 1024), 10);
  add(request(kSendLast, 14, 100), 14);
  EXPECT_TRUE(messages.join_rest(messages.front(), counted.log));
  EXPECT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages.front().last_psn, Psn(14));
  EXPECT_EQ(messages.front().packets, 2U);
  EXPECT_FALSE(messages.join_rest(messages.front(), counted.log));
}

TEST_F(OpenMessagesTest, TakeAPacketOfTheMiddleThatComesLater) {
  add(request(kSendFirst, 10, 1024), 10);
  add(request(kSendLast, 14, 100), 14);
  EXPECT_TRUE(messages.join_rest(messages.front(), counted.log));
  EXPECT_EQ(add(request(kSendMiddle, 12, 1024), 15).packets, 3U);
  EXPECT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages.front().last_psn, Psn(14));
  EXPECT_EQ(counted.totals.sums.messages, 1U);
}

TEST_F(OpenMessagesTest, AreOneFromPieceToPieceWhereNothingMoreComes) {
  add(request(kSendFirst, 10, 1024), 10);
  add(request(kSendMiddle, 12, 1024), 12);
  add(request(kSendLast, 14, 100), 14);
  add(request(kSendOnly, 15, 7), 15);
  add(request(kSendFirst, 16, 1024), 16);
  add(request(kSendMiddle, 19, 1024), 19);
  EXPECT_EQ(counted.totals.sums.messages, 6U);
  messages.join_pieces(counted.log);
  EXPECT_EQ(counted.totals.sums.messages, 3U);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages.all()[0].bytes, 2148U);
  EXPECT_TRUE(messages.all()[0].has_last);
  EXPECT_EQ(messages.all()[1].first_psn, Psn(15));
  EXPECT_EQ(messages.all()[2].last_psn, Psn(19));
  EXPECT_EQ(messages.bytes(), 2148U + 7U + 2048U);
}

TEST_F(OpenMessagesTest, SayWhatMayBeOfAnotherMessage) {
  add(request(kSendFirst, 10, 1024), 10);
  add(request(kSendMiddle, 11, 1024), 11);
  add(request(kSendLast, 14, 100), 14);
  EXPECT_TRUE(messages.join_rest(messages.front(), counted.log));
  EXPECT_EQ(messages.front().bytes, 2148U);
  EXPECT_EQ(messages.front().unsure_bytes, 100U);
}

TEST_F(OpenMessagesTest, EndWhereTheirLengthSays) {
  constexpr std::uint8_t kFirst = 0x06;
  constexpr std::uint8_t kLast = 0x08;
  const auto begin = [&](std::uint32_t last) {
    messages = {};
    RequestPacket first = request(kFirst, 10, 1024);
    first.dma_length = 2'100;  // three packets
    add(first, 10);
    add(request(kLast, last, 52), last);
  };
  begin(12);
  EXPECT_TRUE(messages.join_rest(messages.front(), counted.log));
  EXPECT_EQ(messages.front().unsure_bytes, 0U);
  begin(14);
  EXPECT_FALSE(messages.join_rest(messages.front(), counted.log));
  messages.join_pieces(counted.log);
  EXPECT_EQ(messages.size(), 2U);
  begin(11);
  EXPECT_FALSE(messages.join_rest(messages.front(), counted.log));
}

TEST_F(OpenMessagesTest, TellTheirTimesWhenTheyEnd) {
  Message& message = add(request(kSendOnly, 10, 7, 5 * kMicrosecond), 10);
  messages.complete(message, {.psn = Psn(10), .frame = 99, .time = 25 * kMicrosecond}, MessageOutcome::kCompleted,
                    counted.log);
  EXPECT_TRUE(messages.empty());
  ASSERT_EQ(counted.news.ended.size(), 1U);
  EXPECT_EQ(counted.news.ended[0].completion_frame, 99U);
  ASSERT_EQ(counted.news.measures.size(), 2U);
  for (const Measure& measure : counted.news.measures) EXPECT_EQ(measure.ns, 20 * kMicrosecond);
  EXPECT_EQ(counted.totals.sums.messages_completed, 1U);
  EXPECT_EQ(messages.bytes(), 7U);
}

TEST_F(OpenMessagesTest, LendTheirMemoryWhileNoneIsOpen) {
  Message& message = add(request(kSendOnly, 10, 7), 10);
  messages.complete(message, {}, MessageOutcome::kCompleted, counted.log);
  messages.return_memory(counted.log.news);
  EXPECT_EQ(counted.news.spare.size(), 1U);
  OpenMessages others;
  others.add(request(kSendOnly, 20, 7), Psn(20), Psn(20), counted.log);
  EXPECT_TRUE(counted.news.spare.empty());
}

}  // namespace
}  // namespace rocescope
