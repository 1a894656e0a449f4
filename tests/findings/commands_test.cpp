// Findings about commands of the protocols above RoCE: when they are drawn, when they are just not, and their words. Reports made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
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
  void see_both_directions() {
    for (Connection& each : report.connections) {
      for (ConnectionSide& side : each.sides) side.first_packet = 1;
    }
  }
  void disconnect(std::size_t connection, std::uint8_t sender, std::int64_t time, std::uint64_t packet) {
    report.handshakes[connection - 1].steps.push_back({.message = HandshakeMessage::kDreq,
                                                       .sender = sender,
                                                       .packet = packet,
                                                       .time = time,
                                                       .last_packet = packet,
                                                       .last_time = time});
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
  its.see_both_directions();
  times.add(1, 0, 0, 127);
  times.add(2, 1, 1, 127);
  EXPECT_THAT(its.what(FindingId::kQueueFull), IsEmpty());
  times.add(3, 2, 2, 127);
  EXPECT_THAT(its.what(FindingId::kQueueFull), ElementsAre("full 3 times, with 127 commands outstanding"));
}

TEST(QueueFull, NotWhereOneDirectionWasSeen) {
  Case its;
  auto& times = its.add().at(0, Event::kQueueFull);
  for (std::uint64_t i = 1; i < 100; ++i) times.add(i, 0, 0, 127);
  its.report.connections[0].sides[0].first_packet = 1;
  EXPECT_THAT(its.what(FindingId::kQueueFull), IsEmpty());
}

TEST(QueueFull, NotWhereTheCaptureMissedPackets) {
  Case its;
  auto& times = its.add().at(0, Event::kQueueFull);
  its.see_both_directions();
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

TEST(KeepAliveLate, NotWhereAnotherQueueIsNotSilent) {
  Case its;
  its.add().at(0, Event::kKeepAliveLate).add(7, 20 * kSecond, 32 * kSecond, 10 * kSecond);
  CommandTroubles& other = its.add();
  other.shape.queue = 1;
  const auto sends_until = [&](std::int64_t second) {
    other.at(0, Event::kLastCommand) = {};
    other.at(0, Event::kLastCommand).add(8, second * kSecond, second * kSecond, 0);
    return its.what(FindingId::kKeepAliveLate).empty();
  };
  EXPECT_FALSE(sends_until(20));
  EXPECT_TRUE(sends_until(21));
  its.report.connections[1].first_time = 32 * kSecond;
  EXPECT_FALSE(sends_until(40));
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

TEST(InCapsuleUnused, OfAHundredWritesATenth) {
  Case its;
  CommandTroubles::Shape& shape = its.add().shape;
  shape.most_in_capsule = 8'192;
  shape.writes = 99;
  add_times(shape.fetched, 99);
  EXPECT_THAT(its.what(FindingId::kInCapsuleUnused), IsEmpty());
  shape.writes = 990;
  EXPECT_THAT(
      its.what(FindingId::kInCapsuleUnused),
      ElementsAre("a READ fetched the data of 99 of 990 Writes, though the target took 8,192 bytes with a command"));
  shape.writes = 991;
  EXPECT_THAT(its.what(FindingId::kInCapsuleUnused), IsEmpty());
}

TEST(InCapsuleUnused, CountsWhatIsKnownToFit) {
  CommandTroubles troubles;
  const auto write = [&](std::uint64_t bytes, bool in_capsule, CommandOutcome outcome, std::uint64_t moved) {
    Command command;
    command.protocol = UpperProtocol::kNvme;
    command.kind = CommandKind::kIo;
    command.opcode = 1;
    command.outcome = outcome;
    command.bytes = bytes;
    command.in_capsule = in_capsule;
    command.data_bytes = moved;
    command.request_packet = 1;
    command.issued = 0;
    troubles.add(command, {});
  };
  write(4'096, false, CommandOutcome::kSucceeded, 4'096);  // nothing is known yet
  write(8'192, true, CommandOutcome::kFailed, 0);          // too much, maybe
  write(4'096, false, CommandOutcome::kSucceeded, 4'096);
  EXPECT_EQ(troubles.shape.fetched.count, 0U);
  write(4'096, true, CommandOutcome::kSucceeded, 0);
  write(4'096, false, CommandOutcome::kSucceeded, 4'096);
  EXPECT_EQ(troubles.shape.fetched.count, 1U);
  write(4'097, false, CommandOutcome::kSucceeded, 4'097);
  write(512, false, CommandOutcome::kSucceeded, 0);  // its READ was not seen
  EXPECT_EQ(troubles.shape.fetched.count, 1U);
  EXPECT_EQ(troubles.shape.writes, 3U);
}

/// Its oldest of two commands is of second 5.
Case unanswered() {
  Case its;
  CommandTroubles& troubles = its.add();
  for (const std::int64_t second : {5, 6})
    troubles.at(0, Event::kUnanswered).add(static_cast<std::uint64_t>(second), second * kSecond, second * kSecond, 0);
  return its;
}

TEST(CommandsUnanswered, WhereTheOldestWaitedASecondBeforeTheEnd) {
  Case its = unanswered();
  EXPECT_THAT(its.what(FindingId::kCommandsUnanswered), IsEmpty());
  its.disconnect(1, 0, 6 * kSecond - 1, 12);
  EXPECT_THAT(its.what(FindingId::kCommandsUnanswered), IsEmpty());
  its.report.handshakes[0].steps[0].time = 6 * kSecond;
  EXPECT_THAT(
      its.what(FindingId::kCommandsUnanswered),
      ElementsAre(
          "2 commands were never answered; the oldest waited for 1.00 s, until the host disconnected (packet 12)"));
}

TEST(CommandsUnanswered, NotWhereTheyWereAbortedOrTheCaptureMissedPackets) {
  Case its = unanswered();
  its.disconnect(1, 0, 8 * kSecond, 12);
  EXPECT_THAT(its.what(FindingId::kCommandsUnanswered), ::testing::SizeIs(1));
  its.dropped = 1;
  EXPECT_THAT(its.what(FindingId::kCommandsUnanswered), IsEmpty());
  its.dropped = 0;
  its.troubles[1].tasks.push_back({.operation = "Abort Task", .seen = {}});
  EXPECT_THAT(its.what(FindingId::kCommandsUnanswered), IsEmpty());
}

Case silent(std::int64_t end) {
  Case its;
  its.add().at(0, Event::kLastCommand).add(10, 5 * kSecond, 5 * kSecond, 10 * kSecond);
  its.disconnect(1, 1, end, 12);
  return its;
}

TEST(KeepAliveMissing, WhereTheEndFollowsALongerSilenceThanPromised) {
  EXPECT_THAT(silent(15 * kSecond).what(FindingId::kKeepAliveMissing), IsEmpty());
  EXPECT_THAT(
      silent(17 * kSecond).what(FindingId::kKeepAliveMissing),
      ElementsAre("no command for 12.0 s, after a promise of 10.0 s; then the target disconnected (packet 12)"));
  Case its = silent(17 * kSecond);
  its.report.handshakes[0].steps[0].sender = 0;
  EXPECT_THAT(its.what(FindingId::kKeepAliveMissing),
              ElementsAre("no command for 12.0 s, after a promise of 10.0 s; then the host disconnected (packet 12)"));
}

TEST(KeepAliveMissing, NotWhereAnotherQueueIsNotSilent) {
  Case its = silent(17 * kSecond);
  its.add().at(0, Event::kLastCommand).add(11, 8 * kSecond, 8 * kSecond, 0);
  EXPECT_THAT(its.what(FindingId::kKeepAliveMissing), IsEmpty());
}

TEST(KeepAliveMissing, NotWhereItIsNotCertain) {
  Case its = silent(17 * kSecond);
  its.dropped = 1;
  EXPECT_THAT(its.what(FindingId::kKeepAliveMissing), IsEmpty());
  Case open = silent(17 * kSecond);
  open.report.handshakes[0].steps.clear();
  EXPECT_THAT(open.what(FindingId::kKeepAliveMissing), IsEmpty());
  Case off;
  off.add().at(0, Event::kLastCommand).add(10, 0, 0, 0);
  off.disconnect(1, 1, 100 * kSecond, 12);
  EXPECT_THAT(off.what(FindingId::kKeepAliveMissing), IsEmpty());
}

/// Queues 1 to `queues`, of which the second has `busy` commands and was full `full` times, and the others 100 each.
Case queues(std::uint32_t number, std::uint64_t busy, std::uint64_t full) {
  Case its;
  its.add().shape.queue = 0;
  for (std::uint32_t queue = 1; queue <= number; ++queue) {
    CommandTroubles& troubles = its.add();
    troubles.shape.queue = queue;
    troubles.shape.commands = queue == 2 ? busy : 100;
    for (std::uint64_t i = 0; i < full && queue == 2; ++i) troubles.at(0, Event::kQueueFull).add(i + 1, 0, 0, 127);
  }
  return its;
}

TEST(OneBusyQueue, WhereItIsFullAndOthersHaveRoom) {
  EXPECT_THAT(
      queues(4, 10'000, 3).what(FindingId::kOneBusyQueue),
      ElementsAre("queue 2 carried 10,000 of 10,300 commands and was full 3 times; 3 other queues carried the rest"));
}

TEST(OneBusyQueue, NotOfOneThreadThatWaitsForItsCommands) {
  EXPECT_THAT(queues(4, 10'000, 2).what(FindingId::kOneBusyQueue), IsEmpty());  // never had to wait for room
  EXPECT_THAT(queues(4, 9'999, 3).what(FindingId::kOneBusyQueue), IsEmpty());
  EXPECT_THAT(queues(2, 10'000, 3).what(FindingId::kOneBusyQueue), IsEmpty());
}

TEST(OneBusyQueue, NotWhereOthersCarryMoreOrNotAllIsKnown) {
  Case its = queues(4, 19'000, 3);
  its.troubles.at(2).shape.commands = 801;  // 1,001 of 20,001
  EXPECT_THAT(its.what(FindingId::kOneBusyQueue), IsEmpty());
  its.troubles.at(2).shape.commands = 800;
  EXPECT_THAT(its.what(FindingId::kOneBusyQueue), ::testing::SizeIs(1));
  its.evicted.connections = 1;
  EXPECT_THAT(its.what(FindingId::kOneBusyQueue), IsEmpty());
  its.evicted.connections = 0;
  its.dropped = 1;
  EXPECT_THAT(its.what(FindingId::kOneBusyQueue), IsEmpty());
  its.dropped = 0;
  its.troubles.at(2).shape.queue = 2;  // it connected again
  EXPECT_THAT(its.what(FindingId::kOneBusyQueue), IsEmpty());
}

/// Of one that failed with `status`, or had no response where that is 0; the new ones are `packets`.
CommandTroubles::Retry retry_of(std::uint32_t status, const std::vector<std::uint64_t>& packets,
                                std::string_view operation = "Read") {
  CommandTroubles::Retry retry{.operation = operation,
                               .was_answered = status != 0,
                               .status = status,
                               .status_name = status == 0x281 ? "Unrecovered Read Error" : "",
                               .seen = {},
                               .first_packet = packets[0] - 2,
                               .first_wait = 5 * kSecond};
  for (const std::uint64_t packet : packets) retry.seen.add(packet, static_cast<std::int64_t>(packet));
  return retry;
}

std::vector<std::string> retried(const std::vector<CommandTroubles::Retry>& retries) {
  Case its;
  its.add().retries = retries;
  its.see_both_directions();
  return its.what(FindingId::kCommandsRetried);
}

TEST(CommandsRetried, SaysAfterWhatAndTheFirst) {
  EXPECT_THAT(retried({}), IsEmpty());
  EXPECT_THAT(retried({retry_of(0x281, {12})}),
              ElementsAre("1 Read after Unrecovered Read Error; the first after 5.00 s (packets 10 and 12)"));
  EXPECT_THAT(
      retried({retry_of(0x281, {32}), retry_of(0, {22, 24, 26}, ""), retry_of(0x1AB, {42, 44}), retry_of(0, {52})}),
      ElementsAre("3 unknown after no response; 2 Read after status 0x1ab; 1 Read after Unrecovered Read Error; 1 more "
                  "kind; the first after 5.00 s (packets 20 and 22)"));
}

TEST(CommandsRetried, NotWhereTheResponseMayHaveBeenMissed) {
  Case its;
  its.add().retries = {retry_of(0, {12}), retry_of(0x281, {14})};
  its.see_both_directions();
  its.dropped = 1;
  const auto only_failed =
      ElementsAre("1 Read after Unrecovered Read Error; the first after 5.00 s (packets 12 and 14)");
  EXPECT_THAT(its.what(FindingId::kCommandsRetried), only_failed);
  its.dropped = 0;
  its.report.connections[0].sides[1].first_packet = 0;
  EXPECT_THAT(its.what(FindingId::kCommandsRetried), only_failed);
}

TEST(CommandsRetried, AtLeastSoManyWhereNotAllCouldBeRemembered) {
  Case its;
  CommandTroubles& troubles = its.add();
  troubles.retries = {retry_of(0x281, {12})};
  its.see_both_directions();
  const auto strength = [&] {
    std::vector<Strength> found;
    for (const Finding& finding : find_findings({.tracking = its.report, .commands = &its.troubles})) {
      if (finding.info->id == FindingId::kCommandsRetried) found.push_back(finding.strength);
    }
    return found;
  };
  EXPECT_THAT(strength(), ElementsAre(Strength::kExact));
  troubles.lacks_retries = true;
  EXPECT_THAT(strength(), ElementsAre(Strength::kAtLeast));
}

}  // namespace rocescope::commands_test
