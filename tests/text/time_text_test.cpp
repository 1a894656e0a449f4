#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "rocescope/text.hpp"

namespace rocescope {
namespace {

std::string seconds(std::int64_t nanoseconds, Decimals decimals) {
  std::string text;
  append_seconds(nanoseconds, decimals, text);
  return text;
}

TEST(TimeText, CutsDecimalsAndKeepsTheSign) {
  EXPECT_EQ(seconds(1'158'999, 6), "0.001158");
  EXPECT_EQ(seconds(-1, 9), "-0.000000001");
  EXPECT_EQ(seconds(INT64_MIN, 9), "-9223372036.854775808");
}

TEST(TimeText, ShowsTimesBefore1970) {
  EXPECT_EQ(date_and_time(-1, Zone::kUtc, 9), "1969-12-31 23:59:59.999999999");
  EXPECT_EQ(date_and_time(INT64_MIN, Zone::kUtc, 9), "1677-09-21 00:12:43.145224192");
}

}  // namespace
}  // namespace rocescope
