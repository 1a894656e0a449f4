// Buckets against sums made from all packets at once.
#include "rocescope/rate_series.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <map>
#include <random>
#include <utility>

namespace rocescope::rate_series_test {
namespace {

constexpr std::int64_t kInterval = 10'000'000;

using Packets = std::vector<std::pair<std::int64_t, std::uint64_t>>;  // time, bytes

RateSeries series_of(const Packets& packets, std::size_t most = RateSeries::kMostBuckets) {
  RateSeries series;
  for (const auto& [time, bytes] : packets) series.add(time, {.packets = 1, .wire_bytes = bytes}, kInterval, most);
  return series;
}

/// Of each packet the last bucket is asked first, and now and then somebody looks.
void expect_same_by_last(const RateSeries& series, const Packets& packets, std::size_t most) {
  RateSeries other;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const auto& [time, bytes] = packets[i];
    const Sent sent{.packets = 1, .wire_bytes = bytes};
    if (!other.add_to_last(time, sent)) other.add(time, sent, kInterval, most);
    sum += bytes;
    if (i % 7 == 0) {
      EXPECT_EQ(other.total().wire_bytes, sum);
    }
  }
  EXPECT_EQ(other.width(), series.width());
  EXPECT_EQ(other.start(), series.start());
  EXPECT_EQ(other.first_time(), series.first_time());
  EXPECT_EQ(other.last_time(), series.last_time());
  ASSERT_EQ(other.buckets().size(), series.buckets().size());
  for (std::size_t i = 0; i < series.buckets().size(); ++i) {
    EXPECT_EQ(other.buckets()[i].wire_bytes, series.buckets()[i].wire_bytes) << i;
  }
}

void expect_exact(const Packets& packets, std::size_t most = RateSeries::kMostBuckets) {
  const RateSeries series = series_of(packets, most);
  expect_same_by_last(series, packets, most);
  const auto floor = [&](std::int64_t time) { return time / series.width() - (time % series.width() < 0 ? 1 : 0); };
  std::map<std::int64_t, std::uint64_t> expected;
  std::uint64_t sum = 0;
  for (const auto& [time, bytes] : packets) {
    expected[floor(time)] += bytes;
    sum += bytes;
  }
  EXPECT_EQ(series.total().wire_bytes, sum);
  EXPECT_EQ(series.total().packets, packets.size());
  ASSERT_LE(series.buckets().size(), most);
  const std::int64_t first = expected.begin()->first;
  ASSERT_EQ(series.buckets().size(),
            static_cast<std::uint64_t>(expected.rbegin()->first) - static_cast<std::uint64_t>(first) + 1);
  for (std::size_t i = 0; i < series.buckets().size(); ++i) {
    EXPECT_EQ(series.buckets()[i].wire_bytes, expected[first + static_cast<std::int64_t>(i)]) << i;
  }
  if (first > std::numeric_limits<std::int64_t>::min() / series.width()) {
    EXPECT_EQ(series.start(), first * series.width());
  }
}

TEST(RateSeries, IsExactHoweverLongTheCapture) {
  std::mt19937_64 random(10);
  for (const std::int64_t step :
       std::initializer_list<std::int64_t>{1'000, 1'000'000, 10'000'000, 300'000'000, 40'000'000'000}) {
    Packets packets;
    std::int64_t time = 1'700'000'000'000'000'000;
    for (int i = 0; i < 3'000; ++i) {
      packets.emplace_back(time, random() % 4096);
      time += static_cast<std::int64_t>(random() % (2 * static_cast<std::uint64_t>(step)));
    }
    expect_exact(packets);
    expect_exact(packets, 16);
    std::shuffle(packets.begin(), packets.end(), random);
    expect_exact(packets);
  }
}

TEST(RateSeries, KeepsTheIntervalWhileItCan) {
  Packets packets;
  for (std::int64_t i = 0; i < 1024; ++i) packets.emplace_back(i * kInterval, 1);
  EXPECT_EQ(series_of(packets).width(), kInterval);
  packets.emplace_back(1024 * kInterval, 1);
  EXPECT_EQ(series_of(packets).width(), 2 * kInterval);
  EXPECT_EQ(series_of(packets).buckets().size(), 513U);
}

TEST(RateSeries, HoldsAnyTimes) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  expect_exact({{0, 1}, {-1, 2}, {1, 4}});
  expect_exact({{kMost, 1}, {kLeast, 2}, {0, 4}});
  expect_exact({{kLeast, 1}, {kLeast + 1, 2}, {kMost, 4}, {kMost - 1, 8}});
  expect_exact({{kMost, 1}, {kLeast, 2}, {-5, 4}, {7, 8}}, 16);
}

TEST(RateSeries, HasNothingInTheLastBucketWhileThereIsNone) {
  RateSeries series;
  EXPECT_FALSE(series.add_to_last(0, {.packets = 1}));
  EXPECT_TRUE(series.empty());
}

TEST(RateSeries, TellsAverageAndPeak) {
  // 1000 bytes in each ms of a second, and 9000 more in the last 10 ms.
  Packets packets;
  for (std::int64_t i = 0; i <= 1000; ++i) packets.emplace_back(i * 1'000'000, 1000);
  packets.emplace_back(995'000'000, 9000);
  const RateSeries series = series_of(packets);
  EXPECT_DOUBLE_EQ(series.average(&Sent::wire_bytes), 1'010'000.0);
  EXPECT_DOUBLE_EQ(series.peak(&Sent::wire_bytes), 1'900'000.0);
  EXPECT_EQ(series.amplification(), 0);
  EXPECT_EQ(RateSeries().peak(&Sent::packets), 0);
  EXPECT_EQ(series_of({{5, 1}}).average(&Sent::packets), 0);
}

/// However short: 9000 bytes in 3 ms would be 3 MB/s, and no interval has more than 0.9 MB/s.
TEST(RateSeries, HasNoAverageAboveThePeak) {
  const Packets burst{{0, 3000}, {1'000'000, 3000}, {3'000'000, 3000}};
  EXPECT_DOUBLE_EQ(series_of(burst).peak(&Sent::wire_bytes), 900'000.0);
  EXPECT_DOUBLE_EQ(series_of(burst).average(&Sent::wire_bytes), 900'000.0);
  Packets even;
  for (std::int64_t i = 5; i <= 25; ++i) even.emplace_back(i * 1'000'000, 1000);
  EXPECT_DOUBLE_EQ(series_of(even).peak(&Sent::wire_bytes), 1'000'000.0);
  EXPECT_DOUBLE_EQ(series_of(even).average(&Sent::wire_bytes), 1'000'000.0);
}

TEST(RateSeries, KeepsToFewerBucketsThanItHad) {
  RateSeries series;
  for (std::int64_t i = 0; i < 1000; ++i) series.add(i * kInterval, {.packets = 1}, kInterval);
  EXPECT_EQ(series.buckets().size(), 1000u);
  series.add(500 * kInterval, {.packets = 1}, kInterval, 32);
  EXPECT_LE(series.buckets().size(), 32u);
  EXPECT_EQ(series.total().packets, 1001u);
}

TEST(RateSeries, AsksForItsLimitAgainWhereThatMayBeAnother) {
  RateSeries series;
  series.add(0, {.packets = 1}, kInterval);
  series.add(3 * kInterval, {.packets = 1}, kInterval);
  ASSERT_TRUE(series.add_to_last(3 * kInterval, {.packets = 1}));
  series.expect_other_limit();
  EXPECT_FALSE(series.add_to_last(3 * kInterval, {.packets = 1}));
  series.add(3 * kInterval, {.packets = 1}, kInterval, 1);
  EXPECT_EQ(series.buckets().size(), 1U);
  EXPECT_TRUE(series.add_to_last(4 * kInterval, {.packets = 1}));
  EXPECT_EQ(series.total().packets, 5U);
}

TEST(RateSeries, MayHaveOneBucketOnly) {
  RateSeries series;
  for (std::int64_t i = 0; i <= 1000; ++i) {
    series.add(i * 1'000'000 + 7, {.packets = 1, .wire_bytes = 500}, kInterval, RateSeries::kFewestBuckets - 1);
  }
  ASSERT_EQ(series.buckets().size(), 1U);
  EXPECT_EQ(series.buckets()[0].wire_bytes, 500'500U);
  EXPECT_EQ(series.start(), 7);
  EXPECT_EQ(series.width(), 1'000'000'000);
  EXPECT_DOUBLE_EQ(series.average(&Sent::wire_bytes), 500'500.0);
  EXPECT_DOUBLE_EQ(series.peak(&Sent::wire_bytes), 500'500.0);

  RateSeries alone;
  alone.add(5, {.packets = 1}, kInterval, 1);
  EXPECT_EQ(alone.width(), kInterval);
  EXPECT_DOUBLE_EQ(alone.peak(&Sent::packets), 100.0);
  alone.add(std::numeric_limits<std::int64_t>::min(), {.packets = 1}, kInterval, 1);
  EXPECT_EQ(alone.width(), std::numeric_limits<std::int64_t>::max());
}

void expect_same(const RateSeries& series, const RateSeries& expected) {
  EXPECT_EQ(series.width(), expected.width());
  EXPECT_EQ(series.start(), expected.start());
  EXPECT_EQ(series.first_time(), expected.first_time());
  EXPECT_EQ(series.last_time(), expected.last_time());
  ASSERT_EQ(series.buckets().size(), expected.buckets().size());
  for (std::size_t i = 0; i < expected.buckets().size(); ++i) {
    EXPECT_EQ(series.buckets()[i].wire_bytes, expected.buckets()[i].wire_bytes);
  }
}

Packets random_packets(std::mt19937_64& random) {
  Packets packets;
  const std::int64_t span = kInterval << (random() % 40);
  const auto start = static_cast<std::int64_t>(random() % (std::uint64_t{1} << 62U)) - (std::int64_t{1} << 61U);
  for (std::uint64_t left = 1 + random() % 200; left > 0; --left) {
    packets.emplace_back(start + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span)),
                         random() % 9000);
  }
  return packets;
}

TEST(RateSeries, TakesALimitLaterAsIfItHadBeenThereFromTheStart) {
  std::mt19937_64 random(1);
  for (int turn = 0; turn < 500; ++turn) {
    const Packets packets = random_packets(random);
    for (const std::size_t most : {1000U, 333U, 64U, 16U, 15U, 1U}) {
      RateSeries series = series_of(packets);
      series.limit(kInterval, most);
      expect_same(series, series_of(packets, most));
    }
  }
}

TEST(RateSeries, IsTheSameInPartsThatAreMerged) {
  std::mt19937_64 random(2);
  for (int turn = 0; turn < 500; ++turn) {
    const Packets packets = random_packets(random);
    std::array<Packets, 3> parts;
    for (const auto& packet : packets) parts[random() % parts.size()].push_back(packet);
    RateSeries series;
    for (const Packets& part : parts) series.merge(series_of(part));
    expect_same(series, series_of(packets));
  }
}

}  // namespace
}  // namespace rocescope::rate_series_test
