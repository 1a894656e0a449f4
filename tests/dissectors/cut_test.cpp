// Every packet of every capture at hand, cut at every length.
#include "support/cut.hpp"

#include <gtest/gtest.h>

#include "support/pcap_walker.hpp"

namespace rocescope {
namespace {

TEST(Cut, EveryPacketOfEveryCaptureAtEveryLength) {
  const auto captures = testing::captures_to_repeat(0, 6);
  ASSERT_FALSE(captures.empty());
  for (const auto& path : captures) {
    SCOPED_TRACE(path);
    const testing::PcapWalker walker(path);
    ASSERT_FALSE(walker.frames().empty());
    for (const Frame& frame : walker.frames()) {
      ASSERT_NO_FATAL_FAILURE(testing::expect_cut_at_every_length(frame));
    }
  }
}

}  // namespace
}  // namespace rocescope
