#include "render/packets/hex_dump.hpp"

#include <gtest/gtest.h>

#include "printing.hpp"
#include "tshark.hpp"

namespace rocescope::render {
namespace {

TEST(HexDump, IsThatOfTshark) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::string path = lab_capture("lab_pingpong_atomic_udaddy.pcap");
  auto source = open_capture(path);
  ASSERT_TRUE(source) << source.error().message;
  std::string ours;
  Frame frame;
  while ((*source)->next(frame)) append_hex_dump(frame.data, ours);
  EXPECT_TRUE(ours == tshark("-x -r " + path));
}

}  // namespace
}  // namespace rocescope::render
