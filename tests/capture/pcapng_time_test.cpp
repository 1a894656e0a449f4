#include "capture/pcapng_time.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace rocescope {
namespace {

constexpr std::uint8_t kBinary = 0x80;
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kEarliest = std::numeric_limits<std::int64_t>::min();

TEST(PcapngTime, IsMicrosecondsByDefault) {
  EXPECT_EQ(PcapngTime().nanoseconds(1'700'000'000'123'456), 1'700'000'000'123'456'000);
  EXPECT_EQ(PcapngTime().ticks_per_second(), 1'000'000u);
}

TEST(PcapngTime, IsExactInPowersOfTen) {
  EXPECT_EQ(PcapngTime(0, 0).nanoseconds(1'700'000'000), 1'700'000'000'000'000'000);
  EXPECT_EQ(PcapngTime(3, 0).nanoseconds(1'700'000'000'123), 1'700'000'000'123'000'000);
  EXPECT_EQ(PcapngTime(9, 0).nanoseconds(1'700'000'000'123'456'789), 1'700'000'000'123'456'789);
  EXPECT_EQ(PcapngTime(12, 0).nanoseconds(1'700'000'123'456'789'999), 1'700'000'123'456'789);
  EXPECT_EQ(PcapngTime(19, 0).nanoseconds(15'000'000'000'000'000'000U), 1'500'000'000);
  EXPECT_EQ(PcapngTime(28, 0).nanoseconds(kMost), 1);
  EXPECT_EQ(PcapngTime(127, 0).nanoseconds(kMost), 0);
}

TEST(PcapngTime, IsExactInPowersOfTwo) {
  EXPECT_EQ(PcapngTime(kBinary | 0, 0).nanoseconds(1'700'000'000), 1'700'000'000'000'000'000);
  EXPECT_EQ(PcapngTime(kBinary | 10, 0).nanoseconds(1025), 1'000'976'562);
  // 2^32 + 1 ticks of 2^-32 s: 1 s and 0.23 ns.
  EXPECT_EQ(PcapngTime(kBinary | 32, 0).nanoseconds(0x1'0000'0001), 1'000'000'000);
  // NTP's form: 0x65532E00.80000000 = 1'700'000'256.5 s, where a double has lost the nanoseconds.
  EXPECT_EQ(PcapngTime(kBinary | 32, 0).nanoseconds(0x6553'F200'8000'0005), 1'700'000'256'500'000'001);
  EXPECT_EQ(PcapngTime(kBinary | 64, 0).nanoseconds(kMost), 999'999'999);
  EXPECT_EQ(PcapngTime(kBinary | 127, 0).nanoseconds(kMost), 0);
}

TEST(PcapngTime, AddsTheOffset) {
  EXPECT_EQ(PcapngTime(9, 1'700'000'000).nanoseconds(5), 1'700'000'000'000'000'005);
  EXPECT_EQ(PcapngTime(9, -2).nanoseconds(500'000'000), -1'500'000'000);
}

TEST(PcapngTime, StaysWithinWhat64BitsHold) {
  EXPECT_EQ(PcapngTime(0, 0).nanoseconds(kMost), kLatest);
  EXPECT_EQ(PcapngTime(0, kLatest).nanoseconds(kMost), kLatest);
  EXPECT_EQ(PcapngTime(9, kEarliest).nanoseconds(0), kEarliest);
}

TEST(PcapngTime, NamesItsResolution) {
  EXPECT_EQ(PcapngTime(0, 0).ticks_per_second(), 1u);
  EXPECT_EQ(PcapngTime(9, 0).ticks_per_second(), 1'000'000'000u);
  EXPECT_EQ(PcapngTime(19, 0).ticks_per_second(), 10'000'000'000'000'000'000u);
  EXPECT_EQ(PcapngTime(20, 0).ticks_per_second(), kMost);
  EXPECT_EQ(PcapngTime(kBinary | 63, 0).ticks_per_second(), std::uint64_t{1} << 63);
  EXPECT_EQ(PcapngTime(kBinary | 64, 0).ticks_per_second(), kMost);
}

}  // namespace
}  // namespace rocescope
