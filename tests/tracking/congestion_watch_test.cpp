// What hostile captures hold; the rest is in the tests against packets that other programs make.
#include "tracking/watchers/congestion_watch.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "rocescope/detail/rate_meter.hpp"
#include "rocescope/tracker.hpp"
#include "support/recorded.hpp"
#include "tracking/watchers/packet_role.hpp"
#include "tracking/watchers/pause_table.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kWindow = 1'600;

TEST(RateMeter, AddsUpTheWindowBefore) {
  RateMeter meter;
  for (std::int64_t time = -5'000; time < 10'000; time += 10) meter.add(time, 1, kWindow);
  EXPECT_EQ(meter.before(9'999, kWindow), 160U);
  EXPECT_EQ(meter.before(10'799, kWindow), 80U);
  EXPECT_EQ(meter.before(20'000, kWindow), 0U);
  EXPECT_EQ(meter.since(), -5'000);
}

TEST(RateMeter, StartsAgainWhereTimeGoesBack) {
  RateMeter meter;
  for (const std::int64_t time : {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(),
                                  std::int64_t{0}, std::int64_t{-1}, std::int64_t{100}}) {
    meter.add(time, 7, kWindow);
    EXPECT_LE(meter.before(time, kWindow), 21U);
  }
  EXPECT_EQ(meter.before(100, kWindow), 21U);
}

/// RC SEND Only of `source_host`, or its CNP.
void show(CongestionWatch& watch, Connection& connection, std::size_t sender, std::uint8_t opcode, std::int64_t time) {
  testing::Buffer frame = testing::roce_packet({.opcode = opcode});
  frame[15] = 3;  // CE
  testing::Recorded recorded(frame, time);
  watch.observe({.record = recorded.record(), .connection = &connection, .sender = sender, .requester = sender});
}

TEST(CongestionWatch, HoldsAnyTimes) {
  constexpr std::int64_t kTimes[] = {
      0, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), -1, 1, 1'000'000'000};
  Sightings sightings;
  CongestionWatch watch(1'000'000, sightings);
  Connection connection;
  std::uint64_t cnps = 0;
  std::uint64_t marked = 0;
  for (const std::int64_t first : kTimes) {
    for (const std::int64_t second : kTimes) {
      show(watch, connection, 0, 0x04, first);
      show(watch, connection, 1, 0x81, second);
      ++marked;
      ++cnps;
    }
  }
  watch.settle(connection);
  const Congestion& congestion = *connection.sides[0].congestion.get();
  EXPECT_EQ(congestion.marked, marked);
  EXPECT_EQ(congestion.cnps, cnps);
  EXPECT_LE(congestion.marked_unnotified, marked);
  EXPECT_EQ(watch.totals().cnps, cnps);
}

TEST(CongestionWatch, TakesNoMemoryForAQueuePairThatIsIdle) {
  Sightings sightings;
  CongestionWatch watch(1'000'000, sightings);
  Connection connection;
  for (std::int64_t i = 0; i < 100; ++i) {
    testing::Recorded recorded(testing::roce_packet({}), i * 2'000'000);
    watch.observe({.record = recorded.record(), .connection = &connection});
  }
  EXPECT_EQ(connection.sides[0].congestion.get(), nullptr);
  EXPECT_EQ(connection.sides[0].ecn.of(Ecn::kNotEct), 100U);
}

/// A SEND Only of RoCEv1 with this traffic class in its GRH.
testing::Buffer roce_v1_packet(std::uint8_t traffic_class) {
  const testing::Buffer v2 = testing::roce_packet({});
  constexpr std::size_t kBth = 42;
  testing::Buffer frame = testing::hex("020000000002 020000000001 8915");
  testing::append(frame, 0x60000000U | std::uint32_t{traffic_class} << 20U, 4);
  testing::append(frame, v2.size() - kBth, 2);
  testing::append(frame, testing::hex("1b 40 fe800000000000000200000000000001 fe800000000000000200000000000002"));
  testing::append(frame, Bytes(v2).subspan(kBth));
  return frame;
}

TEST(CeMarks, AreOfRoceV2Alone) {
  testing::Buffer v2 = testing::roce_packet({});
  v2[15] = 3;
  EXPECT_TRUE(is_ce_marked(testing::dissect_frame(v2)));
  const testing::Buffer v1 = roce_v1_packet(3);
  ASSERT_TRUE(testing::dissect_frame(v1).is_roce());
  ASSERT_EQ(testing::dissect_frame(v1).traffic_class, 3);
  EXPECT_FALSE(is_ce_marked(testing::dissect_frame(v1)));
  Tracker tracker;
  for (const testing::Buffer& frame : {v1, v2}) {
    testing::Recorded recorded(frame);
    static_cast<void>(tracker.track(recorded.record()));
  }
  std::uint64_t marked = 0;
  for (const Connection& connection : std::move(tracker).finish().connections) {
    for (const ConnectionSide& side : connection.sides) marked += side.ce_packets;
  }
  EXPECT_EQ(marked, 1U);
}

TEST(PauseTable, KeepsToItsLimit) {
  Sightings sightings;
  PauseTable table(0, sightings);
  for (std::uint32_t port = 0; port < PauseTable::kMost + 10; ++port) {
    testing::Buffer frame = testing::hex("0180c2000001 020000000000 8808 0001 ffff");
    frame[10] = static_cast<std::uint8_t>(port >> 8);
    frame[11] = static_cast<std::uint8_t>(port);
    frame.resize(60);
    testing::Recorded recorded(frame, port);
    table.observe({.record = recorded.record()});
  }
  EXPECT_EQ(table.totals(0).size(), PauseTable::kMost);
  EXPECT_EQ(table.untracked(), 10U);
  EXPECT_EQ(sightings.find(FindingId::kPfcPause)->seen.count, PauseTable::kMost);
}

TEST(PauseTable, CallsAPauseWithoutEndAStorm) {
  Sightings sightings;
  PauseTable table(100'000'000'000, sightings);
  testing::Buffer frame = testing::hex("0180c2000001 020000000000 8808 0001 ffff");  // 335 us
  frame.resize(60);
  for (std::int64_t i = 0; i < 1000; ++i) {
    testing::Recorded recorded(frame, i * 200'000);
    table.observe({.record = recorded.record()});
  }
  EXPECT_EQ(sightings.find(FindingId::kPfcStorm)->seen.count, 500U);  // the XOFFs after 100 ms
  const PauseTotals totals = table.totals(1'000'000'000)[0];
  EXPECT_EQ(totals.pauses, 1U);
  EXPECT_EQ(totals.longest, 999U * 200'000 + 335'539);
}

}  // namespace
}  // namespace rocescope
