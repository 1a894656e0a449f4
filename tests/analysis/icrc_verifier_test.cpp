#include "rocescope/icrc_verifier.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "rocescope/dissect.hpp"
#include "support/hex.hpp"

namespace rocescope {
namespace {

using Frames = std::vector<std::uint8_t>;

// Packets 1, 2 and 3 of a capture that wrote 4791 over every source port: two writes of one queue pair, sent from port
// 0xF7FC, and an acknowledgement of its peer, sent from 0xD079.
const auto kWrite = testing::hex(R"(
  e8eb d358 a0bc 00b2 0037 c52c 0800 456a 0058 1083 4000 ff11 6cc2 0a16 74dc 0a16
  74dd 12b7 12b7 0044 0000 4a40 ffff 0080 7fff 8004 40fc 1100 9036 0071 5001 0061
  e24e 0000 c0dc 0000 0000 0000 7fb2 35d0 9a00 0005 3829 0000 0008 1e6f 083b 846c
  13c4 dbfa bbe5)");
const auto kNextWrite = testing::hex(R"(
  e8eb d358 a0bc 00b2 0037 c719 0800 456a 0058 1084 4000 ff11 6cc1 0a16 74dc 0a16
  74dd 12b7 12b7 0044 0000 4a40 ffff 0080 7fff 8004 40fd 1100 9036 0071 5001 0061
  e24e 0000 c0dc 0000 0000 0000 7fb2 35d0 9a40 0005 3829 0000 0008 e281 a8fa f7fc
  70fb 845b e979)");
const auto kAcknowledge = testing::hex(R"(
  e8eb d358 a0bc 00b2 0038 3cce 0800 4502 0044 6e0e 4000 ff11 0fb3 0a16 74dd 0a16
  74dc 12b7 12b7 0030 0000 5140 ffff 0000 9035 006a 7d5f 1080 7ff4 0071 5001 0061
  e24f 0000 c0db 0000 0000 1f00 0000 5f29 209e)");

constexpr std::size_t kSourcePort = 34;
constexpr std::size_t kPayload = 94;

Frames with_source_port(Frames frame, std::uint16_t port) {
  frame[kSourcePort] = static_cast<std::uint8_t>(port >> 8);
  frame[kSourcePort + 1] = static_cast<std::uint8_t>(port);
  return frame;
}

Frames corrupt(Frames frame) {
  frame[kPayload] ^= 0x10;
  return frame;
}

Packet dissected(const Frames& frame) {
  Packet packet;
  dissect({.data = frame, .original_length = static_cast<std::uint32_t>(frame.size())}, packet);
  return packet;
}

/// The frame with the ICRC that is right for what it shows.
Frames with_right_icrc(Frames frame) {
  const std::uint32_t icrc = check_icrc(dissected(frame)).expected;
  for (std::size_t i = 0; i < 4; ++i) frame[frame.size() - 4 + i] = static_cast<std::uint8_t>(icrc >> (24 - 8 * i));
  return frame;
}

void expect_good(IcrcVerifier& verifier, const Frames& frame, std::optional<std::uint16_t> true_port) {
  const auto verdict = verifier.verify(dissected(frame));
  EXPECT_EQ(verdict.icrc.status, IcrcStatus::kGood);
  EXPECT_EQ(verdict.true_source_port, true_port);
}

void expect_bad(IcrcVerifier& verifier, const Frames& frame) {
  const auto verdict = verifier.verify(dissected(frame));
  EXPECT_EQ(verdict.icrc.status, IcrcStatus::kBad);
  EXPECT_EQ(verdict.true_source_port, std::nullopt);
}

TEST(IcrcVerifier, FindsThePortOfEachFlowWhoseSourcePortsWereRewrittenTo4791) {
  IcrcVerifier verifier;
  expect_good(verifier, kWrite, 0xF7FC);
  expect_good(verifier, kAcknowledge, 0xD079);
  expect_good(verifier, kNextWrite, 0xF7FC);
}

TEST(IcrcVerifier, LeavesAFlowAloneThatIsRightAsShown) {
  IcrcVerifier verifier;
  expect_good(verifier, with_source_port(kWrite, 0xF7FC), std::nullopt);
  expect_bad(verifier, with_source_port(corrupt(kNextWrite), 0xF7FC));
  expect_good(verifier, with_source_port(kNextWrite, 0xF7FC), std::nullopt);
}

TEST(IcrcVerifier, BelievesAnotherRewritingOnceASecondPacketConfirmsIt) {
  IcrcVerifier verifier;
  expect_bad(verifier, with_source_port(kWrite, 1024));
  expect_good(verifier, with_source_port(kNextWrite, 1024), 0xF7FC);
  expect_good(verifier, with_source_port(kWrite, 1024), 0xF7FC);
}

TEST(IcrcVerifier, TakesNoConfirmationFromACopyOfThePacket) {
  IcrcVerifier verifier;
  for (int i = 0; i < 10; ++i) expect_bad(verifier, with_source_port(kWrite, 1024));
  expect_good(verifier, with_source_port(kNextWrite, 1024), 0xF7FC);
}

TEST(IcrcVerifier, DoubtsAtOnceWhenTheFlowWasRightWithPort4791) {
  IcrcVerifier verifier;
  expect_good(verifier, with_right_icrc(kWrite), std::nullopt);
  expect_bad(verifier, kNextWrite);  // fits 0xF7FC, as a corrupt packet might by chance
  expect_good(verifier, with_right_icrc(kNextWrite), std::nullopt);
}

TEST(IcrcVerifier, FindsThePortAlthoughTheFlowBeginsWithACorruptPacket) {
  IcrcVerifier verifier;
  expect_bad(verifier, corrupt(kWrite));
  expect_good(verifier, kNextWrite, 0xF7FC);
  expect_bad(verifier, corrupt(kWrite));
}

TEST(IcrcVerifier, FollowsAFlowThatChangesItsPort) {
  IcrcVerifier verifier;
  const Frames first = with_source_port(with_right_icrc(with_source_port(kWrite, 0xC001)), 4791);
  const Frames second = with_source_port(with_right_icrc(with_source_port(kNextWrite, 0xC001)), 4791);
  expect_good(verifier, kWrite, 0xF7FC);
  expect_bad(verifier, first);
  for (int i = 0; i < 10; ++i) {
    expect_good(verifier, second, 0xC001);
    expect_good(verifier, kNextWrite, 0xF7FC);
  }
}

TEST(IcrcVerifier, BelievesNoPortOfPacketsWhosePortsWereDamaged) {
  IcrcVerifier verifier;
  expect_bad(verifier, with_source_port(kWrite, 0xF7FD));
  expect_good(verifier, with_source_port(kNextWrite, 0xF7FC), std::nullopt);  // it is not rewritten
  for (int i = 0; i < 10; ++i) expect_bad(verifier, with_source_port(kNextWrite, 0xF7FD));
  IcrcVerifier other;  // different bits: a rewriting would show one port
  expect_bad(other, with_source_port(kWrite, 0xF7FD));
  expect_bad(other, with_source_port(kNextWrite, 0xF7F8));
}

TEST(IcrcVerifier, VerifiesAPacketWithoutRoomForTheHeadersOfItsOpcode) {
  constexpr std::size_t kOpcode = 42;
  IcrcVerifier verifier;
  expect_good(verifier, kAcknowledge, 0xD079);
  Frames damaged = kAcknowledge;
  damaged[kOpcode] = 0x13;  // CmpSwap, whose AtomicETH takes 28 bytes
  expect_bad(verifier, damaged);
}

TEST(IcrcVerifier, CountsWhatItDoesNotSearchBeyondItsLimit) {
  IcrcVerifier verifier(1);
  expect_good(verifier, kWrite, 0xF7FC);
  EXPECT_TRUE(verifier.verify(dissected(kAcknowledge)).unsearched);
  EXPECT_FALSE(verifier.verify(dissected(kNextWrite)).unsearched);
}

constexpr std::size_t kDestQp = 47;

/// The frame as that of another queue pair, with an ICRC that nobody computed.
Frames without_icrc(Frames frame, std::uint8_t queue_pair) {
  frame[kDestQp] = queue_pair;
  for (std::size_t i = 1; i <= 4; ++i) frame[frame.size() - i] = 0;
  return frame;
}

/// One search for each of so many of its flows found nothing.
constexpr std::uint8_t kManyFlows = 80;

TEST(IcrcVerifier, SearchesNoMorePortsOfAHostThatComputesNoIcrc) {
  IcrcVerifier verifier(kManyFlows - 1);
  for (std::uint8_t i = 0; i < kManyFlows; ++i) {
    const auto verdict = verifier.verify(dissected(with_source_port(without_icrc(kWrite, i), 1024)));
    EXPECT_EQ(verdict.icrc.status, IcrcStatus::kBad);
    EXPECT_FALSE(verdict.unsearched);  // nothing is remembered of the flows behind the first ones
  }
  expect_good(verifier, kWrite, 0xF7FC);  // it shows the known rewriting
}

TEST(IcrcVerifier, SearchesOnWhereAnotherFlowOfTheHostWasRewritten) {
  IcrcVerifier verifier;
  expect_bad(verifier, with_source_port(kWrite, 1024));
  expect_good(verifier, with_source_port(kNextWrite, 1024), 0xF7FC);
  for (std::uint8_t i = 0; i < kManyFlows; ++i) expect_bad(verifier, with_source_port(without_icrc(kWrite, i), 1024));
  const auto with_icrc = [](Frames frame) {
    frame[kDestQp] = 0xAA;
    return with_source_port(with_right_icrc(with_source_port(frame, 0xC001)), 1024);
  };
  expect_bad(verifier, with_icrc(kWrite));
  expect_good(verifier, with_icrc(kNextWrite), 0xC001);
}

TEST(IcrcVerifier, SaysWhyItCannotVerify) {
  IcrcVerifier verifier;
  const Frames cut(kWrite.begin(), kWrite.end() - 1);
  const auto verdict = verifier.verify(dissected(cut));
  EXPECT_EQ(verdict.icrc.status, IcrcStatus::kUnverifiable);
  EXPECT_EQ(verdict.icrc.obstacle, StopReason::kTruncated);
}

}  // namespace
}  // namespace rocescope
