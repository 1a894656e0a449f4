// The texts of breaches. Which packets break which rule: tests/tracking/conformance_test.cpp.
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
using testing::seal;
using ::testing::SizeIs;
namespace rc = testing::rc;

const Buffer kSend = rc_packet({.psn = 1, .after_bth = Buffer(4)});
const Buffer kNext = rc_packet({.psn = 2, .after_bth = Buffer(4)});

Buffer with(Buffer frame, std::size_t offset, std::uint8_t value) {
  frame[offset] = value;
  return seal(std::move(frame));
}

Buffer send_of(std::uint32_t psn) { return rc_packet({.psn = psn, .after_bth = Buffer(4)}); }

/// The only one of its kind.
Finding only(const MadeCapture& capture, FindingId id) {
  const auto found = capture.findings(id);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Finding{} : found.front();
}

TEST(ConformanceFindings, AreNoneOfGoodPackets) {
  const MadeCapture capture{
      kSend, kNext, rc_packet({.opcode = rc::kWriteFirst, .psn = 3, .after_bth = reth(1030, 1024)}),
      with(rc_packet({.opcode = rc::kWriteLast, .psn = 4, .after_bth = {1, 2, 3, 4, 5, 6, 0, 0}}), 43, 0x20),
      rc_packet({.opcode = rc::kAcknowledge, .psn = 4, .after_bth = aeth(0x1F), .dest_qp = 0x22, .from = 2, .to = 1})};
  for (const FindingId id :
       {FindingId::kOpcodeOrder, FindingId::kLengthMtu, FindingId::kPad, FindingId::kTransportOperation,
        FindingId::kTver, FindingId::kReservedBits, FindingId::kPkeyMismatch}) {
    EXPECT_THAT(capture.findings(id), IsEmpty());
  }
}

TEST(ConformanceFindings, OpcodeOrder) {
  const Finding finding = only({kSend, kNext, rc_packet({.opcode = rc::kWriteLast, .psn = 3, .after_bth = Buffer(4)})},
                               FindingId::kOpcodeOrder);
  EXPECT_EQ(finding.what, "RC RDMA WRITE Last after RC SEND Only, 1 packet");
  EXPECT_THAT(packets_of(finding), ElementsAre(3));
  EXPECT_EQ(finding.connection, 1U);
}

TEST(ConformanceFindings, LengthMtu) {
  const Finding finding = only({rc_packet({.opcode = rc::kSendFirst, .psn = 1, .after_bth = Buffer(1024)}),
                                rc_packet({.opcode = rc::kSendMiddle, .psn = 2, .after_bth = Buffer(512)}),
                                rc_packet({.opcode = rc::kSendMiddle, .psn = 3, .after_bth = Buffer(512)})},
                               FindingId::kLengthMtu);
  EXPECT_EQ(finding.what, "payload of 512 bytes in a First or Middle where the path MTU is 1024, 2 packets");
  EXPECT_THAT(packets_of(finding), ElementsAre(2, 3));
  EXPECT_EQ(
      only({rc_packet({.opcode = rc::kWriteOnly, .psn = 1, .after_bth = reth(8, 12)})}, FindingId::kLengthMtu).what,
      "12 bytes written where the RETH says 8, 1 packet");
}

TEST(ConformanceFindings, Pad) {
  EXPECT_EQ(only({kSend, rc_packet({.psn = 2, .after_bth = Buffer(7)})}, FindingId::kPad).what,
            "7 bytes of payload and pad, no multiple of 4, 1 packet");
}

TEST(ConformanceFindings, TransportOperation) {
  constexpr std::uint8_t kUcReadRequest = 0x2C;
  constexpr std::uint8_t kUcSendOnly = 0x24;
  const Finding reserved = only({kSend, rc_packet({.opcode = kUcReadRequest, .psn = 2, .after_bth = reth(8, 0)})},
                                FindingId::kTransportOperation);
  EXPECT_EQ(reserved.what, "UC reserved 0x2C, not an operation, 1 packet");
  EXPECT_THAT(packets_of(reserved), ElementsAre(2));
  const Finding other = only({kSend, rc_packet({.opcode = kUcSendOnly, .psn = 2, .after_bth = Buffer(4)}), kNext},
                             FindingId::kTransportOperation);
  EXPECT_EQ(other.what, "UC SEND Only on a queue pair of RC, 1 packet");
  EXPECT_THAT(packets_of(other), ElementsAre(2));
}

TEST(ConformanceFindings, VersionReservedBitsAndPkey) {
  constexpr std::size_t kFlags = 43;
  constexpr std::size_t kPkey = 44;
  constexpr std::size_t kResv7 = 50;
  const Finding version = only({kSend, with(kNext, kFlags, 0x01)}, FindingId::kTver);
  EXPECT_EQ(version.what, "transport header version 1, 1 packet");
  const Finding reserved = only({kSend, with(kNext, kResv7, 0x81)}, FindingId::kReservedBits);
  EXPECT_EQ(reserved.what, "0x01 in the seven reserved bits beside AckReq, 1 packet");
  const Finding key = only({kSend, with(kNext, kPkey, 0x12)}, FindingId::kPkeyMismatch);
  EXPECT_EQ(key.what, "P_Key 0x12ff where the others have 0xffff, 1 packet");
  for (const Finding& finding : {version, reserved, key}) EXPECT_THAT(packets_of(finding), ElementsAre(2));
}

/// Up to the BTH.
Buffer cut(Buffer frame) {
  frame.resize(54);
  return frame;
}

TEST(ConformanceFindings, AreNotMadeOfFewPacketsThatMayBeDamaged) {
  constexpr std::size_t kPkey = 44;
  const Buffer other_key = with(kNext, kPkey, 0x12);
  const MadeCapture one{cut(kSend), cut(other_key)};
  EXPECT_THAT(one.findings(FindingId::kPkeyMismatch), IsEmpty());
  EXPECT_THAT(packets_of(only({cut(kSend), other_key}, FindingId::kPkeyMismatch)),
              ElementsAre(2));  // its ICRC is right
  const MadeCapture several{cut(kSend), cut(other_key), cut(with(send_of(3), kPkey, 0x12)),
                            cut(with(send_of(4), kPkey, 0x12))};
  EXPECT_THAT(packets_of(only(several, FindingId::kPkeyMismatch)), ElementsAre(2, 3, 4));
}

/// A READ of 3 KiB, its responses, and what comes after it on one of its PSNs.
MadeCapture after_read(const Buffer& next) {
  const auto response = [](std::uint8_t opcode, std::uint32_t psn, Buffer header) {
    header.resize(header.size() + 1024, 0xA5);
    return rc_packet(
        {.opcode = opcode, .psn = psn, .after_bth = std::move(header), .dest_qp = 0x22, .from = 2, .to = 1});
  };
  return {rc_packet({.opcode = rc::kWriteFirst, .psn = 6, .after_bth = reth(1100, 1024)}),
          rc_packet({.opcode = rc::kWriteLast, .psn = 7, .after_bth = Buffer(76)}),
          rc_packet({.opcode = rc::kReadRequest, .psn = 8, .after_bth = reth(3072, 0, 0x77, 0x2000)}),
          response(0x0D, 8, aeth(0x1F)),
          response(0x0E, 9, {}),
          response(0x0F, 10, aeth(0x1F)),
          next};
}

TEST(ConformanceFindings, AnotherRequestOnAUsedPsn) {
  const Finding send = only(after_read(rc_packet({.psn = 9, .after_bth = Buffer(64)})), FindingId::kUsedPsn);
  EXPECT_EQ(send.what, "RC SEND Only in packet 7 on a PSN of packet 3, which is another request, 1 packet");
  EXPECT_THAT(packets_of(send), ElementsAre(3, 7));
  const Buffer elsewhere = rc_packet({.opcode = rc::kReadRequest, .psn = 9, .after_bth = reth(1024, 0, 0x77, 0x9000)});
  EXPECT_THAT(packets_of(only(after_read(elsewhere), FindingId::kUsedPsn)), ElementsAre(3, 7));
  const Buffer longer = rc_packet({.opcode = rc::kReadRequest, .psn = 9, .after_bth = reth(3072, 0, 0x77, 0x2400)});
  EXPECT_THAT(packets_of(only(after_read(longer), FindingId::kUsedPsn)), ElementsAre(3, 7));
  const Buffer shorter = rc_packet({.opcode = rc::kWriteLast, .psn = 7, .after_bth = Buffer(72)});
  EXPECT_THAT(packets_of(only(after_read(shorter), FindingId::kUsedPsn)), ElementsAre(2, 7));
  for (const Buffer& next : {send_of(9), elsewhere}) {
    EXPECT_THAT(after_read(next).findings(FindingId::kRetransmissions), IsEmpty());
    EXPECT_THAT(after_read(next).findings(FindingId::kSpuriousRetransmission), IsEmpty());
  }
}

TEST(ConformanceFindings, ARetransmissionMayDiffer) {
  constexpr std::size_t kFlags = 43;
  constexpr std::size_t kAckReq = 50;
  constexpr std::size_t kTos = 15;
  const Buffer last = rc_packet({.opcode = rc::kWriteLast, .psn = 7, .after_bth = Buffer(76)});
  for (const Buffer& again :
       {rc_packet({.opcode = rc::kReadRequest, .psn = 9, .after_bth = reth(2048, 0, 0x77, 0x2400)}),
        rc_packet({.opcode = rc::kReadRequest, .psn = 10, .after_bth = reth(1024, 0, 0x77, 0x2800)}),
        rc_packet({.opcode = rc::kReadRequest, .psn = 8, .after_bth = reth(1024, 0, 0x77, 0x2000)}),
        with(last, kFlags, 0x80), with(last, kAckReq, 0x80), with(last, kTos, 0x03),
        rc_packet({.opcode = rc::kWriteLast, .psn = 7, .after_bth = Buffer(76), .source_port = 0xC002})}) {
    EXPECT_THAT(after_read(again).findings(FindingId::kUsedPsn), IsEmpty());
  }
}

TEST(ConformanceFindings, APsnThatIsUsedAgainMuchLaterMayBeOfAnotherConnection) {
  MadeCapture capture = after_read(send_of(9));
  EXPECT_THAT(capture.findings(FindingId::kUsedPsn), SizeIs(1));
  MadeCapture later =
      after_read(rc_packet({.opcode = rc::kReadRequest, .psn = 8, .after_bth = reth(3072, 0, 0x77, 0x2000)}));
  later.add(send_of(9), 200'000'000);
  EXPECT_THAT(later.findings(FindingId::kUsedPsn), IsEmpty());
}

TEST(ConformanceFindings, OfPacketsWithoutAConnection) {
  constexpr std::size_t kFlags = 43;
  const Buffer datagram = testing::ud_frame(0x33, 0x44, 0x11111111, Buffer(8));
  const Finding finding = only({seal(datagram), with(datagram, kFlags, 0x02)}, FindingId::kTver);
  EXPECT_EQ(finding.connection, 0U);
  EXPECT_THAT(packets_of(finding), ElementsAre(2));
}

}  // namespace
}  // namespace rocescope
