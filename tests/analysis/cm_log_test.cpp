#include "analysis/cm_log.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "support/pcap_bytes.hpp"
#include "support/recorded.hpp"

namespace rocescope {
namespace {

using testing::Buffer;
using ::testing::Each;
using testing::Recorded;

IpAddress v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  return IpAddress::v4(std::array<std::uint8_t, 4>{a, b, c, d});
}

/// An rping and two perftest runs over the RDMA CM, and udaddy's SIDR exchange; numbers below are tshark's.
class CmLogOfTheLab : public ::testing::Test {
 protected:
  CmLogOfTheLab() {
    for (const Frame& frame : capture_.frames()) add(log_, frame);
  }
  static void add(CmLog& log, const Frame& frame) {
    Packet packet;
    dissect(frame, packet);
    log.add({.packet = &packet});
  }
  const CmEvent& event_of(std::uint64_t packet) {
    const auto& events = log_.events();
    return *std::find_if(events.begin(), events.end(), [&](const CmEvent& event) { return event.packet == packet; });
  }

  testing::PcapBytes capture_{testing::own_capture("lab_pingpong_atomic_udaddy.pcap")};
  CmLog log_;
};

TEST_F(CmLogOfTheLab, ListsEveryMessageInOrder) {
  EXPECT_EQ(log_.events().size(), 43u);
  EXPECT_TRUE(std::is_sorted(log_.events().begin(), log_.events().end(),
                             [](const CmEvent& a, const CmEvent& b) { return a.packet < b.packet; }));
  EXPECT_EQ(log_.unlisted(), 0u);
}

TEST_F(CmLogOfTheLab, ReadsTheRequest) {
  const CmEvent& req = event_of(15);
  EXPECT_EQ(req.message, CmMessage::kReq);
  EXPECT_EQ(req.source, v4(192, 168, 2, 25));
  EXPECT_EQ(req.destination, v4(192, 168, 2, 24));
  EXPECT_EQ(req.transaction_id, 0x2d5546806u);
  EXPECT_EQ(req.local_comm_id, 0x066854d5u);
  EXPECT_EQ(req.remote_comm_id, std::nullopt);
  EXPECT_EQ(req.local_qpn, Qpn(0x11));
  EXPECT_EQ(req.starting_psn, Psn(7059832));
  EXPECT_EQ(req.transport, 0);
  EXPECT_EQ(req.path_mtu, 1024u);
  EXPECT_EQ(req.responder_resources, 1);
  EXPECT_EQ(req.initiator_depth, 1);
  EXPECT_EQ(req.service_id, 0x1061c06u);
  ASSERT_TRUE(req.ip);
  EXPECT_EQ(req.ip->source, v4(192, 168, 2, 25));
  EXPECT_EQ(req.ip->source_port, 35168);
  EXPECT_EQ(req.ip->destination, v4(192, 168, 2, 24));
  EXPECT_EQ(req.ip->destination_port, 7174);
  EXPECT_EQ(req.private_data.size(), 56u);
  EXPECT_THAT(req.private_data, Each(0));
}

TEST_F(CmLogOfTheLab, ReadsWhatAnswersIt) {
  const CmEvent& rep = event_of(16);
  EXPECT_EQ(rep.message, CmMessage::kRep);
  EXPECT_EQ(rep.local_comm_id, 0x4db8c1d2u);
  EXPECT_EQ(rep.remote_comm_id, 0x066854d5u);
  EXPECT_EQ(rep.local_qpn, Qpn(0x11));
  EXPECT_EQ(rep.starting_psn, Psn(55280));
  EXPECT_EQ(rep.private_data.size(), 196u);
  const CmEvent& rtu = event_of(17);
  EXPECT_EQ(rtu.message, CmMessage::kRtu);
  EXPECT_EQ(rtu.local_comm_id, 0x066854d5u);
  EXPECT_EQ(rtu.remote_comm_id, 0x4db8c1d2u);
  EXPECT_EQ(rtu.service_id, std::nullopt);
  const CmEvent& dreq = event_of(54);
  EXPECT_EQ(dreq.message, CmMessage::kDreq);
  EXPECT_EQ(dreq.remote_qpn, Qpn(0x11));
  EXPECT_EQ(dreq.local_qpn, std::nullopt);
}

TEST_F(CmLogOfTheLab, ReadsServiceIdResolution) {
  const CmEvent& req = event_of(1267);
  EXPECT_EQ(req.message, CmMessage::kSidrReq);
  EXPECT_EQ(req.request_id, 0x016854d5u);
  EXPECT_EQ(req.local_comm_id, std::nullopt);
  EXPECT_EQ(req.ip->source_port, 35631);
  const CmEvent& rep = event_of(1268);
  EXPECT_EQ(rep.message, CmMessage::kSidrRep);
  EXPECT_EQ(rep.request_id, 0x016854d5u);
  EXPECT_EQ(rep.local_qpn, Qpn(0x1b));
  EXPECT_EQ(rep.status, 0);
}

TEST_F(CmLogOfTheLab, TakesMessagesThatCrossForNoRetries) {
  for (const CmEvent& event : log_.events()) EXPECT_EQ(event.retry_of, std::nullopt) << event.packet;
}

TEST_F(CmLogOfTheLab, MarksARepeatedMessageWithThePacketItRepeats) {
  Frame again = capture_.frames()[14];
  again.number = 2000;
  add(log_, again);
  EXPECT_EQ(log_.events().back().retry_of, 15u);
}

TEST_F(CmLogOfTheLab, TakesTheSameMessageOfAnotherTransactionForNoRetry) {
  Buffer bytes(capture_.frames()[14].data.begin(), capture_.frames()[14].data.end());
  bytes[70] ^= 1;  // in the transaction ID
  add(log_, {.data = bytes, .original_length = static_cast<std::uint32_t>(bytes.size()), .number = 2000});
  EXPECT_EQ(log_.events().back().retry_of, std::nullopt);
}

TEST_F(CmLogOfTheLab, CountsWhatIsBeyondItsLimit) {
  CmLog log(2);
  for (const Frame& frame : capture_.frames()) add(log, frame);
  EXPECT_EQ(log.events().size(), 2u);
  EXPECT_EQ(log.unlisted(), 41u);
}

}  // namespace
}  // namespace rocescope
