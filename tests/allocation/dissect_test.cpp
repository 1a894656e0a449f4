// Dissection allocates nothing: operator new is replaced by one that counts.
#include "rocescope/dissect.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "rocescope/icrc.hpp"
#include "support/count_allocations.hpp"
#include "support/pcap_walker.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

using testing::allocations;

TEST(Allocation, IsSeenByItsCounter) {
  const std::size_t before = allocations;
  const std::vector<char> memory(100 + before);
  EXPECT_GT(allocations, before) << memory.size();
}

TEST(Allocation, IsNotNeededForAPacket) {
  std::size_t packets = 0;
  Packet packet;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(rocescope::testing::source_dir()) / "captures")) {
    if (!entry.path().extension().string().starts_with(".pcap")) continue;
    const testing::PcapWalker capture(entry.path());
    const std::size_t before = allocations;
    for (const Frame& frame : capture.frames()) {
      dissect(frame, packet);
      const IcrcCheck check = check_icrc(packet);
      if (check.status == IcrcStatus::kGood) ++packets;
    }
    EXPECT_EQ(allocations, before) << entry.path();
  }
  EXPECT_GT(packets, 2000U);
}

}  // namespace
}  // namespace rocescope
