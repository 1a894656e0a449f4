#include <gtest/gtest.h>

#include <cstdint>

#include "rocescope/text.hpp"

namespace rocescope::text {
namespace {

TEST(Human, ShowsSharesInPercent) {
  EXPECT_EQ(percent(0, 0), "0 %");
  EXPECT_EQ(percent(1, 3), "33.3 %");
  EXPECT_EQ(percent(1, 80), "1.25 %");
  EXPECT_EQ(percent(7, 7), "100 %");
}

TEST(Human, ShowsThreeDigitsAndAPrefix) {
  EXPECT_EQ(quantity(0, "B"), "0 B");
  EXPECT_EQ(quantity(62, "B"), "62 B");
  EXPECT_EQ(quantity(999, "B"), "999 B");
  EXPECT_EQ(quantity(1000, "B"), "1.00 kB");
  EXPECT_EQ(quantity(1999, "B"), "2.00 kB");
  EXPECT_EQ(quantity(9994, "B"), "9.99 kB");
  EXPECT_EQ(quantity(9996, "B"), "10.0 kB");
  EXPECT_EQ(quantity(999'499, "B"), "999 kB");
  EXPECT_EQ(quantity(999'500, "B"), "1.00 MB");
  EXPECT_EQ(quantity(12.4e9, "b/s"), "12.4 Gb/s");
  EXPECT_EQ(quantity(0.5, "packets/s"), "0.50 packets/s");
  EXPECT_EQ(quantity(1.8446744e19, "B"), "18.4 EB");
}

TEST(Human, GroupsDigits) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1288), "1,288");
  EXPECT_EQ(count(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Human, CountsANoun) {
  EXPECT_EQ(count(0, "packet"), "0 packets");
  EXPECT_EQ(count(1, "packet"), "1 packet");
  EXPECT_EQ(count(1288, "packet"), "1,288 packets");
  EXPECT_EQ(plural(1, "was", "were"), "was");
  EXPECT_EQ(plural(0, "was", "were"), "were");
}

TEST(Human, ShowsDurationsInTheUnitThatFits) {
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(850), "850 ns");
  EXPECT_EQ(duration(12'345), "12.3 us");
  EXPECT_EQ(duration(999'999), "1.00 ms");
  EXPECT_EQ(duration(33'757'258'000), "33.8 s");
  EXPECT_EQ(duration(59'999'999'999), "1 min 00 s");
  EXPECT_EQ(duration(133'000'000'000), "2 min 13 s");
  EXPECT_EQ(duration(3'599'999'999'999), "1 h 00 min");
  EXPECT_EQ(duration(INT64_C(11'100) * 1'000'000'000), "3 h 05 min");
  EXPECT_EQ(duration(INT64_C(187'200) * 1'000'000'000), "2 d 04 h");
  EXPECT_EQ(duration(-850), "-850 ns");
  EXPECT_EQ(duration(INT64_MIN), "-106751 d 23 h");
}

}  // namespace
}  // namespace rocescope::text
