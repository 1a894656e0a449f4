// Reports of the captures that the project ships, against numbers counted by hand from tshark's packet list.
#include <gmock/gmock.h>

#include <algorithm>

#include "support/captures.hpp"

namespace rocescope {
namespace {

using testing::report_of;
using testing::shipped;

const OperationCount& operation(const Report& report, std::string_view name) {
  return *std::find_if(report.operations.begin(), report.operations.end(),
                       [&](const OperationCount& count) { return count.opcode->name() == name; });
}

TEST(LabReport, CountsTheOperationsOfTheAtomicRuns) {
  const Report report = report_of({shipped("lab_pingpong_atomic_udaddy.pcap")});
  EXPECT_EQ(report.totals.traffic.packets, 1288u);
  EXPECT_EQ(report.totals.roce.packets, 1235u);
  // ib_atomic_bw -n 40 twice, and its 80 answers; 8 bytes of original value each are no payload.
  EXPECT_EQ(operation(report, "RC CmpSwap").traffic.packets, 40u);
  EXPECT_EQ(operation(report, "RC FetchAdd").traffic.packets, 40u);
  EXPECT_EQ(operation(report, "RC ATOMIC Acknowledge").traffic.packets, 80u);
  EXPECT_EQ(operation(report, "RC ATOMIC Acknowledge").payload_bytes, 0u);
  // ibv_uc_pingpong: 2 x 20 messages of three packets; 1024 bytes in First and Middle.
  EXPECT_EQ(operation(report, "UC SEND First").traffic.packets, 40u);
  EXPECT_EQ(operation(report, "UC SEND First").payload_bytes, 40u * 1024);
  EXPECT_EQ(operation(report, "UC SEND Middle").payload_bytes, 40u * 1024);
  // udaddy: 2 x 10 messages of 100 bytes.
  EXPECT_EQ(operation(report, "UD SEND Only with Immediate").traffic.packets, 20u);
  EXPECT_EQ(operation(report, "UD SEND Only with Immediate").payload_bytes, 20u * 100);
}

TEST(LabReport, FollowsTheFlowOfTheSendLatencyRun) {
  const Report report = report_of({shipped("lab_pingpong_atomic_udaddy.pcap")});
  const auto flow = std::find_if(report.flows.begin(), report.flows.end(), [](const Flow& candidate) {
    return candidate.dest_qp == Qpn(0x1a) && candidate.source.bytes[15] == 25;
  });
  ASSERT_NE(flow, report.flows.end());
  EXPECT_EQ(flow->traffic.packets, 200u);
  EXPECT_EQ(flow->requests.packets, 200u);
  EXPECT_EQ(flow->requests.lowest, Psn(14828628));
  EXPECT_EQ(flow->requests.highest, Psn(14828827));
  EXPECT_EQ(flow->requests.span, 200u);
  EXPECT_EQ(flow->payload_bytes, 200u * 8);
}

TEST(LabReport, FindsEveryIcrcGood) {
  for (const char* name : {"lab_pingpong_atomic_udaddy.pcap", "lab_rping_write_ud_atomic.pcap"}) {
    const Report report = report_of({shipped(name)});
    EXPECT_EQ(report.icrc.good, report.totals.roce.packets) << name;
    EXPECT_EQ(report.icrc.rewritten, 0u) << name;
  }
}

TEST(LabReport, AddsUpTheFlowsAndTheOperations) {
  for (const std::string& path : testing::all_captures()) {
    const Report report = report_of({path});
    Traffic flows;
    for (const Flow& flow : report.flows) {
      flows.packets += flow.traffic.packets;
      flows.bytes += flow.traffic.bytes;
      EXPECT_EQ(flow.requests.packets + flow.responses.packets + flow.cnp_packets, flow.traffic.packets) << path;
    }
    EXPECT_EQ(flows.packets, report.totals.roce.packets) << path;
    EXPECT_EQ(flows.bytes, report.totals.roce.bytes) << path;
  }
}

TEST(LabReport, IsAboutThePacketsThatAreAccepted) {
  auto source = open_capture(shipped("lab_pingpong_atomic_udaddy.pcap"));
  ASSERT_TRUE(source);
  const auto accept = [](const PacketRecord& record) { return record.packet->roce.dest_qp == Qpn(0x1a); };
  const Report report = analyze(**source, {.dissect = {}, .verify_icrc = false, .accept = accept});
  EXPECT_EQ(report.packets_read, 1288u);
  EXPECT_EQ(report.totals.traffic.packets, 400u);
  EXPECT_EQ(report.flows.size(), 2u);
  EXPECT_FALSE(report.icrc.verified);
  EXPECT_EQ(report.icrc.good, 0u);
}

TEST(LabReport, KeepsTheFilesOfAMergedCaptureApart) {
  const std::string first = shipped("lab_pingpong_atomic_udaddy.pcap");
  const std::string second = shipped("lab_rping_write_ud_atomic.pcap");
  const Report report = report_of({first, second});
  ASSERT_EQ(report.captures.size(), 2u);
  EXPECT_EQ(report.captures[0].info.path, first);
  EXPECT_EQ(report.captures[0].totals.traffic.packets, 1288u);
  EXPECT_EQ(report.captures[1].totals.traffic.packets, 1272u);
  EXPECT_EQ(report.totals.traffic.packets, 2560u);
  EXPECT_EQ(report.totals.first_time,
            std::min(report.captures[0].totals.first_time, report.captures[1].totals.first_time));
}

/// Captures of other people: what an independent ICRC program found in them.
class ExtraCaptures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::extra_folder().empty()) GTEST_SKIP() << "ROCESCOPE_EXTRA_CAPTURES is not set";
  }
  static Report report_on(const std::string& name) { return report_of({testing::extra_folder() + "/" + name}); }
  static std::vector<unsigned> true_ports(const Report& report) {
    std::vector<unsigned> ports;
    for (const Flow& flow : report.flows) ports.push_back(flow.true_source_port.value_or(0));
    return ports;
  }
};

TEST_F(ExtraCaptures, SeeThroughSourcePortsThatTheCaptureRewrote) {
  const Report small = report_on("magnate3__linux-riscv-dev__dc_dc-small.pcap");
  EXPECT_EQ(small.icrc.good, 19u);
  EXPECT_EQ(small.icrc.rewritten, 19u);
  EXPECT_THAT(true_ports(small), ::testing::UnorderedElementsAre(0xF7FC, 0xD079));

  const Report large = report_on("magnate3__linux-riscv-dev__dc_dc-small2.pcap");
  EXPECT_EQ(large.icrc.good, large.totals.roce.packets);
  EXPECT_EQ(large.icrc.rewritten, large.totals.roce.packets);

  const Report uc = report_on("magnate3__linux-riscv-dev__uc_uc_sg_send_uc-sg.pcap");
  EXPECT_EQ(uc.icrc.good, uc.totals.roce.packets);
  EXPECT_EQ(uc.icrc.rewritten, uc.totals.roce.packets);
  EXPECT_THAT(true_ports(uc), ::testing::Contains(0xE1BE));
}

TEST_F(ExtraCaptures, TakePacketsFromPortsOfOtherProtocolsForRoce) {
  const Report report = report_on("oferby__proxy__roce.pcap");
  EXPECT_EQ(report.totals.roce.packets, 105u);
  EXPECT_EQ(report.icrc.good, 105u);
}

TEST_F(ExtraCaptures, VerifyNativeInfiniBand) {
  const Report ping = report_on("magnate3__linux-riscv-dev__ib_rdma_ping_ib2.pcap");
  const Report demo = report_on("srinivaskoritala__rdma-softroce-demo__infiniband.pcap");
  EXPECT_EQ(ping.icrc.good + demo.icrc.good, 170u);
  EXPECT_EQ(ping.icrc.bad + demo.icrc.bad, 0u);
  // ERF records tell nanoseconds in a file of microseconds.
  EXPECT_EQ(ping.captures[0].info.interfaces[0].ticks_per_second, 1'000'000'000u);
}

TEST_F(ExtraCaptures, HaveNoBadIcrcButWhereTheNetworkCorruptsPackets) {
  for (const std::string& path : testing::all_captures()) {
    const Report report = report_of({path});
    if (path.find("-corrupt_") != std::string::npos) {
      EXPECT_GT(report.icrc.bad, 0u) << path;
    } else {
      EXPECT_EQ(report.icrc.good, report.totals.roce.packets) << path;
    }
  }
}

}  // namespace
}  // namespace rocescope
