// When a command counts as issued again, and when it just does not. Commands made by hand; real ones: tests/oracle/srp_commands_test.py.
#include "ulp/command_retries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/command_stream.hpp"
#include "ulp/command_log.hpp"

namespace rocescope::command_retries_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint32_t kError = 0x281;

/// A Read of one place by the host, of which nothing is known but when it was issued.
Command read_at(std::uint64_t packet, std::int64_t issued, std::uint64_t offset = 8) {
  Command command;
  command.connection = 1;
  command.protocol = UpperProtocol::kNvme;
  command.kind = CommandKind::kIo;
  command.operation = "Read";
  command.target = 1;
  command.offset = offset;
  command.bytes = 4096;
  command.request_packet = packet;
  command.issued = issued;
  command.acknowledged = issued;
  return command;
}

Command ended(Command command, CommandOutcome outcome, std::int64_t time) {
  command.outcome = outcome;
  command.status = outcome == CommandOutcome::kFailed ? kError : 0;
  command.status_name = outcome == CommandOutcome::kFailed ? "Unrecovered Read Error" : "Success";
  command.completed = time;
  return command;
}
Command failed(const Command& command, std::int64_t time) { return ended(command, CommandOutcome::kFailed, time); }
Command succeeded(const Command& command, std::int64_t time) {
  return ended(command, CommandOutcome::kSucceeded, time);
}

/// The packets of the commands that were issued again, of a connection.
std::vector<std::uint64_t> again(const CommandLog& log, std::uint32_t connection = 1) {
  std::vector<std::uint64_t> packets;
  const auto place = log.troubles().find(connection);
  if (place == log.troubles().end()) return packets;
  for (const CommandTroubles::Retry& each : place->second.retries) {
    for (const std::uint64_t packet : each.seen.packets) {
      if (packet != 0) packets.push_back(packet);
    }
  }
  return packets;
}

/// The same of commands that end in this order.
std::vector<std::uint64_t> again(const std::vector<Command>& commands) {
  CommandLog log;
  for (Command command : commands) log.add(std::move(command), true);
  return again(log);
}

TEST(CommandRetries, AfterAFailure) {
  const Command first = failed(read_at(10, 0), 5);
  EXPECT_THAT(again({first, succeeded(read_at(12, 4), 6)}), IsEmpty());  // outstanding together
  EXPECT_THAT(again({first, succeeded(read_at(12, 5, 16), 6)}), IsEmpty());
  EXPECT_THAT(again({succeeded(read_at(10, 0), 5), succeeded(read_at(12, 5), 6)}), IsEmpty());
  EXPECT_THAT(again({first, succeeded(read_at(12, 5), 6)}), ElementsAre(12));
  // Each counts once, and one behind a success not at all.
  EXPECT_THAT(again({first, succeeded(read_at(12, 5), 6), succeeded(read_at(14, 7), 8)}), ElementsAre(12));
  EXPECT_THAT(again({first, failed(read_at(12, 5), 6), succeeded(read_at(14, 7), 8)}), ElementsAre(12, 14));
  // Two that failed together, and came again together.
  EXPECT_THAT(again({first, failed(read_at(11, 1), 5), succeeded(read_at(12, 6), 8), succeeded(read_at(13, 6), 8)}),
              ElementsAre(12, 13));
}

TEST(CommandRetries, SaysAfterWhat) {
  CommandLog log;
  log.add(failed(read_at(10, 0), 5), true);
  log.add(succeeded(read_at(12, 7), 9), true);
  const std::vector<CommandTroubles::Retry>& retries = log.troubles().at(1).retries;
  ASSERT_EQ(retries.size(), 1);
  EXPECT_EQ(retries[0].operation, "Read");
  EXPECT_TRUE(retries[0].was_answered);
  EXPECT_EQ(retries[0].status, kError);
  EXPECT_EQ(retries[0].status_name, "Unrecovered Read Error");
  EXPECT_EQ(retries[0].first_packet, 10);
  EXPECT_EQ(retries[0].first_wait, 7);
}

TEST(CommandRetries, NotWhereItsStatusSaysThatNothingIsWrong) {
  Command answer = failed(read_at(10, 0), 5);
  answer.is_answer = true;
  EXPECT_THAT(again({answer, succeeded(read_at(12, 5), 6)}), IsEmpty());
}

TEST(CommandRetries, WithinThreeMinutes) {
  const Command first = failed(read_at(10, 0), 5);
  EXPECT_THAT(again({first, read_at(12, 5 + 180 * kSecond)}), ElementsAre(12));
  EXPECT_THAT(again({first, read_at(12, 6 + 180 * kSecond)}), IsEmpty());
}

TEST(CommandRetries, NotWhereNobodyKnowsHowMuchOrWhatTheyAskFor) {
  const auto count = [](bool size_is_cut, bool opcode_is_cut, std::optional<std::uint64_t> blocks) {
    std::vector<Command> both{failed(read_at(10, 0), 5), read_at(12, 5)};
    for (Command& each : both) {
      each.size_is_cut = size_is_cut;
      each.opcode_is_cut = opcode_is_cut;
      each.blocks = blocks;
    }
    return again(both).size();
  };
  EXPECT_EQ(count(false, false, {}), 1);
  EXPECT_EQ(count(true, false, {}), 0);
  EXPECT_EQ(count(true, false, 8), 1);  // the blocks say how much
  EXPECT_EQ(count(false, true, 8), 0);
}

TEST(CommandRetries, NotWhereTheUnitOrTheFileIsNotKnown) {
  const auto count = [](UpperProtocol protocol, std::optional<std::uint64_t> target,
                        std::optional<std::uint32_t> file) {
    std::vector<Command> both{failed(read_at(10, 0), 5), read_at(12, 5)};
    for (Command& each : both) {
      each.protocol = protocol;
      each.target = target;
      each.file = file;
    }
    return again(both).size();
  };
  EXPECT_EQ(count(UpperProtocol::kNvme, {}, {}), 0);
  EXPECT_EQ(count(UpperProtocol::kSmbDirect, 1, {}), 0);  // cut off
  EXPECT_EQ(count(UpperProtocol::kSmbDirect, 1, 7), 1);
  EXPECT_EQ(count(UpperProtocol::kNfs, {}, {}), 0);
  EXPECT_EQ(count(UpperProtocol::kNfs, {}, 7), 1);
  EXPECT_EQ(count(UpperProtocol::kRtrs, 1, {}), 1);
  EXPECT_EQ(count(UpperProtocol::kRds, 1, {}), 0);  // the place is in memory that is used again
}

/// The new command ends while the first one still waits for its response, which the log knows.
struct Waiting {
  CommandLog log;
  Command first;

  explicit Waiting(const Command& command) : first(command) { log.note_waiting(1, first.protocol, first); }
  [[nodiscard]] std::vector<std::uint64_t> found() const { return again(log); }
};

TEST(CommandRetries, AfterASecondWithoutAResponse) {
  for (const std::int64_t issued : {kSecond - 1, kSecond}) {
    Waiting its(read_at(10, 0));
    its.log.add(succeeded(read_at(12, issued), issued + 5), true);
    EXPECT_THAT(its.found(), IsEmpty());  // a response may come still
    its.log.add(Command(its.first), true);
    EXPECT_EQ(its.found().size(), issued < kSecond ? 0U : 1U);
  }
}

TEST(CommandRetries, NotWhereTheResponseCameAfterAll) {
  Waiting its(read_at(10, 0));
  its.log.add(succeeded(read_at(12, kSecond), kSecond + 5), true);
  its.log.add(succeeded(its.first, 2 * kSecond), true);
  EXPECT_THAT(its.found(), IsEmpty());
  its.log.add(succeeded(read_at(14, 3 * kSecond), 4 * kSecond), true);
  EXPECT_THAT(its.found(), IsEmpty());
}

TEST(CommandRetries, AfterTheFailureOfOneThatWaited) {
  Waiting its(read_at(10, 0));
  its.log.add(succeeded(read_at(12, 2 * kSecond), 3 * kSecond), true);  // before the failure
  its.log.add(failed(its.first, 4 * kSecond), true);
  EXPECT_THAT(its.found(), IsEmpty());
  its.log.add(succeeded(read_at(14, 5 * kSecond), 6 * kSecond), true);
  EXPECT_THAT(its.found(), ElementsAre(14));
}

/// As at the end of a capture: the first, aborted, and the second, which has no response either.
TEST(CommandRetries, OfSeveralWithoutAResponse) {
  Waiting its(read_at(10, 0));
  const Command second = read_at(12, 30 * kSecond);
  its.log.note_waiting(1, second.protocol, second);
  its.log.note_waiting(1, second.protocol, second);  // again: it is known
  its.log.add(succeeded(read_at(14, 60 * kSecond), 61 * kSecond), true);
  for (const Command& each : {its.first, second}) its.log.add(Command(each), true);
  EXPECT_THAT(its.found(), ElementsAre(12, 14));
}

/// `second` asks for what `first` asked for, on another connection, which begins then.
std::size_t on_other(Command first, Command second, std::int64_t begin, const std::string& target,
                     const std::string& other_target) {
  const IpAddress host = IpAddress::v4(ByteArray<4>{10, 0, 0, 1});
  const IpAddress server = IpAddress::v4(ByteArray<4>{10, 0, 0, 2});
  CommandLog log;
  const bool has_places = CommandRetries::has_places(first.protocol);
  if (has_places) log.note_place(1, {.capture_point = 1, .hosts = {host, server}, .first_time = 0, .target = target});
  if (has_places)  // the server is side 0 of this one
    log.note_place(2, {.capture_point = 1, .hosts = {server, host}, .first_time = begin, .target = other_target});
  second.connection = 2;
  second.initiator = 1;
  log.add(std::move(first), true);
  log.add(std::move(second), true);
  return again(log, 2).size();
}

TEST(CommandRetries, OnAConnectionThatWasThereBefore) {
  const auto count = [](std::int64_t begin, UpperProtocol protocol, std::uint64_t id, const char* target,
                        bool is_acknowledged = true) {
    Command first = read_at(10, 10);
    Command second = succeeded(read_at(12, 10 + kSecond), 12 + kSecond);
    first.protocol = second.protocol = protocol;
    first.file = second.file = 7;
    second.id = id;
    if (!is_acknowledged) first.acknowledged.reset();
    return on_other(first, second, begin, protocol == UpperProtocol::kNfs ? "" : "a", target);
  };
  EXPECT_EQ(count(10, UpperProtocol::kNvme, 0, "a"), 1);
  EXPECT_EQ(count(10, UpperProtocol::kNvme, 0, "a", false), 0);  // nothing of its target may have been seen there
  EXPECT_EQ(count(10, UpperProtocol::kNvme, 0, "b"), 0);         // the namespace of another subsystem
  EXPECT_EQ(count(10, UpperProtocol::kNvme, 0, ""), 0);
  EXPECT_EQ(count(11, UpperProtocol::kNvme, 0, "a"), 0);
  EXPECT_EQ(count(10, UpperProtocol::kSmbDirect, 0, "a"), 0);  // each session numbers its files
  EXPECT_EQ(count(10, UpperProtocol::kNfs, 1, ""), 1);
  EXPECT_EQ(count(11, UpperProtocol::kNfs, 0, "", false), 1);  // with the XID that it had
  EXPECT_EQ(count(11, UpperProtocol::kNfs, 1, ""), 0);
}

TEST(CommandRetries, RemembersWhatWasForgotten) {
  CommandLog log;
  log.add(failed(read_at(10, 0), 5), true);
  log.forget_place(1);  // its connection is gone, or its number is used again
  log.forget_troubles(1);
  log.add(succeeded(read_at(12, 5), 6), true);
  EXPECT_THAT(again(log), ElementsAre(12));
}

TEST(CommandRetries, SaysWhereItCannotRememberAll) {
  CommandLog log;
  for (std::size_t i = 0; i < CommandRetries::kMostTries; ++i) log.add(failed(read_at(10, 0, 100 + i), 5), true);
  log.add(succeeded(read_at(12, 5), 6), true);
  EXPECT_FALSE(log.troubles().at(1).lacks_retries);
  log.add(failed(read_at(13, 5, 16), 6), true);
  const std::int64_t late = 6 + CommandRetries::kLong + CommandRetries::kSoon;
  log.add(succeeded(read_at(14, late), late), true);
  EXPECT_TRUE(log.troubles().at(1).lacks_retries);
  log.forget_troubles(1);
  const std::int64_t later = late + CommandRetries::kSoon;
  log.pass_time(later);  // now there is room
  log.add(failed(read_at(15, later + 1), later + 2), true);
  log.add(succeeded(read_at(16, later + 2), later + 3), true);
  EXPECT_FALSE(log.troubles().at(1).lacks_retries);
  EXPECT_THAT(again(log), ElementsAre(16));
}

TEST(CommandRetries, SaysWhereItCannotRememberAllThatAskForTheSame) {
  CommandLog log;
  for (std::size_t i = 0; i < CommandRetries::kMostAlike; ++i) log.add(failed(read_at(10 + i, 0), 5), true);
  log.add(succeeded(read_at(100, 6), 7), true);
  EXPECT_FALSE(log.troubles().at(1).lacks_retries);
  for (std::size_t i = 0; i < 2; ++i) log.add(failed(read_at(80 + i, 0), 5), true);
  log.add(succeeded(read_at(101, 6), 7), true);
  EXPECT_TRUE(log.troubles().at(1).lacks_retries);
}

/// However long the new one takes.
TEST(CommandRetries, OfAnyLatency) {
  Waiting its(read_at(10, 0));
  its.log.add(failed(read_at(11, 0, 16), 5), true);
  its.log.pass_time(200 * kSecond);
  its.log.add(succeeded(read_at(12, 60 * kSecond), 200 * kSecond), true);
  its.log.add(succeeded(read_at(13, 60 * kSecond, 16), 200 * kSecond), true);
  its.log.add(Command(its.first), true);
  EXPECT_THAT(its.found(), ::testing::UnorderedElementsAre(12, 13));
}

/// A read of a pipe waits for what is written to it.
TEST(CommandRetries, NotAfterSilenceOfSmb) {
  Command first = read_at(10, 0);
  first.protocol = UpperProtocol::kSmbDirect;
  first.file = 7;
  Command second = first;
  second.request_packet = 12;
  second.issued = 3 * kSecond;
  Waiting its(first);
  its.log.add(Command(first), true);
  its.log.add(succeeded(second, 4 * kSecond), true);
  EXPECT_THAT(its.found(), IsEmpty());
}

/// A response may follow one whose connection is not followed any more, but not after long.
TEST(CommandRetries, NotAfterSilenceThatAnEvictionEnds) {
  for (const std::int64_t now : {180 * kSecond, 180 * kSecond + 1}) {
    Waiting its(read_at(10, 0));
    its.log.add(succeeded(read_at(12, 2 * kSecond), 3 * kSecond), true);
    its.log.pass_time(now);
    its.log.note_eviction(true);
    its.log.add(Command(its.first), true);
    EXPECT_EQ(its.found().size(), now > 180 * kSecond ? 1U : 0U) << now;
  }
}

/// An entry of a queue of NVMe: a Read of block 0x1234.
testing::Buffer read_capsule(std::uint8_t id) {
  testing::Buffer capsule(64);
  capsule[0] = 2;
  capsule[1] = 0x40;
  capsule[2] = id;
  capsule[4] = 1;      // the namespace
  capsule[33] = 0x10;  // 4096 bytes
  capsule[39] = 0x40;  // a keyed data block
  capsule[40] = 0x34;
  capsule[41] = 0x12;
  capsule[48] = 7;  // blocks, from 0
  return capsule;
}

testing::Buffer completion(std::uint8_t id, std::uint8_t status = 0) {
  testing::Buffer message(16);
  message[12] = id;
  message[14] = static_cast<std::uint8_t>(status << 1U);
  return message;
}

/// Of the subsystem `name`; its data come with it.
testing::Buffer connect(std::uint8_t queue, char name) {
  testing::Buffer message(64 + 1024);
  message[0] = 0x7F;
  message[1] = 0x40;
  message[4] = 1;
  message[33] = 4;  // 1024 bytes
  message[39] = 1;  // behind the capsule
  message[42] = queue;
  message[44] = 127;
  message[64 + 256] = static_cast<std::uint8_t>(name);
  message[64 + 512] = 'h';
  return message;
}

/// The messages of two queues, each at its time.
class Queues {
 public:
  /// `queue`: 0 or 1; `side`: 0 the host.
  void send(std::int64_t time, std::size_t queue, std::size_t side, const testing::Buffer& payload) {
    streams_[queue].send(side, payload);
    times_[queue].insert(times_[queue].end(), 2, time);  // with its ACK
  }
  [[nodiscard]] std::vector<std::uint64_t> again(std::uint32_t queue) const {
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      std::vector<Frame> own = streams_[i].frames();
      for (std::size_t k = 0; k < own.size(); ++k) own[k].timestamp = times_[i][k];
      frames.insert(frames.end(), own.begin(), own.end());
    }
    std::ranges::stable_sort(frames, {}, &Frame::timestamp);
    for (std::size_t i = 0; i < frames.size(); ++i) frames[i].number = i + 1;
    CommandWatch watch({{.connection = 0, .port = 0, .protocol = UpperProtocol::kNvme}});
    testing::follow(frames, watch);
    std::vector<std::uint64_t> packets;
    for (const auto& [connection, troubles] : watch.troubles()) {
      if (troubles.shape.queue != queue) continue;
      for (const CommandTroubles::Retry& each : troubles.retries) packets.push_back(each.seen.packets[0]);
    }
    return packets;
  }

 private:
  std::array<testing::CommandStream, 2> streams_{testing::CommandStream(0x100), testing::CommandStream(0x200)};
  std::array<std::vector<std::int64_t>, 2> times_;
};

/// Of two queues of NVMe, to these subsystems.
Queues connected(char first, char second) {
  Queues its;
  its.send(0, 0, 0, connect(1, first));
  its.send(1, 0, 1, completion(0));
  its.send(2, 1, 0, connect(2, second));
  its.send(3, 1, 1, completion(0));
  return its;
}

TEST(CommandRetries, OnAnotherQueueOfTheSubsystem) {
  for (const char second : {'a', 'b'}) {
    Queues its = connected('a', second);
    its.send(4, 0, 0, read_capsule(1));
    its.send(5, 0, 1, completion(1, 6));
    its.send(6, 1, 0, read_capsule(1));
    its.send(7, 1, 1, completion(1));
    EXPECT_THAT(its.again(1), IsEmpty());
    EXPECT_THAT(its.again(2), second == 'a' ? std::vector<std::uint64_t>{13} : std::vector<std::uint64_t>());
  }
}

/// Whenever others are sent, the one that waits is known a second later.
TEST(CommandRetries, AfterASecondOnTheWire) {
  for (const std::int64_t first : {std::int64_t{100}, kSecond * 7 / 10}) {
    for (const std::int64_t between : {std::int64_t{0}, kSecond * 4 / 10, kSecond / 2, kSecond * 9 / 10}) {
      for (const std::int64_t later : {kSecond - 1, kSecond}) {
        Queues its = connected('a', 'a');
        its.send(first, 0, 0, read_capsule(1));
        if (between != 0) its.send(first + between, 1, 0, connect(2, 'a'));
        its.send(first + later, 1, 0, read_capsule(1));
        its.send(first + later + 1, 1, 1, completion(1));
        std::vector<std::uint64_t> expected;
        if (later == kSecond) expected.push_back(between == 0 ? 11 : 13);
        EXPECT_EQ(its.again(2), expected) << first << " " << between << " " << later;
      }
    }
  }
}

/// A queue that was idle for long, while others were not, is looked at again.
TEST(CommandRetries, OnAQueueThatWasIdle) {
  Queues its = connected('a', 'a');
  const auto pass = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t time = from; time < to; time += kSecond * 3 / 10) {
      its.send(time, 1, 0, connect(2, 'a'));
      its.send(time + 1, 1, 1, completion(0));
    }
  };
  pass(kSecond, 11 * kSecond);
  its.send(11 * kSecond, 0, 0, read_capsule(1));
  pass(11 * kSecond + kSecond / 10, 12 * kSecond);
  its.send(12 * kSecond, 1, 0, read_capsule(1));
  its.send(12 * kSecond + 1, 1, 1, completion(1));
  EXPECT_EQ(its.again(2).size(), 1);
}

}  // namespace rocescope::command_retries_test
