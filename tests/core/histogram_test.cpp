// Quantiles against those of all values in rising order.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "rocescope/times.hpp"

namespace rocescope {
namespace {

/// The nearest rank, by its definition.
std::uint64_t exact(std::vector<std::uint64_t> values, double quantile) {
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(static_cast<double>(values.size()) * quantile - 1e-9);
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

Histogram histogram_of(const std::vector<std::uint64_t>& values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(value);
  return histogram;
}

void expect_near_exact(const std::vector<std::uint64_t>& values) {
  const Histogram histogram = histogram_of(values);
  for (const unsigned per_mille : {0U, 1U, 10U, 250U, 500U, 900U, 990U, 999U, 1000U}) {
    const std::uint64_t expected = exact(values, per_mille / 1000.0);
    const std::uint64_t found = histogram.quantile(per_mille);
    const std::uint64_t error = found > expected ? found - expected : expected - found;
    EXPECT_LE(error, expected / 64) << per_mille << " of " << values.size() << ": " << expected << ", not " << found;
  }
  EXPECT_EQ(histogram.min(), exact(values, 0));
  EXPECT_EQ(histogram.max(), exact(values, 1));
  EXPECT_EQ(histogram.count(), values.size());
}

TEST(Histogram, TellsQuantilesWithin1Point6Percent) {
  std::mt19937_64 random(4791);
  for (const std::size_t size : {1U, 2U, 3U, 10U, 99U, 1000U, 1001U, 50'000U}) {
    std::lognormal_distribution<double> latencies(9.5, 1.7);
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < size; ++i) values.push_back(static_cast<std::uint64_t>(latencies(random)));
    expect_near_exact(values);
    for (std::uint64_t& value : values) value = random() >> (random() % 64);
    expect_near_exact(values);
  }
}

TEST(Histogram, FindsItsBucketsHoweverManyLieBetween) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 2'000; ++round) {
    const unsigned widest = static_cast<unsigned>(random() % 60) + 1;
    std::vector<std::uint64_t> values(random() % 60 + 1);
    Histogram merged;
    Histogram other;
    for (std::uint64_t& value : values) {
      value = random() >> 4 >> (random() % widest);
      (random() % 2 == 0 ? merged : other).add(value);
    }
    expect_near_exact(values);
    merged.merge(other);
    EXPECT_EQ(merged.count(), values.size());
    EXPECT_EQ(merged.quantile(500), histogram_of(values).quantile(500));
  }
}

TEST(Histogram, TellsSmallValuesExactly) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < 64; ++i) values.push_back(63 - i);
  const Histogram histogram = histogram_of(values);
  EXPECT_EQ(histogram.quantile(500), 31U);  // the 32nd of 0 to 63
  EXPECT_EQ(histogram.quantile(900), 57U);  // the 58th
  EXPECT_EQ(histogram.sum(), 63U * 64 / 2);
  EXPECT_EQ(histogram.mean(), 31U);
}

TEST(Histogram, HoldsTheLargestValues) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  const Histogram histogram = histogram_of({kMost, kMost, kMost - 1, 0});
  EXPECT_EQ(histogram.min(), 0U);
  EXPECT_EQ(histogram.max(), kMost);
  EXPECT_EQ(histogram.sum(), kMost);  // and not a sum that came round
  EXPECT_GT(histogram.quantile(500), kMost - kMost / 64);
}

TEST(Histogram, IsOfNothingAtFirst) {
  const Histogram histogram;
  EXPECT_TRUE(histogram.empty());
  EXPECT_EQ(histogram.quantile(500), 0U);
  EXPECT_EQ(histogram.mean(), 0U);
}

TEST(Histogram, CountsByPowersOfTwo) {
  std::mt19937_64 random(19);
  std::map<std::uint64_t, std::uint64_t> expected;
  Histogram histogram;
  const auto add = [&](std::uint64_t value) {
    histogram.add(value);
    std::uint64_t at_least = 1;
    while (at_least <= value / 2) at_least *= 2;
    ++expected[value == 0 ? 0 : at_least];
  };
  for (const std::uint64_t value : {0U, 0U, 1U, 2U, 3U, 31U, 32U, 63U, 64U, 127U, 128U, 4095U, 4096U}) add(value);
  add(std::numeric_limits<std::uint64_t>::max());
  for (int i = 0; i < 10'000; ++i) add(random() >> (random() % 64));
  std::map<std::uint64_t, std::uint64_t> octaves;
  std::uint64_t before = 0;
  for (const auto& [at_least, count] : histogram.octaves()) {
    EXPECT_TRUE(octaves.empty() || at_least > before);
    before = at_least;
    octaves[at_least] = count;
  }
  EXPECT_EQ(octaves, expected);
  EXPECT_TRUE(Histogram().octaves().empty());
}

TEST(Histogram, MergesToWhatItWouldBeOfAllValues) {
  std::mt19937_64 random(18);
  std::vector<std::uint64_t> values;
  Histogram merged;
  for (int part = 0; part < 5; ++part) {
    Histogram histogram;
    for (int i = 0; i < part * 100; ++i) {
      values.push_back(random() >> 40);
      histogram.add(values.back());
    }
    merged.merge(histogram);
  }
  const Histogram whole = histogram_of(values);
  for (unsigned per_mille = 0; per_mille <= 1000; ++per_mille) {
    EXPECT_EQ(merged.quantile(per_mille), whole.quantile(per_mille));
  }
  EXPECT_EQ(merged.sum(), whole.sum());
  EXPECT_EQ(merged.min(), whole.min());
  EXPECT_EQ(merged.max(), whole.max());
}

}  // namespace
}  // namespace rocescope
