// Findings about commands of the protocols above RoCE: when they are drawn, when they are just not, and their words. Reports made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "findings/findings.hpp"

namespace rocescope::commands_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Event = CommandTroubles::Event;

constexpr std::int64_t kSecond = 1'000'000'000;
const IpAddress kHost = IpAddress::v4(ByteArray<4>{10, 0, 0, 1});
const IpAddress kTarget = IpAddress::v4(ByteArray<4>{10, 0, 0, 2});

/// Connections between a host (side 0) and a target, and the evidence of their commands.
struct Case {
  Report report;
  TroublesByConnection troubles;
  std::uint64_t dropped = 0;
  EvictedTotals evicted;

  CommandTroubles& add() {
    Connection& connection = report.connections.emplace_back();
    connection.number = static_cast<std::uint32_t>(report.connections.size());
    connection.handshake = connection.number;
    connection.sides[0].address = kHost;
    connection.sides[0].qpn = Qpn(0x10 + connection.number);
    connection.sides[1].address = kTarget;
    connection.sides[1].qpn = Qpn(0x20 + connection.number);
    Handshake& handshake = report.handshakes.emplace_back();
    handshake.number = connection.number;
    handshake.connection = connection.number;
    handshake.outcome = HandshakeOutcome::kEstablished;
    handshake.sides[0].address = kHost;
    handshake.sides[1].address = kTarget;
    return troubles[connection.number];
  }
  [[nodiscard]] std::vector<std::string> what(FindingId id) const {
    std::vector<std::string> found;
    for (const Finding& finding :
         find_findings({.tracking = report, .dropped = dropped, .evicted = &evicted, .commands = &troubles})) {
      if (finding.info->id == id) found.push_back(finding.what);
    }
    return found;
  }
};

void add_times(Occurrences& seen, std::uint64_t times) {
  for (std::uint64_t i = 1; i <= times; ++i) seen.add(i, static_cast<std::int64_t>(i));
}

TEST(QueueFull, FromThreeTimesOn) {
  Case its;
  auto& times = its.add().at(0, Event::kQueueFull);
  times.add(1, 0, 0, 127);
  times.add(2, 1, 1, 127);
  EXPECT_THAT(its.what(FindingId::kQueueFull), IsEmpty());
  times.add(3, 2, 2, 127);
  EXPECT_THAT(its.what(FindingId::kQueueFull), ElementsAre("full 3 times, with 127 commands outstanding"));
}

TEST(QueueFull, NotWhereTheCaptureMissedPackets) {
  Case its;
  auto& times = its.add().at(0, Event::kQueueFull);
  for (std::uint64_t i = 1; i < 100; ++i) times.add(i, 0, 0, 127);
  its.dropped = 1;
  EXPECT_THAT(its.what(FindingId::kQueueFull), IsEmpty());
  its.dropped = 0;
  its.report.connections[0].unsure = true;
  EXPECT_THAT(its.what(FindingId::kQueueFull), IsEmpty());
}

TEST(KeepAliveLate, SaysHowLongAndWhatWasPromised) {
  Case its;
  CommandTroubles& troubles = its.add();
  EXPECT_THAT(its.what(FindingId::kKeepAliveLate), IsEmpty());
  troubles.at(0, Event::kKeepAliveLate).add(7, 0, 12 * kSecond, 10 * kSecond);
  EXPECT_THAT(its.what(FindingId::kKeepAliveLate), ElementsAre("silent for 12.0 s, after a promise of 10.0 s"));
  troubles.at(0, Event::kKeepAliveLate).add(9, 20 * kSecond, 31 * kSecond, 10 * kSecond);  // the longest counts
  EXPECT_THAT(its.what(FindingId::kKeepAliveLate), ElementsAre("silent for 12.0 s, after a promise of 10.0 s"));
}

TEST(SmallIo, OfAThousandCommandsNineTenths) {
  Case its;
  CommandTroubles::Shape& shape = its.add().shape;
  shape.commands = 999;
  add_times(shape.small, 999);
  EXPECT_THAT(its.what(FindingId::kSmallIo), IsEmpty());
  shape.commands = 1'110;
  EXPECT_THAT(its.what(FindingId::kSmallIo), ElementsAre("999 of 1,110 commands are about less than 4096 bytes"));
  shape.commands = 1'111;
  EXPECT_THAT(its.what(FindingId::kSmallIo), IsEmpty());
  shape.commands = 1'110;
  its.dropped = 1;
  EXPECT_THAT(its.what(FindingId::kSmallIo),
              ElementsAre("999 of at least 1,110 commands are about less than 4096 bytes"));
}

TEST(UnalignedIo, OfAHundredCommandsWithBlocksATenth) {
  Case its;
  CommandTroubles::Shape& shape = its.add().shape;
  shape.commands = 10'000;  // of which others are of files
  shape.with_blocks = 99;
  add_times(shape.unaligned, 99);
  EXPECT_THAT(its.what(FindingId::kUnalignedIo), IsEmpty());
  shape.with_blocks = 990;
  EXPECT_THAT(its.what(FindingId::kUnalignedIo),
              ElementsAre("99 of 990 commands do not begin at a multiple of 4096 bytes"));
  shape.with_blocks = 991;
  EXPECT_THAT(its.what(FindingId::kUnalignedIo), IsEmpty());
}

}  // namespace rocescope::commands_test
