// PDUs of iSCSI over iSER. Expectations come from the layouts of RFC 7145, RFC 7143 and SPC-6.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "support/command_stream.hpp"
#include "support/rounds.hpp"

namespace rocescope::iser_connection_test {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;

void put(Buffer& message, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) message[at + i] = static_cast<std::uint8_t>(value >> (8 * (size - 1 - i)));
}

/// The header of iSER and a basic header segment, with data behind it that are padded.
Buffer pdu(std::uint8_t opcode, std::uint32_t tag, Bytes data = {}) {
  Buffer message(76 + (data.size() + 3) / 4 * 4);
  message[0] = 0x10;
  message[28] = opcode;
  put(message, 28 + 5, data.size(), 3);
  put(message, 28 + 16, tag, 4);
  std::ranges::copy(data, message.begin() + 76);
  return message;
}

/// 8 blocks from block 4096 of LUN 3.
Buffer read_command(std::uint32_t tag, std::uint32_t key = 0x77) {
  Buffer message = pdu(0x01, tag);
  message[0] |= 0x04;
  put(message, 16, key, 4);
  put(message, 20, 0x1000, 8);
  message[29] = 0xC1;
  message[28 + 9] = 3;
  put(message, 28 + 20, 4096, 4);
  message[60] = 0x28;  // Read(10)
  put(message, 62, 4096, 4);
  put(message, 67, 8, 2);
  return message;
}

Buffer response(std::uint32_t tag, std::uint8_t status = 0, Bytes data = {}) {
  Buffer message = pdu(0x21, tag, data);
  message[29] = 0x80;
  message[31] = status;
  return message;
}

Buffer text(std::string_view pairs) { return {pairs.begin(), pairs.end()}; }

/// Enough for the form of its messages to tell what the connection carries.
void begin(CommandStream& stream) {
  for (std::uint32_t tag = 1; tag < 5; ++tag) {
    stream.send(0, read_command(tag));
    stream.send(1, response(tag));
  }
}

TEST(IserConnection, KnowsCommandsByTheirForm) {
  CommandStream stream(0x100);
  begin(stream);
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kIser);
  EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
  EXPECT_EQ(report.carried[0].initiator, 0);
  ASSERT_EQ(report.commands.size(), 4U);
  const Command& read = report.commands[0];
  EXPECT_EQ(read.operation, "Read(10)");
  EXPECT_EQ(read.target, 3U);
  EXPECT_EQ(read.offset, 4096U);
  EXPECT_EQ(read.blocks, 8U);
  EXPECT_EQ(read.bytes, 4096U);
  EXPECT_EQ(read.kind, CommandKind::kIo);
  EXPECT_EQ(read.outcome, CommandOutcome::kSucceeded);
}

TEST(IserConnection, IsNotBelievedAfterAFewMessages) {
  CommandStream stream(0x100);
  for (std::uint32_t tag = 1; tag < 3; ++tag) {
    stream.send(0, read_command(tag));
    stream.send(1, response(tag));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(IserConnection, ReadsSenseOfBothForms) {
  CommandStream stream(0x100);
  begin(stream);
  const Buffer fixed{0, 18, 0x70, 0, 3, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0};
  stream.send(0, read_command(9));
  stream.send(1, response(9, 2, fixed));
  const Buffer descriptors{0, 8, 0x72, 5, 0x20, 0, 0, 0, 0, 0};
  stream.send(0, read_command(10));
  stream.send(1, response(10, 2, descriptors));
  stream.send(0, read_command(11));
  stream.send(1, response(11, 0x28));
  const Buffer attention{0, 18, 0x70, 0, 6, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x29, 0, 0, 0, 0, 0};
  stream.send(0, read_command(12));
  stream.send(1, response(12, 2, attention));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 8U);
  EXPECT_EQ(report.commands[4].status, 0x0311'0002U);
  EXPECT_EQ(report.commands[4].status_name, "Unrecovered Read Error");
  EXPECT_EQ(report.commands[4].detail, "Medium Error");
  EXPECT_EQ(report.commands[5].status_name, "Invalid Command Operation Code");
  EXPECT_EQ(report.commands[5].detail, "Illegal Request");
  EXPECT_EQ(report.commands[6].status_name, "Task Set Full");
  EXPECT_TRUE(report.commands[7].is_answer);
  EXPECT_FALSE(report.commands[4].is_answer);
}

TEST(IserConnection, NamesLoginsTasksPingsAndEvents) {
  CommandStream stream(0x100);
  Buffer login = pdu(0x43, 1, text(std::string_view("InitiatorName=iqn.a\0TargetName=iqn.b\0", 37)));
  login[29] = 0x87;
  stream.send(0, login);
  Buffer refused = pdu(0x23, 1);
  put(refused, 28 + 36, 0x0201, 2);
  stream.send(1, refused);
  begin(stream);
  Buffer abort = pdu(0x42, 20);
  abort[29] = 0x81;
  stream.send(0, abort);
  Buffer done = pdu(0x22, 20);
  done[30] = 1;  // there is no such task
  stream.send(1, done);
  Buffer ping = pdu(0x20, 0xFFFF'FFFF);  // of the target
  put(ping, 28 + 20, 0x55, 4);
  stream.send(1, ping);
  Buffer pong = pdu(0x40, 0xFFFF'FFFF);
  put(pong, 28 + 20, 0x55, 4);
  stream.send(0, pong);
  Buffer event = pdu(0x32, 0xFFFF'FFFF);
  event[28 + 36] = 1;
  stream.send(1, event);
  stream.send(0, read_command(30));
  Buffer rejected_header(48);
  put(rejected_header, 16, 30, 4);
  Buffer reject = pdu(0x3F, 0xFFFF'FFFF, rejected_header);
  reject[30] = 0x04;
  stream.send(1, reject);
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].initiator_name, "iqn.a");
  EXPECT_EQ(report.carried[0].target_name, "iqn.b");
  const auto named = [&](std::string_view operation) {
    return *std::ranges::find(report.commands, operation, &Command::operation);
  };
  EXPECT_EQ(named("Login").status_name, "authentication failure");
  EXPECT_EQ(named("Login").kind, CommandKind::kConnect);
  EXPECT_EQ(named("Login").detail, "operational negotiation");
  EXPECT_EQ(named("Abort Task").status_name, "task does not exist");
  EXPECT_TRUE(named("Abort Task").is_answer);
  EXPECT_EQ(named("NOP-In").initiator, 1U);
  EXPECT_EQ(named("NOP-In").outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(named("Asynchronous Message").detail, "target requests logout");
  EXPECT_FALSE(named("Asynchronous Message").times());
  EXPECT_EQ(report.commands[report.commands.size() - 1].status_name, "protocol error");
}

TEST(IserConnection, TiesDataToCommands) {
  CommandStream stream(0x100);
  begin(stream);
  stream.send(0, read_command(9, 0x99));
  stream.write(1, 0x1000, 0x99, Buffer(512));
  stream.write(1, 0x1200, 0x99, Buffer(256));
  stream.write(1, 0x2000, 0x99, Buffer(128));  // behind its 4096 bytes
  stream.send(1, response(9));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 5U);
  EXPECT_EQ(report.commands[4].data_bytes, 768U);
}

// Secrets are never shown.
TEST(IserConnection, ShowsNoKeysOfChap) {
  Buffer login = pdu(0x43, 1, text(std::string_view("AuthMethod=CHAP\0CHAP_N=user\0CHAP_R=0x1234\0", 42)));
  Packet packet;
  const Buffer frame(64);
  dissect({.data = frame, .original_length = 64}, packet);
  dissect_message(MessageProtocol::kIser, login, packet);
  std::size_t keys = 0;
  for (const Layer& layer : packet.layers()) {
    if (layer.kind != HeaderKind::kIscsiKeyValue) continue;
    ++keys;
    EXPECT_EQ(layer.length, 16U);
  }
  EXPECT_EQ(keys, 1U);
}

TEST(IserConnection, BelievesNoLengthThatLies) {
  CommandStream stream(0x100);
  for (std::uint32_t tag = 1; tag < 20; ++tag) {
    Buffer lying = read_command(tag);
    put(lying, 28 + 5, 0x10'0000, 3);
    stream.send(0, lying);
    stream.send(1, response(tag));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

// What begins as a control header does, and has random bytes behind it.
TEST(IserConnection, DoesNotBelieveRandomBytesBehindRightOnes) {
  std::mt19937 random(1);
  for (std::uint32_t each = 0; each < testing::rounds(1'000); ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 12; ++i) {
      Buffer bytes(128);
      std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
      bytes[0] = 0x10;
      std::fill(bytes.begin() + 1, bytes.begin() + 28, std::uint8_t{0});
      stream.send(random() % 2, bytes);
    }
    EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
  }
}

}  // namespace rocescope::iser_connection_test
