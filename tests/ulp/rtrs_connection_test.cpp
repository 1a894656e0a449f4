// Messages of RTRS that are WRITEs without data, such as heartbeats. The immediate data are those of Linux (rtrs-pri.h).
#include "ulp/rtrs/rtrs_connection.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace rocescope::rtrs_connection_test {

constexpr std::int64_t kTimeout = 2'000'000'000;  // ns

class Commands final : public CommandSink {
 public:
  void add(Command&& command, bool /*counts*/) override { all.push_back(std::move(command)); }
  void add(const SideEvent& /*event*/) override {}

  std::vector<Command> all;
};

/// The heartbeat of a client, which arrives, and its ACK so long after it.
Command heartbeat(std::int64_t after, bool resent) {
  constexpr std::uint32_t kHeartbeat = 0x8000'0000;
  constexpr std::uint32_t kHeartbeatAck = 0x9000'0000;
  constexpr std::int64_t kWay = 1'000'000;
  RtrsConnection rtrs(1, {.client = 0, .place_bits = 12, .depth = 512});
  const Connection connection;
  Commands commands;
  Packet packet;
  const auto write = [&](std::size_t side, std::uint32_t immediate, std::int64_t time, bool is_copy) {
    ++packet.frame.number;
    packet.frame.timestamp = time;
    packet.roce.psn = Psn(static_cast<std::uint32_t>(100 * (side + 1)));
    PacketRecord record;
    record.packet = &packet;
    const DataPayload payload{.record = record,
                              .connection = connection,
                              .requester = side,
                              .is_last = true,
                              .offset = 0,
                              .resent = is_copy,
                              .copy_after = kTimeout,
                              .immediate = immediate};
    EXPECT_EQ(rtrs.observe(payload, commands), MessageProtocol::kRtrs);
    rtrs.observe_end(side,
                     {.operation = Operation::kWrite,
                      .outcome = MessageOutcome::kCompleted,
                      .has_first = true,
                      .has_last = true,
                      .first_psn = packet.roce.psn,
                      .last_psn = packet.roce.psn,
                      .immediate = immediate,
                      .first_time = time,
                      .last_time = time,
                      .completion_frame = packet.frame.number + 100,
                      .completion_time = time + kWay},
                     commands);
  };
  write(0, kHeartbeat, 0, false);
  write(1, kHeartbeatAck, after, resent);
  rtrs.finish(commands);
  if (commands.all.size() != 1) {
    ADD_FAILURE() << commands.all.size() << " commands";
    return {};
  }
  return commands.all.front();
}

TEST(RtrsConnection, AHeartbeatThatIsAnsweredAtOnceIsNoCopy) {
  const Command command = heartbeat(kTimeout / 2, false);
  EXPECT_EQ(command.response_copied, Copied::kNo);
  EXPECT_EQ(command.times()->target, kTimeout / 2 - 1'000'000);
}

TEST(RtrsConnection, AHeartbeatAckThatComesAsLateAsACopyMayBeOne) {
  Command command = heartbeat(kTimeout * 2, false);
  EXPECT_EQ(command.response_copied, Copied::kLate);
  command.doubt_late();  // packets on its way were lost
  EXPECT_EQ(command.times()->target, 0);
  EXPECT_EQ(command.times()->unknown, 2 * kTimeout - 1'000'000);
}

TEST(RtrsConnection, AHeartbeatAckThatIsKnownToBeACopyIsNotTheTargets) {
  const Command command = heartbeat(kTimeout * 2, true);
  EXPECT_EQ(command.response_copied, Copied::kYes);
  EXPECT_EQ(command.times()->target, 0);
  EXPECT_EQ(command.times()->resend, 2 * kTimeout - 1'000'000);
}

/// Sends so many requests of `side`, whose buffers are numbered from `first`. None is answered.
void ask(RtrsConnection& rtrs, std::size_t side, std::uint32_t first, std::uint32_t count, unsigned place_bits) {
  const Connection connection;
  Commands commands;
  Packet packet;
  for (std::uint32_t buffer = first; buffer < first + count; ++buffer) {
    ++packet.frame.number;
    packet.frame.timestamp += 1'000;
    packet.roce.psn = Psn(buffer);
    PacketRecord record;
    record.packet = &packet;
    const DataPayload request{.record = record,
                              .connection = connection,
                              .requester = side,
                              .is_last = true,
                              .offset = 0,
                              .immediate = buffer << place_bits};
    EXPECT_EQ(rtrs.observe(request, commands), MessageProtocol::kRtrs);
  }
}

/// Those of which something is reported, and those that are only counted.
std::pair<std::size_t, std::uint64_t> ended(RtrsConnection& rtrs) {
  Commands commands;
  rtrs.finish(commands);
  CarriedProtocol carried;
  rtrs.describe(carried);
  EXPECT_EQ(carried.commands, commands.all.size() + carried.unfollowed);
  return {commands.all.size(), carried.unfollowed};
}

constexpr std::uint32_t kMostFollowed = CommandBook::kMostOutstanding;

TEST(RtrsConnection, CountsRequestsThatAreTooManyWhereTwoDirectionsAreJoined) {
  RtrsConnection both(1, {.client = 0, .place_bits = {}, .depth = {}});
  RtrsConnection one(2, {.client = 1, .place_bits = {}, .depth = {}});
  ask(both, 0, 1, 40, 12);
  ask(one, 1, 41, 40, 12);
  both.join(one);
  EXPECT_EQ(ended(both), std::pair(std::size_t{0}, std::uint64_t{80}));
}

TEST(RtrsConnection, CountsCommandsThatAreTooManyWhereTwoDirectionsAreJoined) {
  RtrsConnection both(1, {.client = 0, .place_bits = 12, .depth = {}});
  RtrsConnection one(2, {.client = 1, .place_bits = 12, .depth = {}});
  ask(both, 0, 1, 3'000, 12);
  ask(one, 1, 3'001, 3'000, 12);
  both.join(one);
  EXPECT_EQ(ended(both), std::pair(std::size_t{kMostFollowed}, std::uint64_t{6'000 - kMostFollowed}));
}

TEST(RtrsConnection, KnowsAfterJoiningHowManyWereTooManyBefore) {
  RtrsConnection both(1, {.client = 0, .place_bits = 12, .depth = {}});
  RtrsConnection one(2, {.client = 1, .place_bits = 12, .depth = {}});
  ask(one, 1, 1, kMostFollowed + 3, 12);
  both.join(one);
  EXPECT_EQ(ended(both), std::pair(std::size_t{kMostFollowed}, std::uint64_t{3}));
}

}  // namespace rocescope::rtrs_connection_test
