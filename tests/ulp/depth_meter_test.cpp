// How many commands were outstanding when, beside what counting every moment by itself gives.
#include "rocescope/detail/depth_meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "support/rounds.hpp"

namespace rocescope {

static void PrintTo(const Depth& depth, std::ostream* out) { *out << depth.most << " in " << depth.command_time; }

namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

TEST(DepthMeter, FollowsWhatIsOutstanding) {
  DepthMeter meter(10);
  EXPECT_TRUE(meter.series().empty());
  meter.begin(1'005, 1);
  meter.begin(1'007, 2);
  meter.begin(1'007, 3);
  meter.end(1'005, 1'023, 4);
  meter.end(1'007, 1'031, 5);
  meter.end(1'007, 1'031, 6);
  meter.begin(1'055, 7);
  meter.settle(kEnd);
  EXPECT_EQ(meter.series().start, 1'000);
  EXPECT_EQ(meter.series().width, 10);
  EXPECT_THAT(meter.series().buckets,
              ElementsAre(Depth{3, 2 + 9}, Depth{3, 30}, Depth{3, 9 + 14}, Depth{2, 2}, Depth{0, 0}, Depth{1, 0}));
  EXPECT_EQ(meter.most(), 3U);
}

/// The copy of a response that was lost comes behind other commands: until then the first is outstanding.
TEST(DepthMeter, WaitsForEndsThatAreKnownLater) {
  DepthMeter meter(10);
  meter.begin(1'001, 1);
  meter.begin(1'002, 2);
  meter.settle(1'002);
  meter.begin(1'004, 4);
  meter.end(1'001, 1'003, 3);
  meter.end(1'002, 1'005, 5);
  meter.settle(kEnd);
  EXPECT_THAT(meter.series().buckets, ElementsAre(Depth{2, 1 + 2 + 1 + 2}));
}

/// The clock of the capture may have coarse steps.
TEST(DepthMeter, HasTheOrderOfPacketsAtTheSameTime) {
  DepthMeter behind(10);
  behind.begin(1'001, 1);
  behind.begin(1'005, 3);
  behind.end(1'001, 1'005, 2);
  behind.settle(kEnd);
  EXPECT_EQ(behind.most(), 1U);
  DepthMeter together(10);
  for (std::uint64_t packet = 1; packet <= 5; ++packet) together.begin(0, packet);
  for (std::uint64_t packet = 6; packet <= 10; ++packet) together.end(0, 0, packet);
  together.settle(kEnd);
  EXPECT_EQ(together.most(), 5U);
  EXPECT_TRUE(together.is_known());
}

TEST(DepthMeter, IsUnknownWhereTimeGoesBack) {
  constexpr std::int64_t kStep = DepthMeter::kMostBack;
  DepthMeter reordered(10);
  reordered.pass(2 * kStep);
  reordered.pass(kStep);
  EXPECT_TRUE(reordered.is_known());
  reordered.pass(kStep - 1);
  EXPECT_FALSE(reordered.is_known());

  DepthMeter ended_before(10);
  ended_before.begin(3 * kStep, 1);
  ended_before.end(3 * kStep, kStep, 2);
  EXPECT_FALSE(ended_before.is_known());

  DepthMeter settled(10);
  settled.begin(kStep, 1);
  settled.settle(kEnd);
  settled.end(kStep, kStep - 5, 2);
  settled.settle(kEnd);
  EXPECT_FALSE(settled.is_known());
}

TEST(DepthMeter, TakesAnyTime) {
  DepthMeter meter(1);
  for (std::uint64_t packet = 1; packet <= 4'000; ++packet) meter.begin(-1, packet);
  meter.begin(std::numeric_limits<std::int64_t>::max(), 4'001);
  meter.settle(kEnd);
  ASSERT_LE(meter.series().buckets.size(), DepthMeter::kMostBuckets);
  EXPECT_EQ(meter.series().start, 0);
  EXPECT_EQ(meter.series().buckets.front().most, 4'000U);
  EXPECT_EQ(meter.series().buckets.front().command_time, std::numeric_limits<std::uint64_t>::max());  // it is more
}

/// However far back a change belongs.
TEST(DepthMeter, TakesChangesInAnyOrder) {
  constexpr std::int64_t kCommands = 1'000;
  DepthMeter forwards(10);
  DepthMeter backwards(10);
  for (std::int64_t number = 0; number < kCommands; ++number) {
    const std::int64_t reverse = kCommands - 1 - number;
    forwards.begin(number, static_cast<std::uint64_t>(number));
    forwards.end(number, number + 5, static_cast<std::uint64_t>(number));
    backwards.end(reverse, reverse + 5, static_cast<std::uint64_t>(reverse));
    backwards.begin(reverse, static_cast<std::uint64_t>(reverse));
  }
  forwards.settle(kEnd);
  backwards.settle(kEnd);
  EXPECT_EQ(forwards.most(), 5U);
  EXPECT_EQ(backwards.series().buckets, forwards.series().buckets);
}

TEST(DepthMeter, IsExactInBucketsOfAnyWidth) {
  std::mt19937 random(17);
  for (std::uint32_t round = 0; round < testing::rounds(200); ++round) {
    const std::int64_t interval = 1 + static_cast<std::int64_t>(random() % 7);
    DepthMeter meter(interval);
    std::vector<std::pair<std::int64_t, std::int64_t>> commands;
    auto time = static_cast<std::int64_t>(random() % 1'000);
    std::int64_t last = time;
    std::vector<std::int64_t> ends;  // not told yet
    const std::size_t most = 1 + random() % 200;
    for (std::size_t number = 0; number < most; ++number) {
      time += static_cast<std::int64_t>(random() % (random() % 8 == 0 ? 300 : 3));
      const std::int64_t end = time + static_cast<std::int64_t>(random() % 40);
      meter.begin(time, 2);
      commands.emplace_back(time, end);
      ends.push_back(end);
      last = std::max(last, end);
      std::ranges::sort(ends);
      std::size_t told = 0;
      while (told < ends.size() && ends[told] < time && random() % 4 != 0) {
        meter.end(0, ends[told], 1);
        ++told;
      }
      ends.erase(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(told));
      if (random() % 3 == 0 || meter.is_due()) meter.settle(ends.empty() ? time : std::min(time, ends.front()));
    }
    for (const std::int64_t end : ends) meter.end(0, end, 1);  // at the same time before what begins
    meter.settle(kEnd);
    const DepthSeries& series = meter.series();
    ASSERT_LE(series.buckets.size(), DepthMeter::kMostBuckets);
    ASSERT_EQ(series.start % series.width, 0);
    ASSERT_TRUE(series.width == interval || series.buckets.size() > DepthMeter::kMostBuckets / 4);
    std::vector<Depth> expected(static_cast<std::size_t>((last - series.start) / series.width) + 1);
    for (std::int64_t now = series.start; now <= last; ++now) {
      Depth& bucket = expected[static_cast<std::size_t>((now - series.start) / series.width)];
      std::int64_t before = 0;
      std::int64_t outstanding = 0;
      bool has_begun = false;
      for (const auto& [begin, end] : commands) {
        before += (begin < now ? 1 : 0) - (end < now ? 1 : 0);
        outstanding += (begin <= now ? 1 : 0) - (end <= now ? 1 : 0);
        has_begun = has_begun || begin == now;
      }
      bucket.command_time += now < last ? static_cast<std::uint64_t>(outstanding) : 0U;
      const std::int64_t most_now = std::max<std::int64_t>(has_begun ? std::max<std::int64_t>(outstanding, 1) : 0,
                                                           now % series.width == 0 ? before : 0);
      bucket.most = std::max(bucket.most, static_cast<std::uint64_t>(most_now));
    }
    ASSERT_EQ(series.buckets, expected);
  }
}

}  // namespace
}  // namespace rocescope
