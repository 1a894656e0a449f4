// Messages of the communication manager as real stacks send them.
#include <gtest/gtest.h>

#include <map>

#include "rocescope/headers.hpp"
#include "rocescope/icrc.hpp"
#include "support/pcap_bytes.hpp"
#include "support/roce_frame.hpp"

namespace rocescope {
namespace {

/// Two SoftRoCE guests with rping and udaddy.
class LabCapture : public ::testing::Test {
 protected:
  Packet packet(std::size_t number) {
    Packet result;
    dissect(capture_.frames()[number - 1], result);
    EXPECT_EQ(result.stop.reason, StopReason::kNone);
    EXPECT_EQ(check_icrc(result).status, IcrcStatus::kGood);
    return result;
  }

  testing::PcapBytes capture_{testing::own_capture("lab_pingpong_atomic_udaddy.pcap")};
};

TEST_F(LabCapture, RpingAsksForAConnection) {
  const Packet request = packet(15);
  const CmReq req = *request.header<CmReq>();
  EXPECT_EQ(req.local_comm_id(), 0x066854d5u);
  EXPECT_EQ(req.service_id(), 0x0000000001061c06u);
  EXPECT_EQ(req.local_ca_guid(), 0x000000fffe000001u);
  EXPECT_EQ(req.local_qpn(), Qpn(0x11));
  EXPECT_EQ(req.responder_resources(), 1);
  EXPECT_EQ(req.initiator_depth(), 1);
  EXPECT_EQ(req.transport(), CmTransport::kRc);
  EXPECT_FALSE(req.xrc());
  EXPECT_FALSE(req.end_to_end_flow_control());
  EXPECT_EQ(req.starting_psn(), Psn(0x6bb978));
  EXPECT_EQ(req.remote_response_timeout_ns(), 4'294'967'296);
  EXPECT_EQ(req.local_response_timeout_ns(), 4'294'967'296);
  EXPECT_EQ(req.retry_count(), 7);
  EXPECT_EQ(req.rnr_retry_count(), 7);
  EXPECT_EQ(req.max_cm_retries(), 15);
  EXPECT_FALSE(req.srq());
  EXPECT_EQ(req.p_key(), 0xFFFF);
  EXPECT_EQ(req.path_mtu(), 1024u);
  EXPECT_EQ(req.local_ack_timeout_ns(), 2'147'483'648);
  EXPECT_EQ(req.traffic_class(), 0);
  EXPECT_TRUE(req.local_gid().is_v4());
  EXPECT_EQ(req.local_gid(), request.source);
  EXPECT_EQ(req.remote_gid(), request.destination);
  ASSERT_TRUE(req.ip_cm());
  EXPECT_EQ(req.ip_cm()->ip_version(), 4);
  EXPECT_EQ(req.ip_cm()->source_port(), 0x8960);
  EXPECT_EQ(req.ip_cm()->source(), request.source);
  EXPECT_EQ(req.ip_cm()->destination(), request.destination);
  EXPECT_EQ(req.ip_cm()->consumer_data().size(), 56u);
  EXPECT_EQ(testing::value_of(request, "infiniband.cm.req.prim_flowlabel")->number, 0xbea6u);
  EXPECT_EQ(testing::value_of(request, "infiniband.cm.req.serviceid.protocol")->meaning(), "TCP");
  EXPECT_EQ(testing::value_of(request, "infiniband.cm.req.serviceid.dport")->meaning(), "rping");
}

TEST_F(LabCapture, MappedGidsShowAsIpv4) {
  const Packet request = packet(15);
  EXPECT_TRUE(testing::value_of(request, "infiniband.cm.req.prim_localgid_ipv4"));
  EXPECT_TRUE(testing::value_of(request, "infiniband.cm.req.prim_remotegid_ipv4"));
  EXPECT_FALSE(testing::value_of(request, "infiniband.cm.req.prim_localgid"));
  EXPECT_FALSE(testing::value_of(request, "infiniband.cm.req.prim_remotegid"));
}

TEST_F(LabCapture, TheHandshakePairsByCommunicationIds) {
  const CmRep rep = *packet(16).header<CmRep>();
  EXPECT_EQ(rep.local_comm_id(), 0x4db8c1d2u);
  EXPECT_EQ(rep.remote_comm_id(), 0x066854d5u);
  EXPECT_EQ(rep.local_qpn(), Qpn(0x11));
  EXPECT_EQ(rep.starting_psn(), Psn(0x00d7f0));
  EXPECT_EQ(rep.private_data().size(), 196u);
  const CmRtu rtu = *packet(17).header<CmRtu>();
  EXPECT_EQ(rtu.local_comm_id(), 0x066854d5u);
  EXPECT_EQ(rtu.remote_comm_id(), 0x4db8c1d2u);
  const CmDreq dreq = *packet(54).header<CmDreq>();
  const CmDrep drep = *packet(55).header<CmDrep>();
  EXPECT_EQ(dreq.local_comm_id(), drep.remote_comm_id());
  EXPECT_EQ(dreq.remote_comm_id(), drep.local_comm_id());
  EXPECT_EQ(dreq.remote_qpn(), Qpn(0x11));
}

TEST_F(LabCapture, UdaddyResolvesAService) {
  const Packet request = packet(1267);
  const CmSidrReq req = *request.header<CmSidrReq>();
  EXPECT_EQ(req.request_id(), 0x016854d5u);
  EXPECT_EQ(req.p_key(), 0xFFFF);
  EXPECT_EQ(req.service_id(), 0x0000000001111c06u);
  ASSERT_TRUE(req.ip_cm());
  EXPECT_EQ(req.ip_cm()->source_port(), 0x8b2f);
  EXPECT_EQ(req.ip_cm()->source(), request.source);
  EXPECT_EQ(req.ip_cm()->destination(), request.destination);
  EXPECT_EQ(req.ip_cm()->consumer_data().size(), 180u);
  EXPECT_TRUE(testing::value_of(request, "infiniband.cm.sidrreq.ip_cm.sip4"));
  EXPECT_EQ(testing::value_of(request, "infiniband.cm.sidrreq.serviceid.protocol")->meaning(), "UDP");

  const CmSidrRep rep = *packet(1268).header<CmSidrRep>();
  EXPECT_EQ(rep.request_id(), 0x016854d5u);
  EXPECT_EQ(rep.status(), 0);
  EXPECT_EQ(rep.qpn(), Qpn(0x1b));
  EXPECT_EQ(rep.service_id(), req.service_id());
  EXPECT_EQ(rep.q_key(), 0x01234567u);
}

// Counted with tshark: infiniband.mad.attributeid over both captures.
TEST(LabCaptures, HoldEveryMessageThatTheirToolsSent) {
  std::map<HeaderKind, int> counts;
  for (const char* name : {"lab_pingpong_atomic_udaddy.pcap", "lab_rping_write_ud_atomic.pcap"}) {
    const testing::PcapBytes capture(testing::own_capture(name));
    for (const Frame& frame : capture.frames()) {
      Packet packet;
      dissect(frame, packet);
      if (packet.find(HeaderKind::kMad) == nullptr) continue;
      ++counts[(packet.find(HeaderKind::kMad) + 1)->kind];
      EXPECT_EQ(packet.roce.payload_length, kMadSize);
      EXPECT_EQ(packet.roce.payload_offset, packet.find(HeaderKind::kMad)->offset);
    }
  }
  const std::map<HeaderKind, int> expected{
      {HeaderKind::kCmReq, 12},  {HeaderKind::kCmRep, 12},    {HeaderKind::kCmRtu, 12},   {HeaderKind::kCmDreq, 16},
      {HeaderKind::kCmDrep, 16}, {HeaderKind::kCmSidrReq, 1}, {HeaderKind::kCmSidrRep, 1}};
  EXPECT_EQ(counts, expected);
}

}  // namespace
}  // namespace rocescope
