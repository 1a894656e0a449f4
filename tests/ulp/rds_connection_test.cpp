// Datagrams of RDS. Layouts: Linux' net/rds/rds.h.
#include "ulp/rds/rds_connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "dissectors/message.hpp"
#include "dissectors/ulp/forms.hpp"
#include "rocescope/headers/rds.hpp"
#include "support/command_stream.hpp"
#include "support/rds_message.hpp"

namespace rocescope::rds_connection_test {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;
using testing::rds;
using testing::rds_message;
using testing::RdsText;

constexpr std::uint32_t kKey = 0x1234;
const Buffer kAsksForRdma{3, 0, 0, 0x12, 0x34, 0, 0, 0x0F, 0x50};
const Buffer kDidRdma{2, 0, 0, 0x12, 0x34};

/// A stream that is believed: it begins with datagrams of its own.
class Stream : public CommandStream {
 public:
  Stream() : CommandStream(0x100) {
    for (std::uint32_t i = 0; i < 8; ++i) send(i % 2, rds(i + 1, 64));
  }
  /// What the datagrams after those are found to be.
  [[nodiscard]] std::vector<Command> commands() const {
    const CommandReport report = follow_commands(frames());
    std::vector<Command> commands;
    for (const Command& each : report.commands) {
      if (each.operation != "Datagram" || each.id > 8) commands.push_back(each);
    }
    return commands;
  }
};

TEST(RdsConnection, IsKnownBySeveralDatagrams) {
  const CommandReport report = follow_commands(Stream().frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kRds);
  EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
  EXPECT_EQ(report.carried[0].commands, 8U);
  ASSERT_EQ(report.commands.size(), 8U);
  EXPECT_EQ(report.commands[0].operation, "Datagram");
  EXPECT_EQ(report.commands[0].outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(report.commands[0].detail, "port 4000 to 4001");
  EXPECT_EQ(report.commands[0].bytes, 64U);
  EXPECT_TRUE(report.commands[0].acknowledged);
  EXPECT_FALSE(report.commands[0].times());
}

TEST(RdsConnection, IsNotBelievedByFewOrEqualDatagrams) {
  CommandStream few(0x100);
  for (std::uint32_t i = 0; i < 7; ++i) few.send(i % 2, rds(i + 1, 64));
  EXPECT_TRUE(follow_commands(few.frames()).carried.empty());
  CommandStream equal(0x100);
  for (std::uint32_t i = 0; i < 12; ++i) equal.send(i % 2, rds(1, 64));
  EXPECT_TRUE(follow_commands(equal.frames()).carried.empty());
}

TEST(RdsConnection, PutsFragmentsTogether) {
  Stream stream;
  for (const std::size_t size : {4096U, 4096U, 1000U})
    stream.send(0, rds_message({.sequence = 20, .length = 9192, .extensions = {}, .data = Buffer(size)}));
  const auto commands = stream.commands();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(commands[0].id, 20U);
  EXPECT_EQ(commands[0].bytes, 9192U);
  EXPECT_EQ(commands[0].outcome, CommandOutcome::kSucceeded);
}

// What is not seen whole is not said to have arrived; and what follows is right all the same.
TEST(RdsConnection, SaysNothingOfDatagramsThatAreNotWhole) {
  for (const std::size_t missing : {0U, 1U, 2U}) {
    Stream stream;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != missing)
        stream.send(
            0, rds_message({.sequence = 20, .length = 9192, .extensions = {}, .data = Buffer(i < 2 ? 4096 : 1000)}));
    }
    stream.send(0, rds(21, 100));
    const auto commands = stream.commands();
    ASSERT_EQ(commands.size(), 2U) << missing;
    EXPECT_EQ(commands[0].id, 20U);
    EXPECT_EQ(commands[0].outcome, CommandOutcome::kOutstanding) << missing;
    EXPECT_EQ(commands[1].id, 21U);
    EXPECT_EQ(commands[1].outcome, CommandOutcome::kSucceeded);
  }
}

TEST(RdsConnection, TiesRdmaByItsKey) {
  Stream stream;
  stream.send(0, rds_message({.sequence = 20, .length = 8, .extensions = kAsksForRdma, .data = Buffer(8)}));
  stream.write(1, 0x0F50, kKey, Buffer(512));
  stream.write(1, 0x0F50, kKey + 1, Buffer(100));  // other memory
  stream.send(1, rds_message({.sequence = 21, .length = 8, .extensions = kDidRdma, .data = Buffer(8)}));
  auto commands = stream.commands();
  std::erase_if(commands, [](const Command& each) { return each.operation != "RDMA"; });
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(commands[0].outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(commands[0].id, kKey);
  EXPECT_EQ(commands[0].offset, 0x0F50U);
  EXPECT_EQ(commands[0].data_bytes, 512U);
  EXPECT_EQ(commands[0].initiator, 0U);
  ASSERT_TRUE(commands[0].times());
}

TEST(RdsConnection, SaysWhichPortsAreCongested) {
  const auto detail = [](Buffer map) {
    Stream stream;
    const auto half = static_cast<std::ptrdiff_t>(map.size() / 2);
    for (const Buffer& each : {Buffer(map.begin(), map.begin() + half), Buffer(map.begin() + half, map.end())})
      stream.send(1, rds_message({.sequence = 0,
                                  .length = 8192,
                                  .source = 0,
                                  .destination = 0,
                                  .flags = 1,
                                  .extensions = {},
                                  .data = each}));
    const auto commands = stream.commands();
    return commands.size() == 1 && commands[0].operation == "Congestion map" ? commands[0].detail : "none";
  };
  Buffer map(8192);
  EXPECT_EQ(detail(map), "no port is congested");
  map[4001 / 8] = 1U << 4001 % 8U;
  EXPECT_EQ(detail(map), "1 port congested: 4001");
  map[0] = 0xFF;
  map[8191] = 0x80;
  EXPECT_EQ(detail(map), "10 ports congested: 0, 1, 2, 3, ...");
}

TEST(RdsConnection, BelievesNoChecksumThatIsWrong) {
  Buffer message = rds(7, 64);
  EXPECT_TRUE(has_form_of_rds(message, message.size()));
  ++message[7];
  EXPECT_FALSE(has_form_of_rds(message, message.size()));
}

TEST(RdsConnection, ShowsHeaders) {
  Buffer extensions = kDidRdma;
  extensions.insert(extensions.end(), kAsksForRdma.begin(), kAsksForRdma.end());
  const Buffer message = rds_message({.sequence = 7, .length = 64, .extensions = extensions, .data = Buffer(64)});
  const Buffer frame(64);
  for (std::size_t size = 0; size <= message.size(); ++size) {
    const Buffer cut(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size));
    Packet packet;
    dissect({.data = frame, .original_length = 64}, packet);
    dissect_message(MessageProtocol::kRds, cut, packet);
    const auto header = packet.header<RdsHeader>();
    ASSERT_EQ(header.has_value(), size >= 47) << size;  // up to the zero that ends the extension headers
    if (!header) continue;
    EXPECT_EQ(header->get<"rocescope.rds.sequence">(), 7U);
    EXPECT_EQ(header->get<"rocescope.rds.len">(), 64U);
    EXPECT_EQ(header->get<"rocescope.rds.sport">(), 4000U);
    EXPECT_EQ(header->get<"rocescope.rds.dport">(), 4001U);
    EXPECT_EQ(packet.header<RdsRdma>()->get<"rocescope.rds.rdma.r_key">(), kKey);
    EXPECT_EQ(packet.header<RdsRdmaDestination>()->get<"rocescope.rds.rdma_dest.offset">(), 0x0F50U);
    EXPECT_EQ(packet.header<RdsExtensionEnd>().has_value(), size >= 48);
  }
}

// An extension header that is not known, or that does not fit, hides what is behind it, and nothing else.
TEST(RdsConnection, StopsAtExtensionHeadersThatItDoesNotKnow) {
  for (const Buffer& extensions :
       {Buffer{4, 3, 0, 0, 0x12, 0x34, 0, 0, 0, 0}, Buffer{2, 0, 0, 0, 1, 2, 0, 0, 0, 1, 3, 0, 0, 0x12, 0x34, 0}}) {
    const Buffer message = rds_message({.length = 8, .extensions = extensions, .data = Buffer(8)});
    const auto found = rds_message_of(message, message.size());
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->to_use);
    Packet packet;
    const Buffer frame(64);
    dissect({.data = frame, .original_length = 64}, packet);
    dissect_message(MessageProtocol::kRds, message, packet);
    const auto end = std::ranges::find(packet.layers(), HeaderKind::kRdsExtensionEnd, &Layer::kind);
    ASSERT_NE(end, packet.layers().end());
    EXPECT_EQ(end->offset + end->length, 48U);
  }
}

class Counted final : public CommandSink {
 public:
  void add(Command&& /*command*/, bool /*counts*/) override { ++commands; }
  void add(const SideEvent& /*event*/) override {}

  std::uint64_t commands = 0;
};

/// `side` sends so many datagrams, numbered from `first`, and the first fragment of another one.
void send_datagrams(RdsConnection& followed, std::size_t side, std::uint32_t first, std::uint32_t count) {
  const Connection connection;
  Counted commands;
  Packet packet;
  PacketRecord record;
  record.packet = &packet;
  for (std::uint32_t sequence = first; sequence <= first + count; ++sequence) {
    constexpr std::uint32_t kFragment = 4'096;
    const bool is_last = sequence == first + count;
    const Buffer message = rds_message({.sequence = sequence,
                                        .length = is_last ? 2 * kFragment : 64,
                                        .extensions = {},
                                        .data = Buffer(is_last ? kFragment : 64)});
    SendPayload payload{.record = &record, .connection = &connection, .sender = side};
    payload.bytes = message;
    payload.length = message.size();
    EXPECT_EQ(followed.observe(payload, commands), MessageProtocol::kRds);
  }
  EXPECT_EQ(commands.commands, 0U);
}

TEST(RdsConnection, CountsDatagramsThatAreTooManyWhereTwoDirectionsAreJoined) {
  RdsConnection both(1);
  RdsConnection one(2);
  send_datagrams(both, 0, 1, 200);
  send_datagrams(one, 1, 1'001, 200);
  both.join(one);
  Counted reported;
  both.finish(reported);
  CarriedProtocol carried;
  both.describe(carried);
  EXPECT_EQ(carried.commands, 402U);
  EXPECT_EQ(reported.commands, 257U);
  EXPECT_EQ(carried.unfollowed, 145U);
}

}  // namespace rocescope::rds_connection_test
