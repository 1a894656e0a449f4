// The data of commands of NVMe over Fabrics. Expectations come from the layouts of NVMe Base 2.0 and NVMe over Fabrics 1.1a.
#include "ulp/nvme/nvme_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dissectors/message.hpp"
#include "rocescope/headers/nvme/data.hpp"
#include "support/command_stream.hpp"

namespace rocescope::nvme_data_test {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;

constexpr std::uint32_t kKey = 0x77;
constexpr std::uint32_t kAddress = 0x1000;
const std::vector<DecodeAs> kAsNvme{{.connection = 1, .protocol = UpperProtocol::kNvme}};

void put_little_endian(Buffer& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// `length` bytes at kAddress.
Buffer command(std::uint8_t opcode, std::uint8_t id, std::uint32_t length) {
  Buffer capsule(64);
  capsule[0] = opcode;
  capsule[1] = 0x40;
  capsule[2] = id;
  put_little_endian(capsule, 24, kAddress, 8);
  put_little_endian(capsule, 32, length, 3);
  put_little_endian(capsule, 35, kKey, 4);
  capsule[39] = 0x40;
  return capsule;
}

Buffer fabrics(std::uint8_t type, std::uint8_t id, std::uint32_t length) {
  Buffer capsule = command(0x7F, id, length);
  capsule[4] = type;
  return capsule;
}

Buffer response(std::uint8_t id) {
  Buffer capsule(16);
  capsule[12] = id;
  return capsule;
}

Buffer connect(std::uint8_t id) { return fabrics(0x01, id, 1024); }

constexpr std::uint8_t kSend = 0x05;
constexpr std::uint8_t kReceive = 0x06;

// AUTH_Failure1, which the target writes: reason 1, explanation 1. The status of the command is that of success.
TEST(NvmeData, AuthenticationFailsThoughItsCommandSucceeds) {
  CommandStream stream(0x100);
  stream.send(0, fabrics(kReceive, 1, 4096));
  stream.write(1, kAddress, kKey, Buffer{0, 0xF1, 0, 0, 5, 0, 1, 1});
  stream.send(1, response(1));
  const CommandReport report = follow_commands(stream.frames(), kAsNvme);
  ASSERT_EQ(report.commands.size(), 1U);
  const Command found = report.commands[0];
  EXPECT_EQ(found.outcome, CommandOutcome::kFailed);
  EXPECT_EQ(found.kind, CommandKind::kConnect);
  EXPECT_EQ(found.status, 0U);
  EXPECT_EQ(found.status_name, "Authentication failed");
  EXPECT_EQ(found.detail, "AUTH_Failure1");
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures[0].commands, 1U);
  EXPECT_EQ(report.carried[0].failed, 1U);
}

// The target reads AUTH_Failure2, and ends the connection without a response.
TEST(NvmeData, AuthenticationFailsWithoutAResponse) {
  CommandStream stream(0x100);
  stream.send(0, fabrics(kSend, 1, 8));
  stream.read(1, kAddress, kKey, {0, 0xF0, 0, 0, 5, 0, 1, 4});
  const CommandReport report = follow_commands(stream.frames(), kAsNvme);
  ASSERT_EQ(report.commands.size(), 1U);
  const Command found = report.commands[0];
  EXPECT_EQ(found.outcome, CommandOutcome::kFailed);
  EXPECT_EQ(found.status_name, "Hash function not usable");
  EXPECT_EQ(report.failures.size(), 1U);
}

// Hosts have room for the longest message.
TEST(NvmeData, AuthenticationFailsInAMessageShorterThanItsBuffer) {
  CommandStream stream(0x100);
  stream.send(0, fabrics(kReceive, 1, 4096));
  stream.write(1, kAddress, kKey, Buffer{0, 0xF1, 0, 0, 5, 0, 1, 1});
  const CommandReport report = follow_commands(stream.frames(), kAsNvme);
  ASSERT_EQ(report.commands.size(), 1U);
  EXPECT_EQ(report.commands[0].outcome, CommandOutcome::kFailed);
}

TEST(NvmeData, ReasonsAreCountedApart) {
  CommandStream stream(0x100);
  for (std::uint8_t id = 1; id <= 3; ++id) {
    stream.send(0, fabrics(kReceive, id, 4096));
    stream.write(1, kAddress, kKey, Buffer{0, 0xF1, 0, 0, 5, 0, 1, static_cast<std::uint8_t>(id == 1 ? 1 : 4)});
    stream.send(1, response(id));
  }
  const CommandReport report = follow_commands(stream.frames(), kAsNvme);
  ASSERT_EQ(report.failures.size(), 2U);
  EXPECT_EQ(report.failures[0].status_name, "Hash function not usable");
  EXPECT_EQ(report.failures[0].commands, 2U);
  EXPECT_EQ(report.failures[1].status_name, "Authentication failed");
}

// The data of a Connect, whose host ID begins as a failure does. Its response was not seen, and its ID is used again.
TEST(NvmeData, ACommandHasNotTheDataOfAnotherWithItsId) {
  CommandStream stream(0x100);
  stream.send(0, connect(7));
  Buffer data(1024);
  data[1] = 0xF1;
  stream.read(1, kAddress, kKey, data);
  stream.send(0, fabrics(0x00, 7, 0));  // Property Set
  stream.send(1, response(7));
  const CommandReport report = follow_commands(stream.frames(), kAsNvme);
  ASSERT_EQ(report.commands.size(), 2U);
  EXPECT_EQ(report.commands[1].operation, "Property Set");
  EXPECT_EQ(report.commands[1].outcome, CommandOutcome::kSucceeded);
  EXPECT_TRUE(report.failures.empty());
}

TEST(NvmeData, AMessageOfAuthenticationIsNamed) {
  CommandStream stream(0x100);
  Buffer in_capsule = fabrics(kSend, 1, 16);
  put_little_endian(in_capsule, 24, 0, 8);
  put_little_endian(in_capsule, 32, 16, 4);
  put_little_endian(in_capsule, 36, 0, 3);
  in_capsule[39] = 0x01;  // in the capsule
  in_capsule.resize(80);
  in_capsule[64] = 1;
  in_capsule[65] = 2;
  stream.send(0, in_capsule);
  stream.send(1, response(1));
  stream.send(0, fabrics(kReceive, 2, 4096));
  stream.write(1, kAddress, kKey, Buffer{1, 3, 0, 0, 5, 0, 0, 0});
  stream.send(1, response(2));
  const CommandReport report = follow_commands(stream.frames(), kAsNvme);
  ASSERT_EQ(report.commands.size(), 2U);
  EXPECT_EQ(report.commands[0].detail, "DH-HMAC-CHAP_Reply");
  EXPECT_EQ(report.commands[1].detail, "DH-HMAC-CHAP_Success1");
  EXPECT_TRUE(report.failures.empty());
}

/// A log page with two records, of which the second is a referral.
Buffer log_page() {
  Buffer log(3 * 1024);
  put_little_endian(log, 0, 7, 8);
  put_little_endian(log, 8, 2, 8);
  const auto put_text = [&](std::size_t at, const std::string& text) {
    std::copy(text.begin(), text.end(), log.begin() + static_cast<std::ptrdiff_t>(at));
  };
  for (const std::size_t at : {std::size_t{1024}, std::size_t{2048}}) {
    log[at] = 1;      // RDMA
    log[at + 1] = 1;  // IPv4
    log[at + 2] = at == 1024 ? 2 : 1;
    put_text(at + 32, "4420");
    put_text(at + 256, at == 1024 ? "lab" : "nqn.2014-08.org.nvmexpress.discovery");
    put_text(at + 512, "192.168.2.24");
  }
  return log;
}

/// What its bytes are, in packets of `size`.
std::vector<Buffer> packets_of(const Buffer& bytes, std::size_t size) {
  std::vector<Buffer> packets;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    packets.emplace_back(from, from + static_cast<std::ptrdiff_t>(std::min(size, bytes.size() - at)));
  }
  return packets;
}

TEST(NvmeData, DiscoveryLogPage) {
  CommandStream stream(0x100);
  stream.send(0, connect(1));  // of the admin queue
  stream.read(1, kAddress, kKey, Buffer(1024));
  stream.send(1, response(1));
  Buffer get = command(0x02, 2, 3 * 1024);
  get[40] = 0x70;
  stream.send(0, get);
  stream.write(1, kAddress, kKey, packets_of(log_page(), 1024));
  stream.send(1, response(2));
  const CommandReport report = follow_commands(stream.frames(), kAsNvme);
  ASSERT_EQ(report.commands.size(), 2U);
  EXPECT_EQ(report.commands[1].operation, "Get Log Page");
  EXPECT_EQ(report.commands[1].detail, "Discovery, 2 records");
}

// One packet with all of it, which the capture cuts anywhere: also where a record ends.
TEST(NvmeData, DiscoveryLogPageOfACutPacket) {
  CommandStream stream(0x100);
  stream.send(0, connect(1));
  stream.read(1, kAddress, kKey, Buffer(1024));
  stream.send(1, response(1));
  Buffer get = command(0x02, 2, 3 * 1024);
  get[40] = 0x70;
  stream.send(0, get);
  stream.write(1, kAddress, kKey, log_page());
  constexpr std::size_t kHeaders = 14 + 20 + 8 + 12 + 16;
  for (const std::size_t length : {0U, 1U, 15U, 16U, 1023U, 1024U, 1025U, 2047U, 2048U, 2049U, 3072U}) {
    CommandWatch watch(kAsNvme);
    Tracker tracker;
    tracker.subscribe(watch);
    Packet packet;
    for (Frame& frame : stream.frames()) {
      frame.data = frame.data.first(std::min(frame.data.size(), kHeaders + length));
      dissect(frame, packet);
      PacketRecord record;
      record.packet = &packet;
      (void)tracker.track(record);
      const CommandWatch::Layers layers = watch.take_layers();
      if (layers.record != nullptr) dissect_message(layers.protocol, layers.message, packet);
      EXPECT_NE(packet.stop.reason, StopReason::kMalformed) << length;
    }
  }
}

std::vector<HeaderKind> kinds_of(MessageProtocol protocol, Bytes message) {
  Packet packet{};
  dissect_message(protocol, message, packet);
  std::vector<HeaderKind> kinds;
  for (const Layer& layer : packet.layers()) kinds.push_back(layer.kind);
  return kinds;
}

TEST(NvmeData, LayersOfADiscoveryLogPage) {
  using enum HeaderKind;
  const Buffer log = log_page();
  EXPECT_THAT(
      kinds_of(MessageProtocol::kNvmeDiscoveryLog, log),
      ::testing::ElementsAre(kNvmeDiscoveryLog, kNvmeDiscoveryFormat, kNvmeDiscoveryRecord, kNvmeDiscoveryRecord));
  EXPECT_THAT(kinds_of(MessageProtocol::kNvmeDiscoveryLog, Bytes(log).first(16)),
              ::testing::ElementsAre(kNvmeDiscoveryLog));
  EXPECT_THAT(kinds_of(MessageProtocol::kNvmeDiscoveryRecords, Bytes(log).subspan(2048)),
              ::testing::ElementsAre(kNvmeDiscoveryRecord));
  // What it asked for is longer than the log page.
  Buffer longer = log;
  longer.resize(8 * 1024);
  EXPECT_EQ(kinds_of(MessageProtocol::kNvmeDiscoveryLog, longer).size(), 4U);
  EXPECT_EQ(kinds_of(MessageProtocol::kNvmeDiscoveryRecords, Bytes(longer).subspan(1024)).size(), 2U);
}

TEST(NvmeData, LayersOfAuthenticationHaveItsSecretsInThem) {
  const Buffer reply{1, 2, 0, 0, 5, 0, 32, 0, 1, 2, 3, 4};
  Packet packet{};
  dissect_message(MessageProtocol::kNvmeAuthMessage, reply, packet);
  ASSERT_EQ(packet.layers().size(), 1U);
  EXPECT_EQ(packet.layers()[0].length, reply.size());
}

TEST(NvmeData, TextThatIsCutIsNone) {
  const Buffer bytes{'l', 'a', 'b'};
  EXPECT_EQ(CapsuleReader(Bytes(bytes)).text(0, 256), "");
  const Buffer whole{'l', 'a', 'b', 0};
  EXPECT_EQ(CapsuleReader(Bytes(whole)).text(0, 256), "lab");
}

}  // namespace rocescope::nvme_data_test
