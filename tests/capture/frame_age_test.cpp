#include "capture/frame_age.hpp"

#include <gtest/gtest.h>

namespace rocescope {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kNow = 1'790'000'000'000'000'000;
constexpr std::int64_t kHour = 3'600'000'000'000;

TEST(FrameAge, CountsFromTheTimeOfTheFrame) {
  EXPECT_EQ(time_until_age(kNow, kNow, 40ms), 40ms);
  EXPECT_EQ(time_until_age(kNow - 30'000'000, kNow, 40ms), 10ms);
  EXPECT_EQ(time_until_age(kNow - 50'000'000, kNow, 40ms), -10ms);
}

TEST(FrameAge, IsReachedAtThatMoment) {
  EXPECT_FALSE(has_age(kNow - 39'999'999, kNow, 40ms));
  EXPECT_TRUE(has_age(kNow - 40'000'000, kNow, 40ms));
}

TEST(FrameAge, IsEnoughWhereTheClockWasSetBack) {
  EXPECT_TRUE(has_age(kNow, kNow - kHour, 40ms));
  EXPECT_TRUE(has_age(kNow + 1, kNow, 40ms));
  EXPECT_EQ(time_until_age(kNow, kNow - kHour, 40ms), 0ns);  // nobody waits an hour
}

}  // namespace
}  // namespace rocescope
