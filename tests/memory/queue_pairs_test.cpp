// A million queue pairs in one capture: the memory that following them takes.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

#include "idle_connections.hpp"
#include "rocescope/analyze.hpp"

namespace rocescope {
namespace {

/// In KiB, a line of /proc/self/status.
std::uint64_t memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::uint64_t kib = 0;
    if (word == name + ":" && status >> kib) return kib;
  }
  return 0;
}

TEST(Memory, OfAMillionQueuePairsIsLessThanAGibibyte) {
  constexpr std::uint32_t kConnections = 500'000;
  constexpr std::uint32_t kRounds = 4;
  const std::uint64_t before = memory("VmHWM");
  testing::IdleConnections source(kConnections, kRounds);
  const Report report = analyze(source);
  const std::uint64_t peak = memory("VmHWM");

  ASSERT_EQ(report.connections.size(), kConnections);
  for (const Connection& connection : report.connections) {
    ASSERT_EQ(connection.paired_by, PairedBy::kPsn);
    ASSERT_EQ(connection.sides[0].messages_completed(), kRounds);
  }
  std::cout << "bytes for each idle connection: " << (peak - before) * 1024 / kConnections << "\n";
  EXPECT_LT(peak, 1024U * 1024U);
}

}  // namespace
}  // namespace rocescope
