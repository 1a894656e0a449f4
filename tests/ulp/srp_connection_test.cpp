// Information units of SRP. Expectations come from the layouts of T10 SRP r16a, as Linux has them (include/scsi/srp.h), and
// of SPC-6.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "dissectors/message.hpp"
#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/srp/srp_message.hpp"
#include "rocescope/headers/srp.hpp"
#include "support/command_stream.hpp"
#include "support/rounds.hpp"
#include "ulp/guess.hpp"

namespace rocescope::srp_connection_test {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;

void put(Buffer& message, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) message[at + i] = static_cast<std::uint8_t>(value >> (8 * (size - 1 - i)));
}

void add_descriptor(Buffer& message, std::uint64_t address, std::uint32_t key, std::uint32_t length) {
  const std::size_t at = message.size();
  message.resize(at + 16);
  put(message, at, address, 8);
  put(message, at + 8, key, 4);
  put(message, at + 12, length, 4);
}

/// Without data.
Buffer command(std::uint64_t tag, std::uint8_t operation) {
  Buffer message(48);
  message[0] = 0x02;
  put(message, 8, tag, 8);
  message[21] = 3;  // LUN
  message[32] = operation;
  return message;
}

/// 8 blocks from block 4096 of LUN 3.
Buffer read_command(std::uint64_t tag, std::uint32_t key = 0x77) {
  Buffer message = command(tag, 0x28);
  message[5] = 0x01;
  put(message, 34, 4096, 4);
  put(message, 39, 8, 2);
  add_descriptor(message, 0x1000, key, 4096);
  return message;
}

Buffer response(std::uint64_t tag, std::uint8_t status = 0, Bytes sense = {}) {
  Buffer message(36);
  message[0] = 0xC1;
  message[7] = 1;  // credits
  put(message, 8, tag, 8);
  message[18] = sense.empty() ? 0 : 2;
  message[19] = status;
  put(message, 28, sense.size(), 4);
  message.insert(message.end(), sense.begin(), sense.end());
  return message;
}

Buffer task_response(std::uint64_t tag, std::uint8_t code) {
  Buffer message = response(tag);
  message[18] = 1;
  put(message, 32, 4, 4);
  message.insert(message.end(), {0, 0, 0, code});
  return message;
}

Buffer task(std::uint64_t tag, std::uint8_t function, std::uint64_t about) {
  Buffer message(48);
  message[0] = 0x01;
  put(message, 8, tag, 8);
  message[30] = function;
  put(message, 32, about, 8);
  return message;
}

/// 16 bytes.
Buffer short_unit(std::uint8_t opcode, std::uint64_t tag, std::uint32_t word = 0) {
  Buffer message(16);
  message[0] = opcode;
  put(message, 4, word, 4);
  put(message, 8, tag, 8);
  return message;
}

/// Enough for the form of its messages to tell what the connection carries.
void begin(CommandStream& stream) {
  for (std::uint64_t tag = 1; tag < 5; ++tag) {
    stream.send(0, read_command(tag));
    stream.send(1, response(tag));
  }
}

Buffer rdma_login() {
  Buffer login(56);
  put(login, 8, 0x0006, 2);
  login[10] = 0x80;
  put(login, 12, 8260, 4);
  put(login, 24, 0x1112'1314'1516'1718, 8);
  put(login, 32, 0x2122'2324'2526'2728, 8);
  put(login, 40, 0x3132'3334'3536'3738, 8);
  put(login, 48, 68, 2);
  return login;
}

TEST(SrpConnection, KnowsCommandsByTheirForm) {
  CommandStream stream(0x100);
  begin(stream);
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kSrp);
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

TEST(SrpConnection, IsNotBelievedAfterAFewMessages) {
  CommandStream stream(0x100);
  for (std::uint64_t tag = 1; tag < 3; ++tag) {
    stream.send(0, read_command(tag));
    stream.send(1, response(tag));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

// Tags have 64 bits, of which a target may use those on top alone.
TEST(SrpConnection, TellsTagsApartByAllTheirBits) {
  CommandStream stream(0x100);
  for (std::uint64_t tag = 1; tag < 5; ++tag) stream.send(0, read_command(tag << 56U));
  for (std::uint64_t tag = 1; tag < 5; ++tag) stream.send(1, response(tag << 56U));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(report.commands[i].id, std::uint64_t{i + 1} << 56U);
    EXPECT_EQ(report.commands[i].outcome, CommandOutcome::kSucceeded);
  }
}

TEST(SrpConnection, TiesDataToCommandsByDirectDescriptors) {
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

TEST(SrpConnection, TiesDataToCommandsByTablesOfDescriptors) {
  CommandStream stream(0x100);
  begin(stream);
  Buffer read = command(9, 0x28);
  read[5] = 0x02;
  read[7] = 2;         // descriptors
  read[31] = 4 << 2U;  // four words of CDB more
  read.resize(64);
  add_descriptor(read, 0x9000, 0x55, 32);       // of the table
  read.insert(read.end(), {0, 0, 0x10, 0x00});  // all data
  add_descriptor(read, 0x1000, 0x99, 1024);
  add_descriptor(read, 0x8000, 0x98, 3072);
  stream.send(0, read);
  stream.write(1, 0x1000, 0x99, Buffer(512));
  stream.write(1, 0x8100, 0x98, Buffer(256));
  stream.write(1, 0x8100, 0x99, Buffer(128));  // the key of another descriptor
  stream.send(1, response(9));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 5U);
  EXPECT_EQ(report.commands[4].bytes, 4096U);
  EXPECT_EQ(report.commands[4].data_bytes, 768U);
}

// Of a table of which only the first descriptor is in the command.
TEST(SrpConnection, TiesDataToDescriptorsThatTheTargetReads) {
  CommandStream stream(0x100);
  begin(stream);
  Buffer read = command(9, 0x28);
  read[5] = 0x02;
  read[7] = 1;
  add_descriptor(read, 0x9000, 0x55, 48);
  read.insert(read.end(), {0, 0, 0x10, 0x00});
  add_descriptor(read, 0x1000, 0x99, 1024);
  stream.send(0, read);
  Buffer table;
  add_descriptor(table, 0x1000, 0x99, 1024);
  add_descriptor(table, 0x8000, 0x98, 2048);
  add_descriptor(table, 0xA000, 0x97, 1024);
  stream.read(1, 0x9000, 0x55, table);
  stream.write(1, 0x1000, 0x99, Buffer(512));
  stream.write(1, 0x8100, 0x98, Buffer(256));
  stream.write(1, 0xA000, 0x97, Buffer(128));
  stream.write(1, 0xA000, 0x96, Buffer(64));  // of no descriptor
  stream.send(1, response(9));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 5U);
  EXPECT_EQ(report.commands[4].bytes, 4096U);
  EXPECT_EQ(report.commands[4].data_bytes, 896U);  // the table is none of the data
}

TEST(SrpConnection, KnowsDataThatComeWithTheCommand) {
  CommandStream stream(0x100);
  begin(stream);
  Buffer write = command(9, 0x2A);
  write[5] = 0x30;
  write.resize(68 + 512);
  put(write, 48, 512, 4);
  EXPECT_TRUE(has_form_of_srp(write, write.size()));
  stream.send(0, write);
  stream.send(1, response(9));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 5U);
  EXPECT_TRUE(report.commands[4].in_capsule);
  EXPECT_EQ(report.commands[4].bytes, 512U);
}

TEST(SrpConnection, ReadsSenseOfBothForms) {
  CommandStream stream(0x100);
  begin(stream);
  const Buffer fixed{0x70, 0, 3, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0};
  stream.send(0, read_command(9));
  stream.send(1, response(9, 2, fixed));
  const Buffer descriptors{0x72, 5, 0x20, 0, 0, 0, 0, 0};
  stream.send(0, read_command(10));
  stream.send(1, response(10, 2, descriptors));
  stream.send(0, read_command(11));
  stream.send(1, response(11, 0x28));
  const Buffer attention{0x70, 0, 6, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x29, 0, 0, 0, 0, 0};
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

// Sense data stand behind response data.
TEST(SrpConnection, FindsSenseBehindResponseData) {
  Buffer both = response(9, 2, Buffer{0x70, 0, 3, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x11, 0});
  both[18] = 3;
  put(both, 32, 4, 4);
  both.insert(both.begin() + 36, {0, 0, 0, 0});
  const auto message = srp_message_of(both);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->status, 0x0311'0002U);
}

// What the capture cut off is not known; where there is none, the target gave no reason.
TEST(SrpConnection, TellsSenseThatWasCutFromNone) {
  const Buffer sense{0x70, 0, 3, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x11, 0};
  const Buffer whole = response(9, 2, sense);
  for (std::size_t size = 16; size <= whole.size(); ++size) {
    const auto message = srp_message_of(Bytes(whole).first(size));
    ASSERT_TRUE(message);
    EXPECT_EQ(message->status.has_value(), size >= 20) << size;
    EXPECT_EQ(message->sense_is_cut, size >= 20 && size < 36 + 3) << size;
    EXPECT_EQ(message->status.value_or(0) >> 24U, size >= 36 + 3 ? 3U : 0U) << size;
  }
  const auto none = srp_message_of(response(9, 2));
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->sense_is_cut);

  CommandStream stream(0x100);
  begin(stream);
  stream.send(0, read_command(9));
  stream.send(1, response(9, 2));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 5U);
  EXPECT_FALSE(report.commands[4].is_answer);
  EXPECT_EQ(report.commands[4].status_name, "Check Condition");
}

TEST(SrpConnection, NamesTasksCreditsEventsAndLogouts) {
  CommandStream stream(0x100);
  begin(stream);
  stream.send(0, read_command(20));
  stream.send(0, task(21, 0x01, 20));
  stream.send(1, task_response(21, 0));
  stream.send(0, task(22, 0x08, 0));
  stream.send(1, task_response(22, 5));
  stream.send(1, short_unit(0x81, 0x30, 7));
  stream.send(0, short_unit(0x41, 0x30));
  Buffer event(36);
  event[0] = 0x82;
  put(event, 8, 0x31, 8);
  stream.send(1, event);
  stream.send(0, short_unit(0x42, 0x31));
  stream.send(1, short_unit(0x80, 0x32, 2));
  stream.send(0, short_unit(0x03, 0x33));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].unreadable, 0U);
  const auto named = [&](std::string_view operation) {
    return *std::ranges::find(report.commands, operation, &Command::operation);
  };
  EXPECT_EQ(named("Abort Task").kind, CommandKind::kTask);
  EXPECT_EQ(named("Abort Task").outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(named("Logical Unit Reset").status_name, "task management function failed");
  EXPECT_EQ(named("Credit Request").initiator, 1U);
  EXPECT_EQ(named("Credit Request").outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(named("Asynchronous Event Request").outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(named("Target Logout").detail, "invalid type of information unit");
  EXPECT_EQ(named("Initiator Logout").initiator, 0U);
  const auto aborted = std::ranges::find(report.commands, CommandOutcome::kOutstanding, &Command::outcome);
  ASSERT_NE(aborted, report.commands.end());
  EXPECT_EQ(aborted->id, 20U);
  EXPECT_EQ(aborted->detail, "Abort Task");
}

TEST(SrpConnection, KnowsTheLoginOfTheCm) {
  const Buffer login = rdma_login();
  const auto known = srp_login_of(login);
  ASSERT_TRUE(known);
  EXPECT_EQ(srp_port_text(known->initiator_port), "0x00000000000000001112131415161718");
  EXPECT_EQ(srp_port_text(known->target_port), "0x21222324252627283132333435363738");
  EXPECT_TRUE(srp_login_of(Bytes(login).first(50)));  // the zeros at its end are left out

  Buffer plain(64);
  put(plain, 16, 8260, 4);
  put(plain, 24, 0x0002, 2);
  put(plain, 32, 0xAB, 1);
  ASSERT_TRUE(srp_login_of(plain));
  EXPECT_EQ(srp_port_text(srp_login_of(plain)->initiator_port), "0xab000000000000000000000000000000");

  Handshake handshake;
  handshake.kind = HandshakeKind::kCm;
  handshake.service_id = 0x0106'15B3;
  handshake.sides[0].private_data = login;
  EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kSrp);
  EXPECT_EQ(guess_by_handshake(handshake).by, KnownBy::kPrivateData);
  for (const std::size_t reserved : {11U, 50U, 55U}) {
    handshake.sides[0].private_data = login;
    handshake.sides[0].private_data[reserved] = 1;
    EXPECT_NE(guess_by_handshake(handshake).protocol, UpperProtocol::kSrp) << reserved;
  }

  Buffer accepted(52);
  accepted[0] = 0xC0;
  put(accepted, 4, 128, 4);
  put(accepted, 16, 8276, 4);
  put(accepted, 20, 8260, 4);
  put(accepted, 24, 0x0006, 2);
  EXPECT_EQ(srp_credits_of(accepted), 128U);
  Buffer refused(32);
  refused[0] = 0xC2;
  put(refused, 4, 0x0001'0006, 4);
  EXPECT_EQ(srp_reject_reason_of(refused), 0x0001'0006U);
  EXPECT_FALSE(srp_credits_of(refused));
  EXPECT_FALSE(srp_reject_reason_of(accepted));
}

TEST(SrpConnection, ShowsLayersOfACommand) {
  Buffer write = command(9, 0x2A);
  write[5] = 0x20;
  write[6] = 2;
  write[31] = 2 << 2U;  // two words of CDB more
  write.resize(56);
  add_descriptor(write, 0x9000, 0x55, 32);
  write.insert(write.end(), {0, 0, 0x10, 0x00});
  add_descriptor(write, 0x1000, 0x99, 1024);
  add_descriptor(write, 0x8000, 0x98, 3072);
  const Buffer frame(64);
  for (std::size_t size = 0; size <= write.size(); ++size) {  // reads nothing behind what is there
    const Buffer cut(write.begin(), write.begin() + static_cast<std::ptrdiff_t>(size));
    Packet packet;
    dissect({.data = frame, .original_length = 64}, packet);
    dissect_message(MessageProtocol::kSrp, cut, packet);
    EXPECT_EQ(packet.find(HeaderKind::kSrpCommand) != nullptr, size >= 32) << size;
    EXPECT_EQ(packet.find(HeaderKind::kScsiCdb) != nullptr, size >= 48) << size;
    EXPECT_EQ(packet.find(HeaderKind::kSrpTable) != nullptr, size >= 76) << size;
    const Layer* const descriptors = packet.find(HeaderKind::kSrpDescriptor);
    EXPECT_EQ(descriptors == nullptr ? 0 : descriptors->length, size < 92 ? 0U : size < 108 ? 16U : 32U) << size;
  }
}

TEST(SrpConnection, BelievesNoLengthThatLies) {
  CommandStream stream(0x100);
  for (std::uint64_t tag = 1; tag < 20; ++tag) {
    Buffer lying = read_command(tag);
    lying[5] = 0x02;
    lying[7] = 200;
    stream.send(0, lying);
    stream.send(1, response(tag));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

// What begins as each type does, and has random bytes behind it, of the lengths that each has.
TEST(SrpConnection, DoesNotBelieveRandomBytesBehindRightOnes) {
  std::mt19937 random(1);
  constexpr std::uint8_t kTypes[] = {0x01, 0x02, 0x03, 0x41, 0x42, 0x80, 0x81, 0x82, 0xC1};
  constexpr std::size_t kSizes[] = {16, 36, 40, 48, 64, 128};
  for (std::uint32_t each = 0; each < testing::rounds(3'000); ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 12; ++i) {
      Buffer bytes(kSizes[random() % std::size(kSizes)]);
      std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
      bytes[0] = kTypes[random() % std::size(kTypes)];
      stream.send(random() % 2, bytes);
    }
    EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
  }
}

// Of one side alone as well, where no response tells that they are none.
TEST(SrpConnection, DoesNotBelieveOtherMessagesOfTheSameLengths) {
  std::mt19937 random(2);
  for (std::uint32_t each = 0; each < testing::rounds(1'000); ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 20; ++i) {
      Buffer bytes(i % 2 == 0 ? 64 : 36);
      std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
      std::fill_n(bytes.begin(), 8, std::uint8_t{0});
      bytes[0] = i % 2 == 0 ? 0x02 : 0xC1;
      stream.send(0, bytes);
    }
    EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
  }
}

}  // namespace rocescope::srp_connection_test
