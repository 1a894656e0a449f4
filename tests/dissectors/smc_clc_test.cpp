// The set-up of SMC-R over TCP, in frames that scapy made and that tshark reads in the same way.
#include "rocescope/headers/smc_clc.hpp"

#include <gtest/gtest.h>

#include "rocescope/headers.hpp"
#include "support/roce_frame.hpp"

namespace rocescope::smc_clc_test {
namespace {

using testing::Buffer;

constexpr std::size_t kSegment = 54;  // where TCP's data begin

const Buffer& proposal() {
  static const Buffer frame = testing::hex(
      "02000000000202000000000108004500005c000100004006f519c0a80218c0a802199c401451000003e80000138850182000cfaf0000e2d4"
      "c3d901003410123402000000000100000000000000000000ffffc0a802180200000000010000ffffff0018000000e2d4c3d9");
  return frame;
}
const Buffer& accept() {
  static const Buffer frame = testing::hex(
      "02000000000102000000000208004500006c000100004006f509c0a80219c0a8021814519c40000013880000041c50182000f7aa0000e2d4"
      "c3d902004418123402000000000200000000000000000000ffffc0a802190200000000020000110000029e0100000007230000007f000000"
      "100000417c6ae2d4c3d9");
  return frame;
}
const Buffer& confirm() {
  static const Buffer frame = testing::hex(
      "02000000000202000000000108004500006c000100004006f509c0a80218c0a802199c4014510000041c000013cc501820001e2f0000e2d4"
      "c3d903004418123402000000000100000000000000000000ffffc0a80218020000000001000012000003ab0100000008230000007f000000"
      "200000823662e2d4c3d9");
  return frame;
}
const Buffer& decline() {
  static const Buffer frame = testing::hex(
      "020000000001020000000002080045000044000100004006f531c0a80219c0a8021814519c40000013cc0000046050182000bcc80000e2d4"
      "c3d904001c1012340200000000020303000200000000e2d4c3d9");
  return frame;
}

bool has_clc(const Packet& packet) {
  return packet.find(HeaderKind::kSmcProposal) != nullptr || packet.find(HeaderKind::kSmcAccept) != nullptr ||
         packet.find(HeaderKind::kSmcConfirm) != nullptr || packet.find(HeaderKind::kSmcDecline) != nullptr;
}

void expect_number(const Packet& packet, std::string_view name, std::uint64_t number) {
  const auto value = testing::value_of(packet, name);
  ASSERT_TRUE(value) << name;
  EXPECT_EQ(value->number, number) << name;
}

TEST(SmcClc, AcceptAndConfirmNameTheQueuePairs) {
  const Packet accepted = testing::dissect_frame(accept());
  ASSERT_NE(accepted.find(HeaderKind::kSmcAccept), nullptr);
  expect_number(accepted, "smc.accept.server.qp.number", 0x11);
  expect_number(accepted, "smc.accept.server.rmb.rkey", 0x29E);
  expect_number(accepted, "smc.accept.server.rmb.virtual.address", 0x7F0000001000);
  expect_number(accepted, "smc.accept.qp.mtu.value", 3);
  expect_number(accepted, "smc.accept.initial.psn", 0x417C6A);
  expect_number(accepted, "rocescope.smc.clc.first", 1);
  const Packet confirmed = testing::dissect_frame(confirm());
  ASSERT_NE(confirmed.find(HeaderKind::kSmcConfirm), nullptr);
  expect_number(confirmed, "smc.confirm.client.qp.number", 0x12);
  expect_number(confirmed, "smc.initial.psn", 0x823662);
}

TEST(SmcClc, ProposalHasItsAddressesAndDeclineItsReason) {
  const Packet proposed = testing::dissect_frame(proposal());
  ASSERT_NE(proposed.find(HeaderKind::kSmcSubnet), nullptr);
  expect_number(proposed, "rocescope.smc.subnet.bits", 24);
  const Packet declined = testing::dissect_frame(decline());
  EXPECT_EQ(testing::value_of(declined, "smc.peer.diag.info")->meaning(), "no device for SMC-R");
}

TEST(SmcClc, OnlyWholeMessagesAreSome) {
  for (const Buffer* frame : {&proposal(), &accept(), &confirm(), &decline()}) {
    EXPECT_TRUE(has_clc(testing::dissect_frame(*frame)));
    for (std::size_t length = 0; length < frame->size(); ++length) {
      const Buffer captured(frame->begin(), frame->begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_FALSE(has_clc(testing::dissect_cut(captured, frame->size()))) << length;
    }
  }
}

TEST(SmcClc, NeedsTheEyeCatcherAtBothEndsAndTheLengthOfItsType) {
  for (const Buffer* frame : {&proposal(), &accept(), &confirm(), &decline()}) {
    for (const std::size_t at :
         {kSegment, kSegment + 3, kSegment + 4, kSegment + 6, frame->size() - 4, frame->size() - 1}) {
      Buffer other = *frame;
      other[at] = static_cast<std::uint8_t>(other[at] ^ 0x20U);
      EXPECT_FALSE(has_clc(testing::dissect_frame(other))) << at;
    }
  }
}

}  // namespace
}  // namespace rocescope::smc_clc_test
