// When two flows are one connection. A wrong pairing is worse than none.
#include "tracking/connections/unpaired_flows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "support/hosts.hpp"
#include "tracking/connections/source_port.hpp"

namespace rocescope {
namespace {

using testing::host;

/// Requests from 1 to queue pair `qpn` of 2, and what 2 answers to queue pair `qpn` of 1.
FlowKey there(std::uint32_t qpn) { return {host(1), host(2), Qpn(qpn), 0}; }
FlowKey back(std::uint32_t qpn) { return {host(2), host(1), Qpn(qpn), 0}; }

class UnpairedFlowsTest : public ::testing::Test {
 protected:
  void add(std::uint32_t connection, const FlowKey& key, std::uint32_t first, std::uint32_t next,
           std::uint16_t port = 0) {
    flows_.add(key, connection, port);
    flows_.note_requests(key, connection, {Psn(first), Psn(next)});
    windows_[connection] = {first, next};
  }
  std::optional<std::uint32_t> answer(const FlowKey& key, std::uint32_t psn, std::uint16_t port = 0) {
    return flows_.by_psn({key, port, Psn(psn)}, [&](std::uint32_t connection) {
      const auto [first, next] = windows_.at(connection);
      return psn >= first && psn < next;
    });
  }

  UnpairedFlows flows_;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> windows_;  // outstanding PSNs
};

TEST_F(UnpairedFlowsTest, OneMatchOfPsnsAloneIsNoPair) {
  add(0, there(7), 100, 200);
  EXPECT_EQ(answer(back(5), 150), std::nullopt);
  EXPECT_EQ(answer(back(5), 151), 0U);
}

TEST_F(UnpairedFlowsTest, OneMatchIsEnoughWithTheSameSourcePortWhenNobodyElseIsThere) {
  add(0, there(7), 100, 200, 50'000);
  EXPECT_EQ(answer(back(5), 150, 50'000), 0U);
}

TEST_F(UnpairedFlowsTest, TheSameResponseAgainIsNoFurtherEvidence) {
  add(0, there(7), 100, 200);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(answer(back(5), 150), std::nullopt);
}

TEST_F(UnpairedFlowsTest, AmongSeveralItTakesThreeResponses) {
  add(0, there(7), 100, 200);
  add(1, there(8), 500, 600);
  EXPECT_EQ(answer(back(5), 150), std::nullopt);
  EXPECT_EQ(answer(back(5), 151), std::nullopt);
  EXPECT_EQ(answer(back(5), 152), 0U);
}

TEST_F(UnpairedFlowsTest, WaitsWhileWindowsOverlapAndTakesTheOneThatIsLeft) {
  // Queue pairs that all began at PSN 0, as those of NCCL do.
  add(0, there(7), 0, 200);
  add(1, there(8), 0, 300);
  for (std::uint32_t psn = 150; psn < 200; ++psn) EXPECT_EQ(answer(back(5), psn), std::nullopt) << psn;
  EXPECT_EQ(answer(back(5), 250), std::nullopt);
  EXPECT_EQ(answer(back(5), 251), std::nullopt);
  EXPECT_EQ(answer(back(5), 252), 1U);
}

TEST_F(UnpairedFlowsTest, LooksForFlowsThatAppearedSinceBeforeItDecides) {
  add(0, there(7), 0, 200);
  add(1, there(8), 5000, 5001);
  EXPECT_EQ(answer(back(5), 150), std::nullopt);
  EXPECT_EQ(answer(back(5), 151), std::nullopt);
  add(2, there(9), 0, 300);  // the rightful one, whose requests came late
  EXPECT_EQ(answer(back(5), 152), std::nullopt);
  for (std::uint32_t psn = 250; psn < 252; ++psn) EXPECT_EQ(answer(back(5), psn), std::nullopt);
  EXPECT_EQ(answer(back(5), 252), 2U);
}

TEST_F(UnpairedFlowsTest, ResponsesToRequestsThatTheCaptureLacksChangeNothing) {
  add(0, there(7), 100, 200);
  add(1, there(8), 5000, 5001);
  EXPECT_EQ(answer(back(5), 150), std::nullopt);
  EXPECT_EQ(answer(back(5), 9000), std::nullopt);
  EXPECT_EQ(answer(back(5), 151), std::nullopt);
  EXPECT_EQ(answer(back(5), 9001), std::nullopt);
  EXPECT_EQ(answer(back(5), 152), 0U);
}

TEST_F(UnpairedFlowsTest, HundredsThatInterleaveFindTheirOwn) {
  constexpr std::uint32_t kFlows = 300;
  std::uint32_t seed = 1;
  const auto random = [&] { return (seed = seed * 1664525U + 1013904223U) >> 8; };
  // Each has its own first PSN, close to those of its neighbours: the windows of a good dozen overlap at any time.
  for (std::uint32_t i = 0; i < kFlows; ++i) add(i, there(1000 + i), 8 * i, 8 * i + 1);
  std::map<std::uint32_t, std::uint32_t> paired;
  for (int round = 0; round < 400; ++round) {
    for (std::uint32_t i = 0; i < kFlows; ++i) {
      if (paired.contains(i)) continue;
      auto& [first, next] = windows_[i];
      next += 1 + random() % 3 + i % 2;
      flows_.note_requests(there(1000 + i), i, {Psn(first), Psn(next)});
      const auto found = answer(back(i + 1), next - 1);
      if (!found) continue;
      EXPECT_EQ(*found, i) << round;
      paired[i] = *found;
      flows_.forget(there(1000 + *found), *found);
    }
  }
  EXPECT_GT(paired.size(), kFlows / 2);  // the others wait: too many of their neighbours would do
}

TEST_F(UnpairedFlowsTest, WhatAFlowAsksForIsKnownWhenOthersBeforeItAreGone) {
  constexpr std::uint32_t kFlows = 50;
  for (std::uint32_t i = 0; i < kFlows; ++i) add(i, there(1000 + i), 1000 * i, 1000 * i + 100);
  for (std::uint32_t i = 0; i < kFlows; i += 2) flows_.forget(there(1000 + i), i);
  for (std::uint32_t i = kFlows; i-- > 0;) {
    if (i % 2 == 0) continue;
    windows_[i] = {100'000 + 1000 * i, 100'100 + 1000 * i};
    flows_.note_requests(there(1000 + i), i, {Psn(100'000 + 1000 * i), Psn(100'100 + 1000 * i)});
  }
  for (std::uint32_t i = 0; i < kFlows; i += 2) windows_.erase(i);
  for (std::uint32_t i = 1; i < kFlows; i += 2) {
    std::optional<std::uint32_t> found;
    for (std::uint32_t psn = 0; psn < 3; ++psn) found = answer(back(i), 100'010 + 1000 * i + psn);
    EXPECT_EQ(found, i);
  }
}

// Numbers and ports of queue pairs of the lab: rxe of Linux 6.1 (captures/several.pcapng, captures/pingpong-rc.pcapng).
TEST(SourcePort, IsThatOfLinux) {
  EXPECT_EQ(source_port_of(Qpn(17), Qpn(17)), 49'441);
  EXPECT_EQ(source_port_of(Qpn(18), Qpn(18)), 49'476);
  EXPECT_EQ(source_port_of(Qpn(19), Qpn(19)), 49'513);
  EXPECT_EQ(source_port_of(Qpn(20), Qpn(20)), 49'552);
}

TEST_F(UnpairedFlowsTest, ThePortsOfBothNumbersMakeAPair) {
  const std::uint16_t port = source_port_of(Qpn(0x18b), Qpn(0x2c4));
  add(0, there(0x2c4), 0, 1, port);
  add(1, there(0x2c5), 0, 1, source_port_of(Qpn(0x18c), Qpn(0x2c5)));
  add(2, back(0x18b), 0, 1, port);
  EXPECT_EQ(flows_.by_port({back(0x18b), port, Psn(0)}), 0U);
  EXPECT_EQ(flows_.by_port({back(0x18b), 0, Psn(0)}), std::nullopt);
  EXPECT_EQ(flows_.by_port({back(0x18d), port, Psn(0)}), std::nullopt);
}

TEST_F(UnpairedFlowsTest, ThePortsOfEitherNumberAloneMakeAPair) {
  add(0, there(0x20), 0, 1, source_port_of(Qpn(0x11)));
  add(1, back(0x11), 0, 1, source_port_of(Qpn(0x20)));
  EXPECT_EQ(flows_.by_port({back(0x11), source_port_of(Qpn(0x20)), Psn(0)}), 0U);
}

TEST_F(UnpairedFlowsTest, PortsThatFitTwoMakeNone) {
  // 6 x 4 = 8 x 3
  const std::uint16_t port = source_port_of(Qpn(6), Qpn(4));
  ASSERT_EQ(port, source_port_of(Qpn(8), Qpn(3)));
  add(0, there(4), 0, 1, port);
  add(1, back(6), 0, 1, port);
  EXPECT_EQ(flows_.by_port({back(6), port, Psn(0)}), 0U);
  add(2, there(4), 0, 1, port);  // the same numbers once more
  EXPECT_EQ(flows_.by_port({back(6), port, Psn(0)}), std::nullopt);
}

}  // namespace
}  // namespace rocescope
