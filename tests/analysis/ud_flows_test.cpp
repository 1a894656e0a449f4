// Datagrams by queue pairs. The figures of the captures are tshark's.
#include "analysis/ud_flows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/pcap_walker.hpp"
#include "support/recorded.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

using testing::hex;
using testing::Recorded;
using testing::ud_frame;

constexpr std::uint32_t kQKey = 0x11111111;

void add(UdFlows& flows, std::uint32_t dest_qp, std::uint32_t source_qp, std::int64_t time = 0) {
  Recorded recorded(ud_frame(dest_qp, source_qp, kQKey, hex("00112233 44556677")), time);
  flows.add(recorded.record());
}

UdFlows flows_of(const std::string& name) {
  const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/" + name);
  UdFlows flows;
  Packet packet;
  for (const Frame& frame : capture.frames()) {
    dissect(frame, packet);
    PacketRecord record;
    record.packet = &packet;
    flows.add(record);
  }
  return flows;
}

TEST(UdFlows, CountsMessagesBytesAndTimesByBothQueuePairs) {
  UdFlows flows;
  add(flows, 0x11, 0x21, 2'000);
  add(flows, 0x11, 0x21, 1'000);  // captures are not always in order
  add(flows, 0x11, 0x22);
  ASSERT_EQ(flows.flows().size(), 2U);
  const UdFlow flow = flows.flows()[0];
  EXPECT_EQ(flow.source_qp, Qpn(0x21));
  EXPECT_EQ(flow.dest_qp, Qpn(0x11));
  EXPECT_EQ(flow.q_key, kQKey);
  EXPECT_EQ(flow.traffic.packets, 2U);
  EXPECT_EQ(flow.payload_bytes, 16U);
  EXPECT_EQ(flow.first_time, 1'000);
  EXPECT_EQ(flow.last_time, 2'000);
}

TEST(UdFlows, LeavesOutManagement) {
  UdFlows flows;
  add(flows, 0, 0);
  add(flows, 1, 1);
  EXPECT_TRUE(flows.flows().empty());
  EXPECT_EQ(flows.untracked().packets, 0U);
}

TEST(UdFlows, StaysWithinItsLimitAndCountsTheRest) {
  UdFlows flows(2);
  for (std::uint32_t qp = 2; qp < 7; ++qp) add(flows, qp, 0x21);
  add(flows, 2, 0x21);
  EXPECT_EQ(flows.flows().size(), 2U);
  EXPECT_EQ(flows.flows()[0].traffic.packets, 2U);
  EXPECT_EQ(flows.untracked().packets, 3U);
}

TEST(UdFlows, CountsTheDatagramsOfRealCaptures) {
  const std::vector<UdFlow> flows = flows_of("lab_pingpong_atomic_udaddy.pcap").flows();
  ASSERT_EQ(flows.size(), 4U);  // two of ib_send_bw, two of udaddy, which sends immediates
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(flows[i].source_qp, Qpn(0x14));
    EXPECT_EQ(flows[i].dest_qp, Qpn(0x14));
    EXPECT_EQ(flows[i].q_key, 0x11111111U);
    EXPECT_EQ(flows[i].traffic.packets, 20U);
    EXPECT_EQ(flows[i].payload_bytes, 20U * 1024);
    EXPECT_EQ(flows[i].immediate_messages, 0U);
  }
  for (std::size_t i = 2; i < 4; ++i) {
    EXPECT_EQ(flows[i].source_qp, Qpn(0x1b));
    EXPECT_EQ(flows[i].dest_qp, Qpn(0x1b));
    EXPECT_EQ(flows[i].q_key, 0x01234567U);
    EXPECT_EQ(flows[i].traffic.packets, 10U);
    EXPECT_EQ(flows[i].payload_bytes, 10U * 100);
    EXPECT_EQ(flows[i].immediate_messages, 10U);
  }
}

}  // namespace
}  // namespace rocescope
