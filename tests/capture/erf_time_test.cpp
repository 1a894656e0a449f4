#include "capture/erf_time.hpp"

#include <gtest/gtest.h>

#include "support/hex.hpp"

namespace rocescope {
namespace {

// Records of two captures, with the times that tshark 4.0.17 shows.
TEST(ErfTime, IsRoundedToTheNearestNanosecond) {
  EXPECT_EQ(erf_time(testing::hex("209c72b2db30e364").data()), 1692610779'697061308);
  EXPECT_EQ(erf_time(testing::hex("60eaeb7fef412b48").data()), 1210794479'499693535);
}

TEST(ErfTime, CarriesIntoTheSeconds) { EXPECT_EQ(erf_time(testing::hex("ffffffff01000000").data()), 2'000'000'000); }

}  // namespace
}  // namespace rocescope
