// Advice: where it is due and where it is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_capture.hpp"
#include "support/durations.hpp"

namespace rocescope {
namespace {

using testing::aeth;
using testing::Buffer;
using ::testing::IsEmpty;
using testing::MadeCapture;
using testing::rc_packet;
using testing::reth;
using ::testing::SizeIs;
namespace rc = testing::rc;

Buffer ack(std::uint32_t psn) {
  return rc_packet(
      {.opcode = rc::kAcknowledge, .psn = psn, .after_bth = aeth(0x1F), .dest_qp = 0x22, .from = 2, .to = 1});
}

/// `count` SENDs of `bytes` bytes.
MadeCapture sends(std::uint32_t count, std::size_t bytes, std::int64_t interval) {
  MadeCapture capture;
  for (std::uint32_t psn = 0; psn < count; ++psn) {
    capture.add(rc_packet({.psn = psn, .after_bth = Buffer(bytes)}), interval);
    capture.add(ack(psn), kMicrosecond);
  }
  return capture;
}

TEST(SmallMessages, AreReportedWhenThereAreManyInLittleTime) {
  const auto found = sends(1'100, 16, 9 * kMicrosecond).findings(FindingId::kSmallMessages);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].seen.count, 1'100U);
  EXPECT_EQ(found[0].side, 0U);
  EXPECT_THAT(found[0].what, ::testing::StartsWith("1,100 messages of less than 256 bytes, 100"));
}

TEST(SmallMessages, AreFineWhenTheyAreFewOrSlowOrLarge) {
  EXPECT_THAT(sends(900, 16, 9 * kMicrosecond).findings(FindingId::kSmallMessages), IsEmpty());
  EXPECT_THAT(sends(1'100, 16, kMillisecond).findings(FindingId::kSmallMessages), IsEmpty());
  EXPECT_THAT(sends(1'100, 256, 9 * kMicrosecond).findings(FindingId::kSmallMessages), IsEmpty());
}

/// A SEND, its ACK without credits (IBTA Table 45: code 0), `until` later one with six (code 5) and `then` the next SEND.
MadeCapture without_credits(std::int64_t until, std::int64_t then) {
  const auto answer = [](std::uint8_t syndrome) {
    return rc_packet(
        {.opcode = rc::kAcknowledge, .psn = 7, .after_bth = aeth(syndrome), .dest_qp = 0x22, .from = 2, .to = 1});
  };
  MadeCapture capture;
  capture.add(rc_packet({.psn = 6, .after_bth = Buffer(16)}));
  capture.add(rc_packet({.psn = 7, .after_bth = Buffer(16)}));
  capture.add(answer(0x00));
  if (until > 0) capture.add(answer(0x05), until);
  capture.add(rc_packet({.psn = 8, .after_bth = Buffer(16)}), then);
  return capture;
}

TEST(CreditStall, LastsFromAnAckWithoutCreditsToOneWithSome) {
  const auto found = without_credits(2 * kMillisecond, 3 * kMicrosecond).findings(FindingId::kCreditStall);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].seen.count, 1U);
  EXPECT_EQ(found[0].seen.packets[0], 3U);
  EXPECT_EQ(found[0].what, "out of credits once, 2.00 ms in all");
  EXPECT_THAT(sends(3, 16, kMillisecond).findings(FindingId::kCreditStall), IsEmpty());
}

TEST(CreditStall, IsNoneOfARequesterThatDoesNotWait) {
  EXPECT_THAT(without_credits(0, 3 * kMicrosecond).findings(FindingId::kCreditStall), IsEmpty());
  EXPECT_THAT(without_credits(0, 3 * kMillisecond).findings(FindingId::kCreditStall), IsEmpty());
  EXPECT_THAT(without_credits(20 * kMicrosecond, 3 * kMicrosecond).findings(FindingId::kCreditStall), IsEmpty());
  EXPECT_THAT(without_credits(2 * kMillisecond, 2 * kMillisecond).findings(FindingId::kCreditStall), IsEmpty());
}

/// `count` WRITEs of eight packets each, an ACK for every `acked`th packet.
MadeCapture writes(std::uint32_t count, std::uint32_t mtu, std::uint32_t acked) {
  MadeCapture capture;
  std::uint32_t psn = 0;
  for (std::uint32_t message = 0; message < count; ++message) {
    for (std::uint32_t i = 0; i < 8; ++i, ++psn) {
      const std::uint8_t opcode = i == 0 ? rc::kWriteFirst : i == 7 ? rc::kWriteLast : rc::kWriteMiddle;
      capture.add(rc_packet({.opcode = opcode, .psn = psn, .after_bth = i == 0 ? reth(8 * mtu, mtu) : Buffer(mtu)}));
      if ((psn + 1) % acked == 0) capture.add(ack(psn));
    }
  }
  return capture;
}

TEST(SmallMtu, IsReportedForBulkData) {
  const auto found = writes(128, 1024, 8).findings(FindingId::kSmallMtu);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "path MTU of 1024 bytes for 128 messages of 8192 bytes on average");
}

TEST(SmallMtu, IsFineForLittleDataAndForShortMessages) {
  EXPECT_THAT(writes(127, 1024, 8).findings(FindingId::kSmallMtu), IsEmpty());
  EXPECT_THAT(writes(64, 2048, 8).findings(FindingId::kSmallMtu), IsEmpty());
  EXPECT_THAT(writes(1'024, 256, 8).findings(FindingId::kSmallMtu), IsEmpty());
}

TEST(AckEveryPacket, IsReportedForLongMessages) {
  const auto found = writes(128, 256, 1).findings(FindingId::kAckEveryPacket);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "1,024 ACKs for 1,024 request packets");
}

TEST(AckEveryPacket, IsFineForShortMessages) {
  EXPECT_THAT(writes(128, 256, 2).findings(FindingId::kAckEveryPacket), IsEmpty());
  EXPECT_THAT(sends(1'100, 16, kMillisecond).findings(FindingId::kAckEveryPacket), IsEmpty());
}

/// Four queue pairs; port_of(i) is the source port of the i-th.
template <class PortOf>
MadeCapture four_queue_pairs(PortOf port_of) {
  MadeCapture capture;
  for (std::uint32_t psn = 0; psn < 20; ++psn) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      capture.add(
          rc_packet({.psn = psn, .after_bth = Buffer(64), .dest_qp = 0x1000 + 77 * i, .source_port = port_of(i)}));
    }
  }
  return capture;
}

TEST(OnePortEntropy, IsReportedForSeveralQueuePairs) {
  const auto found =
      four_queue_pairs([](std::uint32_t) { return std::uint16_t{50'000}; }).findings(FindingId::kOnePortEntropy);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "4 queue pairs from 10.0.0.1 to 10.0.0.2 all use UDP source port 50000");
  EXPECT_EQ(found[0].seen.count, 80U);
}

TEST(OnePortEntropy, IsFineWithTwoPortsOrARewrittenOne) {
  const auto two = [](std::uint32_t i) { return static_cast<std::uint16_t>(50'000 + (i == 3 ? 1 : 0)); };
  EXPECT_THAT(four_queue_pairs(two).findings(FindingId::kOnePortEntropy), IsEmpty());
  const auto rewritten = [](std::uint32_t) { return std::uint16_t{4791}; };
  EXPECT_THAT(four_queue_pairs(rewritten).findings(FindingId::kOnePortEntropy), IsEmpty());
}

}  // namespace
}  // namespace rocescope
