// What an attacker could use, and what he does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_capture.hpp"

namespace rocescope {
namespace {

using testing::aeth;
using testing::Buffer;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MadeCapture;
using testing::packets_of;
using testing::rc_packet;
using testing::reth;
using ::testing::SizeIs;
namespace rc = testing::rc;

constexpr std::uint32_t kScattered[] = {0x8F31A2, 0x0102B4, 0xE77001, 0x44C9D0, 0x9A0333, 0x31E5F7, 0xC0FFEE, 0x6B2D18};

/// One WRITE for each key.
template <class KeyOf>
MadeCapture writes(KeyOf key_of) {
  MadeCapture capture;
  for (std::uint32_t i = 0; i < 8; ++i) {
    capture.add(rc_packet({.opcode = rc::kWriteOnly, .psn = i, .after_bth = reth(8, 8, key_of(i))}));
  }
  return capture;
}

TEST(RkeyPredictable, WhenEachIsCloseToTheOneBefore) {
  // As rdma_rxe makes them: an index that counts, and 8 random bits.
  const auto found = writes([](std::uint32_t i) {
                       return ((0x300 + 2 * i) << 8) | ((37 * i) & 0xFF);
                     }).findings(FindingId::kRkeyPredictable);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "7 of 8 R_Keys of 10.0.0.2 lie within 16 of the one before");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(2, 3, 4, 5));
}

TEST(RkeyPredictable, NotWhenTheyAreScatteredOrTheSame) {
  EXPECT_THAT(writes([](std::uint32_t i) { return kScattered[i] << 8; }).findings(FindingId::kRkeyPredictable),
              IsEmpty());
  EXPECT_THAT(writes([](std::uint32_t) { return 0x30077U; }).findings(FindingId::kRkeyPredictable), IsEmpty());
}

/// A packet to each of eight queue pairs.
template <class NumberOf>
MadeCapture queue_pairs(NumberOf number_of) {
  MadeCapture capture;
  for (std::uint32_t i = 0; i < 8; ++i) capture.add(rc_packet({.after_bth = Buffer(4), .dest_qp = number_of(i)}));
  return capture;
}

TEST(QpnSequential, WhenEachIsCloseToTheOneBefore) {
  const auto found = queue_pairs([](std::uint32_t i) { return 0x11 + i; }).findings(FindingId::kQpnSequential);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "7 of 8 queue pair numbers of 10.0.0.2 lie within 16 of the one before");
  EXPECT_EQ(found[0].seen.count, 7U);
  EXPECT_THAT(packets_of(found[0]), ElementsAre(2, 3, 4, 5));
}

TEST(QpnSequential, NotWhenTheyAreScattered) {
  EXPECT_THAT(queue_pairs([](std::uint32_t i) { return kScattered[i]; }).findings(FindingId::kQpnSequential),
              IsEmpty());
}

/// A REQ with this starting PSN (IBTA 12.6.5).
Buffer req(std::uint32_t comm_id, std::uint32_t psn) {
  constexpr std::size_t kMad = 24;
  Buffer mad(256);
  mad[0] = 1;  // base version
  mad[1] = 7;  // communication management
  mad[2] = 2;
  mad[3] = 3;      // Send
  mad[17] = 0x10;  // REQ
  mad[15] = static_cast<std::uint8_t>(comm_id);
  mad[kMad + 3] = static_cast<std::uint8_t>(comm_id);
  for (std::size_t i = 0; i < 3; ++i) mad[kMad + 44 + i] = static_cast<std::uint8_t>(psn >> (16 - 8 * i));
  return testing::seal(testing::ud_frame(1, 1, 0x80010000, mad));
}

TEST(PsnStartPredictable, WhenTheyAreTheSame) {
  MadeCapture same;
  for (std::uint32_t i = 0; i < 8; ++i) same.add(req(i + 1, 0));
  const auto found = same.findings(FindingId::kPsnStartPredictable);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "7 of 8 starting PSNs of 10.0.0.1 lie within 16 of the one before");
}

TEST(PsnStartPredictable, NotWhenARequestIsRepeated) {
  MadeCapture repeated;
  for (std::uint32_t i = 0; i < 8; ++i) repeated.add(req(1, 0));
  EXPECT_THAT(repeated.findings(FindingId::kPsnStartPredictable), IsEmpty());
  MadeCapture scattered;
  for (std::uint32_t i = 0; i < 8; ++i) scattered.add(req(i + 1, kScattered[i]));
  EXPECT_THAT(scattered.findings(FindingId::kPsnStartPredictable), IsEmpty());
}

/// `count` connections, each with a few SENDs, by which its directions are known to belong together, and a WRITE that is
/// refused.
MadeCapture scan(std::uint32_t count) {
  constexpr std::uint8_t kAckSyndrome = 0x1F;
  constexpr std::uint8_t kRemoteAccessError = 0x62;
  constexpr std::uint32_t kSends = 4;
  MadeCapture capture;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j <= kSends; ++j) {
      const bool tries = j == kSends;
      const std::uint32_t psn = i * 1'000 + j;
      capture.add(rc_packet({.opcode = tries ? rc::kWriteOnly : rc::kSendOnly,
                             .psn = psn,
                             .after_bth = tries ? reth(8, 8, 0x1000 + i) : Buffer(4),
                             .dest_qp = 0x100 + 50 * i}));
      capture.add(rc_packet({.opcode = rc::kAcknowledge,
                             .psn = psn,
                             .after_bth = aeth(tries ? kRemoteAccessError : kAckSyndrome),
                             .dest_qp = 0x900 + 50 * i,
                             .from = 2,
                             .to = 1}));
    }
  }
  return capture;
}

TEST(RkeyScan, WhenManyKeysAreRefused) {
  const auto found = scan(8).findings(FindingId::kRkeyScan);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "10.0.0.1 tried 8 R_Keys of 10.0.0.2, all refused");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(9, 19, 29, 39));
  EXPECT_THAT(scan(8).findings(FindingId::kRkeyPredictable), IsEmpty());
}

TEST(RkeyScan, NotWhenOneOrTwoAre) { EXPECT_THAT(scan(7).findings(FindingId::kRkeyScan), IsEmpty()); }

Buffer answer(std::uint32_t psn) {
  return rc_packet(
      {.opcode = rc::kAcknowledge, .psn = psn, .after_bth = aeth(0x1F), .dest_qp = 0x22, .from = 2, .to = 1});
}

TEST(ForeignRequester, WhenAnotherAddressSendsToAQueuePairInUse) {
  const MadeCapture capture{rc_packet({.psn = 1, .after_bth = Buffer(4)}),
                            answer(1),
                            rc_packet({.psn = 2, .after_bth = Buffer(4), .from = 9}),
                            rc_packet({.psn = 3, .after_bth = Buffer(4), .from = 9}),
                            rc_packet({.psn = 2, .after_bth = Buffer(4)}),
                            answer(2)};
  const auto found = capture.findings(FindingId::kForeignRequester);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what,
            "2 packets from 10.0.0.9 to queue pair 0x000011 of 10.0.0.2, whose peer in connection 1 is 10.0.0.1");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(3, 4));
}

TEST(ForeignRequester, NotWhenTheQueuePairHasANewPeer) {
  const MadeCapture capture{rc_packet({.psn = 1, .after_bth = Buffer(4)}), answer(1),
                            rc_packet({.psn = 2, .after_bth = Buffer(4), .from = 9}),
                            rc_packet({.psn = 3, .after_bth = Buffer(4), .from = 9})};
  EXPECT_THAT(capture.findings(FindingId::kForeignRequester), IsEmpty());
}

TEST(PayloadConflict, NamesBothPackets) {
  const MadeCapture capture{rc_packet({.psn = 1, .after_bth = {1, 2, 3, 4}}),
                            rc_packet({.psn = 1, .after_bth = {1, 2, 3, 5}})};
  const auto found = capture.findings(FindingId::kPayloadConflict);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "1 packet repeats a PSN with another payload, the first that of packet 1");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(2));
}

}  // namespace
}  // namespace rocescope
