#include "analysis/points/capture_points.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "support/durations.hpp"
#include "support/rc_packet.hpp"

namespace rocescope {
namespace {

/// One interface, on which all packets are seen at one point first, and 4 ms later at another.
class CopiesTest : public ::testing::Test {
 protected:
  std::uint8_t point_of(std::uint32_t number, bool is_copy) {
    testing::Buffer frame = testing::rc_packet({.psn = number});
    frame[18] = static_cast<std::uint8_t>(number >> 8);  // identification of IPv4
    frame[19] = static_cast<std::uint8_t>(number);
    Packet packet = testing::dissect_frame(frame);
    packet.frame.number = ++frames_;
    packet.frame.timestamp = (number + (is_copy ? kApart : 0)) * kMicrosecond;
    return points_.observe(packet).capture_point;
  }

  static constexpr std::uint32_t kApart = 4'000;
  CapturePoints points_;
  std::uint64_t frames_ = 0;
};

TEST_F(CopiesTest, OfPacketsThatCameBeforeTheFirstCopyAreSeenAtTheOtherPoint) {
  for (std::uint32_t number = 0; number < kApart; ++number) ASSERT_EQ(point_of(number, false), 1) << number;
  constexpr std::uint32_t kUnknown = 4;  // copies: then they are known to be some
  for (std::uint32_t number = 0; number < kApart; ++number) {
    ASSERT_EQ(point_of(number + kApart, false), 1) << number;
    const std::uint8_t point = point_of(number, true);
    ASSERT_TRUE(point == 2 || number < kUnknown) << number;
  }
}

}  // namespace
}  // namespace rocescope
