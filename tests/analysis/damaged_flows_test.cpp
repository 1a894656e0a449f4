// Flows of damaged packets, beside those that they are of.
#include "analysis/damaged_flows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace rocescope {
namespace {

Flow flow_of(std::uint32_t queue_pair, std::uint64_t packets, std::uint32_t psn) {
  Flow flow;
  flow.source = IpAddress::v4(std::array<std::uint8_t, 4>{10, 0, 0, 1});
  flow.destination = IpAddress::v4(std::array<std::uint8_t, 4>{10, 0, 0, 2});
  flow.dest_qp = Qpn(queue_pair);
  flow.traffic.packets = packets;
  flow.requests.packets = packets;
  flow.requests.first = flow.requests.lowest = Psn(psn);
  flow.requests.highest = Psn(psn) + static_cast<std::uint32_t>(packets - 1);
  return flow;
}

/// `flows` are those of the report that is left where not all ICRCs were in the capture.
std::deque<Flow> left_of(std::deque<Flow> flows) {
  Report report;
  report.flows = std::move(flows);
  DamagedFlows(report.flows, {}, true).remove_from(report);
  return std::move(report.flows);
}

TEST(DamagedFlows, HaveOneBitOfAnothersQueuePairAndItsPsn) {
  constexpr std::uint32_t kTop = 1U << 23U;
  const std::deque<Flow> left = left_of({flow_of(0x11, 20, 500), flow_of(0x13, 1, 505), flow_of(0x11 | kTop, 1, 580),
                                         flow_of(0x10, 1, 9'000), flow_of(0x12, 1, 505), flow_of(0x19, 2, 505)});
  ASSERT_EQ(left.size(), 4U);  // another PSN, two bits, and several packets
  EXPECT_EQ(left[0].dest_qp, Qpn(0x11));
  EXPECT_EQ(left[1].dest_qp, Qpn(0x10));
  EXPECT_EQ(left[2].dest_qp, Qpn(0x12));
  EXPECT_EQ(left[3].dest_qp, Qpn(0x19));
}

/// If each flow were held against each other one, it would take minutes.
TEST(DamagedFlows, AreFoundAmongVeryMany) {
  constexpr std::uint32_t kFlows = 300'000;
  std::deque<Flow> flows;
  for (std::uint32_t number = 0; number < kFlows; ++number)
    flows.push_back(flow_of(number * 7, 1 + number % 2, number));
  EXPECT_EQ(left_of(std::move(flows)).size(), kFlows);
}

}  // namespace
}  // namespace rocescope
