#include "analysis/flow_table.hpp"

#include <gmock/gmock.h>

#include "support/recorded.hpp"

namespace rocescope {
namespace {

using testing::Buffer;
using testing::hex;
using testing::Recorded;
using testing::roce_packet;
using testing::RoceShape;

constexpr std::uint8_t kRcSendOnly = 0x04;
constexpr std::uint8_t kRcAcknowledge = 0x11;
constexpr std::uint8_t kCnp = 0x81;

void add(FlowTable& table, const RoceShape& shape, std::int64_t time = 0) {
  Recorded recorded(roce_packet(shape), time);
  table.add(recorded.record());
}

Flow flow_of(const std::vector<std::uint32_t>& psns) {
  FlowTable table;
  for (const std::uint32_t psn : psns) add(table, {.psn = psn});
  return std::move(table).flows().at(0);
}

TEST(FlowTable, CountsPacketsBytesAndTimesOfAFlow) {
  FlowTable table;
  add(table, {.psn = 7, .after_bth = hex("00112233 44556677")}, 2'000);
  add(table, {.psn = 8}, 1'000);  // captures are not always in order
  add(table, {.psn = 9}, 5'000);
  const std::deque<Flow> flows = std::move(table).flows();
  ASSERT_EQ(flows.size(), 1u);
  const Flow& flow = flows[0];
  EXPECT_EQ(flow.dest_qp, Qpn(0x11));
  EXPECT_EQ(flow.source, IpAddress::v4(std::array<std::uint8_t, 4>{10, 0, 0, 1}));
  EXPECT_EQ(flow.destination, IpAddress::v4(std::array<std::uint8_t, 4>{10, 0, 0, 2}));
  EXPECT_EQ(flow.encapsulation, Encapsulation::kRoceV2Ipv4);
  EXPECT_EQ(flow.traffic.packets, 3u);
  EXPECT_EQ(flow.traffic.bytes, 3u * (14 + 20 + 8 + 12 + 4) + 8);
  EXPECT_EQ(flow.payload_bytes, 8u);
  EXPECT_EQ(flow.first_time, 1'000);
  EXPECT_EQ(flow.last_time, 5'000);
  EXPECT_TRUE(flow.transports.contains(Transport::kRc));
  EXPECT_FALSE(flow.transports.contains(Transport::kUd));
}

TEST(FlowTable, TellsFlowsApartByAddressAndQueuePairAndPutsTheLargestFirst) {
  FlowTable table;
  add(table, {.dest_qp = 1});
  add(table, {.dest_qp = 2});
  add(table, {.dest_qp = 2});
  add(table, {.dest_qp = 2, .source_host = 3});
  const std::deque<Flow> flows = std::move(table).flows();
  ASSERT_EQ(flows.size(), 3u);
  EXPECT_EQ(flows[0].dest_qp, Qpn(2));
  EXPECT_EQ(flows[0].traffic.packets, 2u);
  EXPECT_LT(flows[1].source, flows[2].source);
}

TEST(FlowTable, ShowsThePsnsOfAStreamThatWrapsRound) {
  const Flow flow = flow_of({0xFFFFFE, 0xFFFFFF, 0, 1, 2});
  EXPECT_EQ(flow.requests.packets, 5u);
  EXPECT_EQ(flow.requests.first, Psn(0xFFFFFE));
  EXPECT_EQ(flow.requests.last, Psn(2));
  EXPECT_EQ(flow.requests.lowest, Psn(0xFFFFFE));
  EXPECT_EQ(flow.requests.highest, Psn(2));
  EXPECT_EQ(flow.requests.span, 5u);
}

TEST(FlowTable, CountsDownwardsFromTheFirstPacketAsWell) {
  const Flow flow = flow_of({1, 0xFFFFFF, 3, 0});  // the capture began in the middle of a resent window
  EXPECT_EQ(flow.requests.first, Psn(1));
  EXPECT_EQ(flow.requests.last, Psn(0));
  EXPECT_EQ(flow.requests.lowest, Psn(0xFFFFFF));
  EXPECT_EQ(flow.requests.highest, Psn(3));
  EXPECT_EQ(flow.requests.span, 5u);
}

TEST(FlowTable, CountsOnWhenAStreamComesRoundToItsFirstPsn) {
  std::vector<std::uint32_t> psns;
  for (std::uint32_t psn = 0; psn <= Psn::kModulus + 0x200000; psn += 0x200000) psns.push_back(psn & 0xFFFFFF);
  const Flow flow = flow_of(psns);
  EXPECT_EQ(flow.requests.span, Psn::kModulus + 0x200000u + 1);
  EXPECT_EQ(flow.requests.highest, Psn(0x200000));
}

TEST(FlowTable, KeepsThePsnsOfRequestsAndResponsesApart) {
  FlowTable table;
  add(table, {.opcode = kRcSendOnly, .psn = 100});
  add(table, {.opcode = kRcAcknowledge, .psn = 9'000'000, .after_bth = hex("1f000001")});
  add(table, {.opcode = kRcSendOnly, .psn = 101});
  add(table, {.opcode = kCnp, .psn = 0, .after_bth = Buffer(16)});
  const Flow flow = std::move(table).flows().at(0);
  EXPECT_EQ(flow.requests.packets, 2u);
  EXPECT_EQ(flow.requests.lowest, Psn(100));
  EXPECT_EQ(flow.requests.highest, Psn(101));
  EXPECT_EQ(flow.responses.packets, 1u);
  EXPECT_EQ(flow.responses.lowest, Psn(9'000'000));
  EXPECT_EQ(flow.cnp_packets, 1u);
  EXPECT_EQ(flow.traffic.packets, 4u);
}

TEST(FlowTable, RemembersBadIcrcsAndTheTrueSourcePort) {
  FlowTable table;
  Recorded recorded(roce_packet({}));
  recorded.record().icrc.status = IcrcStatus::kBad;
  table.add(recorded.record());
  recorded.record().icrc.status = IcrcStatus::kGood;
  recorded.record().true_source_port = 0xF7FC;
  table.add(recorded.record());
  const Flow flow = std::move(table).flows().at(0);
  EXPECT_EQ(flow.icrc_bad_packets, 1u);
  EXPECT_EQ(flow.rewritten_packets, 1u);
  EXPECT_EQ(flow.source_port, 0xC001);
  EXPECT_EQ(flow.true_source_port, 0xF7FC);
}

TEST(FlowTable, CountsWhatIsBeyondItsLimit) {
  FlowTable table(2);
  for (std::uint32_t qp = 1; qp <= 5; ++qp) add(table, {.dest_qp = qp});
  add(table, {.dest_qp = 1});
  EXPECT_EQ(std::move(table).flows().size(), 2u);
  EXPECT_EQ(table.untracked().packets, 3u);
  EXPECT_EQ(table.untracked().bytes, 3u * 58);
}

TEST(FlowTable, StaysWithinItsLimitWhateverComes) {
  FlowTable table;
  Recorded recorded(roce_packet({}));
  Packet packet = *recorded.record().packet;
  PacketRecord record{.packet = &packet};
  constexpr std::uint32_t kFlows = 2'000'000;
  for (std::uint32_t qp = 0; qp < kFlows; ++qp) {
    packet.roce.dest_qp = Qpn(qp);
    table.add(record);
  }
  EXPECT_EQ(std::move(table).flows().size(), FlowTable::kDefaultMaxFlows);
  EXPECT_EQ(table.untracked().packets, kFlows - FlowTable::kDefaultMaxFlows);
}

}  // namespace
}  // namespace rocescope
