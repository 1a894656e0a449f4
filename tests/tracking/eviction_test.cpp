// Connections that are followed no longer, so that there are never more than fit.
#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

#include "network.hpp"
#include "support/durations.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EvictionTest : public ::testing::Test {
 protected:
  void follow(std::size_t most, std::int64_t idle_timeout) {
    network_.tracker = Tracker({.max_connections = most, .idle_timeout = idle_timeout});
    network_.tracker.on_eviction([this](Eviction&& eviction) {
      for (EvictedConnection& each : eviction.connections) evicted_.push_back(std::move(each));
    });
  }
  [[nodiscard]] std::vector<std::uint32_t> evicted() const {
    std::vector<std::uint32_t> numbers;
    for (const EvictedConnection& each : evicted_) numbers.push_back(each.connection.number);
    return numbers;
  }

  testing::Network network_;
  std::vector<EvictedConnection> evicted_;
};

TEST_F(EvictionTest, IdleConnectionsGoWhenAnotherIsMade) {
  follow(100, kMillisecond);
  network_.play(R"(
       0 1>2:17 send 100 10 = 1 in_order
      10 2>1:33 ack  100    = 1 response of 1
      20 3>4:17 send 500 10 = 2 in_order
     900 3>4:17 send 501 10 = 2 in_order
    1200 5>6:17 send   7 10 = 3 in_order
  )");
  ASSERT_THAT(evicted(), ElementsAre(1));
  EXPECT_FALSE(evicted_[0].crowded);
  EXPECT_EQ(evicted_[0].connection.sides[0].traffic.packets, 1U);
  EXPECT_EQ(evicted_[0].connection.sides[1].traffic.packets, 1U);
  EXPECT_EQ(evicted_[0].connection.sides[0].messages_completed(), 1U);
  EXPECT_EQ(network_.tracker.followed(), 2U);
}

TEST_F(EvictionTest, OfTooManyThoseGoThatWereIdleForLongest) {
  follow(3, 1000 * kMillisecond);
  network_.play(R"(
     0 1>2:17 send 100 10 = 1 in_order
    10 1>2:18 send 200 10 = 2 in_order
    20 1>2:19 send 300 10 = 3 in_order
    30 1>2:17 send 101 10 = 1 in_order
    40 1>2:20 send 400 10 = 4 in_order
    50 1>2:21 send 500 10 = 5 in_order
  )");
  ASSERT_THAT(evicted(), ElementsAre(2, 3));
  EXPECT_TRUE(evicted_[0].crowded);
  EXPECT_TRUE(evicted_[1].crowded);
  EXPECT_EQ(network_.tracker.followed(), 3U);
}

TEST_F(EvictionTest, ALaterPacketBeginsAConnectionWithoutEvidenceOfLoss) {
  follow(1, 1000 * kMillisecond);
  network_.play(R"(
     0 1>2:17 send  100 10 = 1 in_order
    10 2>1:33 ack   100    = 1 response of 1
    20 3>4:17 send  500 10 = 2 in_order
    30 1>2:17 send 9000 10 = 3 in_order
    40 2>1:33 ack  9000    = 3 response of 4
  )");
  EXPECT_THAT(evicted(), ElementsAre(1, 2));
  for (const ConnectionSide& side : network_.connection(3).sides) {
    EXPECT_EQ(side.requests->troubles.get(), nullptr);
    EXPECT_THAT(side.sightings.all(), IsEmpty());
  }
  EXPECT_EQ(network_.connection(3).handshake, 0U);
}

TEST_F(EvictionTest, WhatDidNotEndIsGivenWithItsConnection) {
  follow(1, 1000 * kMillisecond);
  network_.play(R"(
     0 1>2:17 w_first 100 256 = 1 in_order
    10 3>4:17 send    500 10  = 2 in_order
  )");
  ASSERT_THAT(evicted(), ElementsAre(1));
  ASSERT_EQ(evicted_[0].open_messages[0].size(), 1U);
  EXPECT_EQ(evicted_[0].open_messages[0][0].first_frame, 1U);
  EXPECT_THAT(evicted_[0].open_messages[1], IsEmpty());
  EXPECT_EQ(evicted_[0].connection.sides[0].operations.of(Operation::kWrite).messages, 1U);
}

TEST_F(EvictionTest, SilenceMakesIdleAsPacketsOfOthersDo) {
  follow(100, 10 * kMillisecond);
  network_.play("0 1>2:17 send 100 10 = 1 in_order");
  network_.tracker.expire(9 * kMillisecond);
  EXPECT_THAT(evicted(), IsEmpty());
  network_.tracker.expire(11 * kMillisecond);
  EXPECT_THAT(evicted(), ElementsAre(1));
  EXPECT_EQ(network_.tracker.followed(), 0U);
}

TEST_F(EvictionTest, IdleConnectionsGoWhenPacketsOfOthersCome) {
  follow(100, kMillisecond);
  network_.play(R"(
       0 1>2:17 send 100 10 = 1 in_order
      20 3>4:17 send 500 10 = 2 in_order
     900 3>4:17 send 501 10 = 2 in_order
    1200 3>4:17 send 502 10 = 2 in_order
  )");
  EXPECT_THAT(evicted(), ElementsAre(1));
}

TEST_F(EvictionTest, WhatComesAfterALongSilenceIsOfANewConnection) {
  follow(100, kMillisecond);
  network_.play(R"(
       0 1>2:17 send 100 10 = 1 in_order
      20 3>4:17 send 500 10 = 2 in_order
    5000 3>4:17 send 501 10 = 2 in_order
    5010 1>2:17 send 101 10 = 3 in_order
  )");
  EXPECT_THAT(evicted(), ElementsAre(1));
}

TEST_F(EvictionTest, ATimeFarAheadThatNoOtherPacketHasEvictsNobodyElse) {
  follow(100, kMillisecond);
  network_.play(R"(
               0 1>2:17 send 100 10 = 1 in_order
              20 3>4:17 send 500 10 = 2 in_order
    900000000000 5>6:17 send   7 10 = 3 in_order
              30 1>2:17 send 101 10 = 1 in_order
              40 3>4:17 send 501 10 = 2 in_order
              50 7>8:17 send 900 10 = 4 in_order
  )");
  EXPECT_THAT(evicted(), IsEmpty());
  network_.play(R"(
            1045 7>8:17 send 901 10 = 4 in_order
  )");
  EXPECT_THAT(evicted(), ElementsAre(3, 1, 2));
}

TEST_F(EvictionTest, GoesOnWhereTheClockWasSetBack) {
  follow(100, kMillisecond);
  network_.play(R"(
    900000000000 1>2:17 send 100 10 = 1 in_order
    900000000010 3>4:17 send 500 10 = 2 in_order
              20 3>4:17 send 501 10 = 2 in_order
              30 5>6:17 send 900 10 = 3 in_order
              40 5>6:17 send 901 10 = 3 in_order
            1200 5>6:17 send 902 10 = 3 in_order
            2000 7>8:17 send 902 10 = 4 in_order
            2300 7>8:17 send 903 10 = 4 in_order
  )");
  EXPECT_THAT(evicted(), ElementsAre(1, 2, 3));
}

TEST_F(EvictionTest, APacketAfterASilenceThatWasWaitedForTellsTheTime) {
  follow(100, 10 * kMillisecond);
  network_.play("0 1>2:17 send 100 10 = 1 in_order");
  network_.tracker.expire(50 * kMillisecond);
  EXPECT_THAT(evicted(), ElementsAre(1));
  network_.play("50500 3>4:17 send 500 10 = 2 in_order");
  network_.tracker.expire(9 * kMillisecond);
  EXPECT_THAT(evicted(), ElementsAre(1));
  network_.tracker.expire(11 * kMillisecond);
  EXPECT_THAT(evicted(), ElementsAre(1, 2));
}

TEST_F(EvictionTest, NobodyIsEvictedWithoutATimeout) {
  follow(2, 0);
  network_.play(R"(
            0 1>2:17 send 100 10 = 1 in_order
           10 1>2:18 send 200 10 = 2 in_order
    100000000 1>2:19 send 300 10 = 0
  )");
  network_.tracker.expire(1'000'000'000 * kMillisecond);
  EXPECT_THAT(evicted(), IsEmpty());
}

TEST_F(EvictionTest, TheReportIsOfThoseThatAreFollowed) {
  follow(2, 1000 * kMillisecond);
  network_.play(R"(
     0 1>2:17 send 100 10 = 1 in_order
    10 1>2:18 send 200 10 = 2 in_order
    20 1>2:19 send 300 10 = 3 in_order
    30 1>2:20 send 400 10 = 4 in_order
    40 1>2:19 send 301 10 = 3 in_order
  )");
  const Tracking looked = network_.tracker.snapshot(std::vector<std::uint32_t>{1, 2, 3, 4, 5});
  const Tracking tracking = std::move(network_.tracker).finish();
  std::vector<std::uint32_t> numbers;
  for (const Connection& connection : tracking.connections) numbers.push_back(connection.number);
  EXPECT_THAT(numbers, ElementsAre(3, 4));
  numbers.clear();
  for (const Connection& connection : looked.connections) numbers.push_back(connection.number);
  EXPECT_THAT(numbers, ElementsAre(3, 4));
}

}  // namespace
}  // namespace rocescope
