// Captures that once ended the program, or made it read memory that it had given back.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "rocescope/analyze.hpp"
#include "rocescope/capture.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

TEST(HostileCaptures, AreReadToTheirEnd) {
  std::size_t captures = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(rocescope::testing::source_dir() + "/tests/analysis/hostile")) {
    const Result<std::unique_ptr<FrameSource>> source = open_capture(entry.path());
    ASSERT_TRUE(source) << entry.path();
    const Report report = analyze(**source);
    EXPECT_GT(report.packets_read, 0U);
    EXPECT_EQ(report.totals.traffic.packets, report.packets_read) << entry.path();
    ++captures;
  }
  EXPECT_GT(captures, 0U);
}

}  // namespace
}  // namespace rocescope
