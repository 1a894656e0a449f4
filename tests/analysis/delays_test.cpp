#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "rocescope/capture_point.hpp"

namespace rocescope {
namespace {

TEST(Delays, AreNoneAtFirst) {
  const Delays none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.min(), 0);
  EXPECT_EQ(none.max(), 0);
}

TEST(Delays, MayBeNegative) {
  Delays delays;
  for (const std::int64_t ns : {-3, -1, -2, 5}) delays.add(ns);
  EXPECT_EQ(delays.min(), -3);
  EXPECT_EQ(delays.max(), 5);
  EXPECT_EQ(delays.quantile(500), -2);  // the second of four
  EXPECT_EQ(delays.reversed().min(), -5);
  EXPECT_EQ(delays.reversed().max(), 3);
}

/// Clocks that are two seconds apart do not make the microseconds vanish.
TEST(Delays, AreAsExactAsTheyAreCloseToEachOther) {
  constexpr std::int64_t kClocks = 2'000'000'000;
  Delays delays;
  std::vector<std::int64_t> all;
  std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
  for (int i = 0; i < 1000; ++i) {
    all.push_back(kClocks + static_cast<std::int64_t>(random() % 50'000));
    delays.add(all.back());
  }
  const std::int64_t first = all.front();
  std::ranges::sort(all);
  for (const std::uint64_t per_mille : {1U, 100U, 500U, 900U, 990U, 1000U}) {
    const std::int64_t right = all[per_mille - 1];
    EXPECT_LE(std::abs(delays.quantile(per_mille) - right), std::abs(right - first) / 64 + 1) << per_mille;
  }
  EXPECT_EQ(delays.min(), all.front());
  EXPECT_EQ(delays.max(), all.back());
}

}  // namespace
}  // namespace rocescope
