// Times that are counted apart first, against the histogram of each of them.
#include "tracking/express/counted_times.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "rocescope/times.hpp"

namespace rocescope {
namespace {

void expect_same(const Histogram& one, const Histogram& other) {
  EXPECT_EQ(one.count(), other.count());
  EXPECT_EQ(one.min(), other.min());
  EXPECT_EQ(one.max(), other.max());
  EXPECT_EQ(one.sum(), other.sum());
  for (std::uint64_t rank = 1; rank <= other.count(); ++rank) ASSERT_EQ(one.at_rank(rank), other.at_rank(rank)) << rank;
}

/// Moved to the histogram after every `some` of them.
void expect_counted(const std::vector<std::uint64_t>& times, std::size_t some) {
  Histogram expected;
  Histogram histogram;
  CountedTimes counted;
  for (std::size_t i = 0; i < times.size(); ++i) {
    expected.add(times[i]);
    counted.add(times[i], histogram);
    if (i % some == some - 1) counted.move_to(&histogram);
  }
  counted.move_to(&histogram);
  counted.move_to(nullptr);  // there is none left
  expect_same(histogram, expected);
}

void expect_counted(const std::function<std::uint64_t(std::mt19937&)>& draw) {
  std::mt19937 random(17);
  std::vector<std::uint64_t> times(3'000);
  for (std::uint64_t& time : times) time = draw(random);
  for (const std::size_t some : {1U, 7U, 3'000U}) expect_counted(times, some);
}

TEST(CountedTimes, AreThoseOfTheHistogram) {
  expect_counted([](std::mt19937& random) { return 4'500 + random() % 700; });       // close to each other
  expect_counted([](std::mt19937& random) { return 600 + random() % 60'000; });      // in some octaves
  expect_counted([](std::mt19937& random) { return random() >> (random() % 32); });  // anywhere
  expect_counted([](std::mt19937& random) { return random() % 3; });                 // 0 too
}

TEST(CountedTimes, GoElsewhereFromTimeToTime) {
  std::size_t turn = 0;
  expect_counted([&](std::mt19937& random) { return (++turn / 40 % 2 == 0 ? 1'000 : 50'000) + random() % 100; });
  expect_counted([&](std::mt19937& random) { return ++turn % 2 == 0 ? 1'000 + random() % 100 : 90'000; });
}

TEST(CountedTimes, MayAllBeTheSame) {
  expect_counted([](std::mt19937&) { return 0; });
  expect_counted([](std::mt19937&) { return 5'000; });
  expect_counted([](std::mt19937&) { return 0xFFFFFFFFU; });
}

TEST(CountedTimes, MayBeLong) {
  constexpr std::uint64_t kLongest = CountedTimes::kLongest;
  expect_counted({kLongest - 1, kLongest, kLongest + 1, 5, std::uint64_t{1} << 62, 5, kLongest - 1}, 100);
}

TEST(CountedTimes, AreNoneAtFirst) {
  CountedTimes counted;
  Histogram histogram;
  counted.move_to(&histogram);
  EXPECT_TRUE(histogram.empty());
}

}  // namespace
}  // namespace rocescope
