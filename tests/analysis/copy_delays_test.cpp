#include "analysis/points/copy_delays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/durations.hpp"

namespace rocescope {
namespace {

/// Packets of both directions between two hosts, when each came.
class Came {
 public:
  void packet(std::size_t direction, std::vector<std::int64_t> times) {
    ++packets_[direction];
    if (times.size() > 1) came_[direction].push_back(std::move(times));
  }
  [[nodiscard]] Settled settle(std::array<CopyDelays, 2>& delays) const {
    std::array<Returns, 2> returns;
    for (std::size_t i = 0; i < 2; ++i) {
      for (const std::vector<std::int64_t>& times : came_[i]) returns[i].times.emplace_back(times);
      returns[i].packets = packets_[i];
    }
    return rocescope::settle(delays, returns);
  }

 private:
  std::array<std::vector<std::vector<std::int64_t>>, 2> came_;
  std::array<std::uint32_t, 2> packets_{};
};

TEST(CopyDelays, AreFoundBesideWhatWasSentAgain) {
  for (const std::int64_t apart : {20 * kMicrosecond, 3 * kMillisecond, 2 * kSecond}) {
    Came came;
    for (std::int64_t number = 0; number < 20; ++number) {
      const std::int64_t time = number * kMillisecond;
      const std::int64_t again = time + 70 * kMillisecond + number * 100 * kMicrosecond;
      const bool resent = number % 3 == 0;
      std::vector<std::int64_t> times{time, time + apart};
      if (resent) times.insert(times.end(), {again, again + apart});
      std::ranges::sort(times);
      came.packet(0, times);
      came.packet(1, {time + 5 * kMicrosecond, time + 5 * kMicrosecond + apart});
    }
    std::array<CopyDelays, 2> delays;
    ASSERT_EQ(came.settle(delays), Settled::kYes) << apart;
    for (const CopyDelays& direction : delays) {
      EXPECT_EQ(direction.times(), 2) << apart;
      EXPECT_TRUE(direction.fits(apart)) << apart;
      EXPECT_FALSE(direction.fits(70 * kMillisecond)) << apart;
    }
  }
}

TEST(CopyDelays, AreNotThoseOfGoBackN) {
  Came came;
  for (std::int64_t number = 0; number < 64; ++number) {
    came.packet(0, {number * kMillisecond, number * kMillisecond + 500 * kMicrosecond});  // all requests again
    came.packet(1, {number * kMillisecond + 5 * kMicrosecond});
  }
  std::array<CopyDelays, 2> delays;
  EXPECT_EQ(came.settle(delays), Settled::kNo);
}

TEST(CopyDelays, NeedMoreThanAFewPacketsThatComeAgainLate) {
  Came came;
  for (const std::size_t direction : {0U, 1U}) {  // a receiver that is not ready, and its RNR NAKs
    for (std::int64_t message = 0; message < 3; ++message) {
      const std::int64_t time = message * kSecond;
      came.packet(direction, {time, time + 680 * kMillisecond, time + 1'360 * kMillisecond});
    }
  }
  std::array<CopyDelays, 2> delays;
  EXPECT_EQ(came.settle(delays), Settled::kNo);
}

TEST(CopyDelays, OfOneDirectionAloneAreUnclear) {
  Came came;
  for (std::int64_t number = 0; number < 64; ++number) {
    const std::int64_t time = number * kMillisecond;
    came.packet(0, {time, time + (kMicrosecond << (number % 16))});  // by a network that delays requests
    came.packet(1, {time + 5 * kMicrosecond, time + 5 * kMicrosecond});
  }
  std::array<CopyDelays, 2> delays;
  EXPECT_EQ(came.settle(delays), Settled::kUnclear);
}

TEST(CopyDelays, FollowClocksThatDrift) {
  CopyDelays delays;
  delays.settle(kSecond - 2 * kMicrosecond, kSecond + 2 * kMicrosecond, 2);
  std::int64_t apart = kSecond;
  for (int i = 0; i < 10'000; ++i) {
    apart += 100;
    ASSERT_TRUE(delays.fits(apart)) << i;
    delays.follow(apart);
  }
}

}  // namespace
}  // namespace rocescope
