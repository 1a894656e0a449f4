// What connections carry. Expectations come from tshark, from the kernel's traces, and from the sizes that the specification gives.
#include "ulp/command_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "rocescope/tracker.hpp"
#include "support/command_stream.hpp"
#include "support/pcap_walker.hpp"
#include "support/rounds.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;
using testing::PcapWalker;

const std::string kCaptureFolder = rocescope::testing::source_dir() + "/captures/";

/// The frames, each cut to `length` bytes.
std::vector<Frame> cut(std::vector<Frame> frames, std::size_t length) {
  for (Frame& frame : frames) frame.data = frame.data.first(std::min(length, frame.data.size()));
  return frames;
}

Buffer command(std::uint16_t id) {
  Buffer capsule(64);
  capsule[0] = 0x02;  // Read
  capsule[1] = 0x40;
  capsule[2] = static_cast<std::uint8_t>(id);
  capsule[3] = static_cast<std::uint8_t>(id >> 8U);
  capsule[4] = 1;
  capsule[33] = 0x10;  // 4096 bytes
  capsule[39] = 0x40;
  return capsule;
}

Buffer response(std::uint16_t id) {
  Buffer capsule(16);
  capsule[10] = 1;
  capsule[12] = static_cast<std::uint8_t>(id);
  capsule[13] = static_cast<std::uint8_t>(id >> 8U);
  return capsule;
}

TEST(CommandWatch, KnowsTheQueuesByTheCm) {
  const PcapWalker capture(kCaptureFolder + "nvme.pcapng");
  const CommandReport report = follow_commands(capture.frames());
  ASSERT_EQ(report.carried.size(), 2U);
  const CarriedProtocol& admin = report.carried[0];
  EXPECT_EQ(admin.protocol, UpperProtocol::kNvme);
  EXPECT_EQ(admin.known_by, KnownBy::kMessages);
  EXPECT_EQ(admin.initiator, 0);
  EXPECT_EQ(admin.queue, 0U);
  EXPECT_EQ(admin.depth, 32U);
  // tshark: nvme.fabrics.cmd.connect.data
  EXPECT_EQ(admin.target_name, "lab");
  EXPECT_EQ(admin.initiator_name, "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000000");
  EXPECT_EQ(admin.keep_alive_ms, 5000U);
  EXPECT_EQ(report.carried[1].queue, 1U);
  EXPECT_EQ(report.carried[1].depth, 16U);
  EXPECT_EQ(admin.unreadable + report.carried[1].unreadable, 0U);
}

TEST(CommandWatch, ReadsWhatCutPacketsHave) {
  const PcapWalker capture(kCaptureFolder + "nvme.pcapng");
  const auto operations = [](const CommandReport& report) {
    std::vector<std::pair<std::string, std::uint64_t>> found;
    for (const Command& each : report.commands) found.emplace_back(each.operation, each.bytes);
    std::ranges::sort(found);
    return found;
  };
  const CommandReport whole = follow_commands(capture.frames());
  const CommandReport part = follow_commands(cut(capture.frames(), 96));  // 42 bytes of each capsule
  EXPECT_EQ(operations(part), operations(whole));
  const auto has_offset = [](const Command& each) { return each.offset.has_value(); };
  EXPECT_TRUE(std::ranges::any_of(whole.commands, has_offset));
  EXPECT_TRUE(std::ranges::none_of(part.commands, has_offset));
}

TEST(CommandWatch, KnowsCommandsByTheirForm) {
  CommandStream stream(0x100);
  for (std::uint16_t id = 0; id < 4; ++id) {
    stream.send(0, command(id));
    stream.send(1, response(id));
  }
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
  EXPECT_EQ(report.carried[0].queue, 1U);
  EXPECT_EQ(report.commands.size(), 4U);
  EXPECT_EQ(report.commands[0].operation, "Read");
  EXPECT_EQ(report.commands[0].bytes, 4096U);
}

TEST(CommandWatch, DoesNotBelieveAFewMessages) {
  CommandStream stream(0x100);
  for (std::uint16_t id = 0; id < 2; ++id) {
    stream.send(0, command(id));
    stream.send(1, response(id));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(CommandWatch, DoesNotBelieveAConnectionThatSendsOtherMessagesToo) {
  CommandStream stream(0x100);
  stream.send(0, command(1));
  stream.send(1, Buffer(100, 0x5A));
  for (std::uint16_t id = 0; id < 20; ++id) {
    stream.send(0, command(id));
    stream.send(1, response(id));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

/// A call of NFS 3 (RFC 8166, 4.1; RFC 5531, 9), or the reply to it.
Buffer rpc(std::uint8_t xid, bool reply) {
  Buffer message(28 + (reply ? 24 : 40));
  message[3] = message[31] = xid;
  message[7] = 1;    // RPC-over-RDMA 1
  message[11] = 32;  // credits
  message[35] = reply ? 1 : 0;
  if (reply) return message;
  message[39] = 2;  // RPC 2
  message[41] = 1;  // 100003
  message[42] = 0x86;
  message[43] = 0xA3;
  message[47] = 3;
  message[51] = 1;  // GETATTR
  return message;
}

TEST(CommandWatch, AsksAgainWhenAConnectionCarriesAnotherProtocol) {
  CommandStream stream(0x100);
  for (std::uint16_t id = 0; id < 8; ++id) {
    stream.send(0, command(id));
    stream.send(1, response(id));
  }
  for (std::uint8_t xid = 1; xid < 40; ++xid) {
    stream.send(0, rpc(xid, false));
    stream.send(1, rpc(xid, true));
  }
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 2U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kNvme);
  EXPECT_EQ(report.carried[0].commands, 8U);
  EXPECT_EQ(report.carried[1].protocol, UpperProtocol::kNfs);
  EXPECT_GT(report.carried[1].commands, 20U);
}

// The first bytes of a message that is all zeros are those of a response.
TEST(CommandWatch, DoesNotBelieveAnApplicationThatSendsTheSameBytesAgainAndAgain) {
  CommandStream stream(0x100);
  for (std::size_t i = 0; i < 40; ++i) stream.send(0, Buffer(16));
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(CommandWatch, KnowsOneDirectionByItself) {
  CommandStream stream(0x100);
  for (std::uint16_t id = 0; id < 10; ++id) stream.send(0, command(id));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].commands, 10U);
}

TEST(CommandWatch, TakesTheUsersWord) {
  CommandStream stream(0x100);
  stream.send(0, command(1));
  EXPECT_EQ(follow_commands(stream.frames(), {{.connection = 1, .protocol = UpperProtocol::kNvme}}).commands.size(),
            1U);
  for (std::uint16_t id = 2; id < 20; ++id) {
    stream.send(0, command(id));
    stream.send(1, response(id));
  }
  EXPECT_TRUE(
      follow_commands(stream.frames(), {{.connection = 1, .protocol = UpperProtocol::kUnknown}}).carried.empty());
}

// What perftest and others send: 10,000 connections with random bytes in messages of the sizes that the protocols have.
TEST(CommandWatch, TakesNoRandomStreamForAProtocol) {
  constexpr std::uint32_t kStreams = testing::rounds(10'000);
  constexpr std::size_t kMessages = 12;
  constexpr std::array<std::size_t, 12> kSizes{16, 64, 16, 72, 28, 128, 76, 20, 32, 44, 48, 23};
  std::mt19937 random(1);
  CommandWatch watch;
  Tracker tracker;
  tracker.subscribe(watch);
  Packet packet;
  std::uint64_t number = 0;
  for (std::uint32_t each = 0; each < kStreams; ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < kMessages; ++i) {
      Buffer bytes(kSizes[random() % kSizes.size()]);
      std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
      if (each % 10 == 0) std::ranges::fill(bytes, static_cast<std::uint8_t>(each / 10));  // perftest's buffers as well
      stream.send(random() % 2, bytes);
    }
    for (Frame& frame : stream.frames()) {
      frame.number = ++number;
      dissect(frame, packet);
      PacketRecord record;
      record.packet = &packet;
      (void)tracker.track(record);
      EXPECT_EQ(watch.take_layers().protocol, MessageProtocol::kUnknown);
    }
  }
  watch.finish();
  const CommandReport report = watch.take();
  EXPECT_TRUE(report.carried.empty());
  EXPECT_TRUE(report.commands.empty());
}

/// What rsockets writes to offer a buffer (librdmacm, struct rs_sge): address, R_Key and length.
Buffer offer_of(std::uint32_t address, std::uint8_t r_key) {
  Buffer offer(16);
  for (std::size_t i = 0; i < 4; ++i) offer[i] = static_cast<std::uint8_t>(address >> (8 * i));
  offer[8] = r_key;
  offer[13] = 0x40;  // 16 kB
  return offer;
}
constexpr std::uint32_t kOfferOf = 0x8000'0180;  // the immediate data with it

TEST(CommandWatch, KnowsRsocketsByTheBuffersThatAreOffered) {
  for (const std::size_t data : {7U, 8U}) {
    CommandStream stream(0x100);
    stream.write(1, 0x7000, 0x9, offer_of(0x10000, 0x55), kOfferOf);
    for (std::size_t i = 0; i < data; ++i) stream.write(0, 0x10000, 0x55, Buffer(100, 0xA5), 100);
    const CommandReport report = follow_commands(stream.frames());
    ASSERT_EQ(report.carried.size(), data == 8 ? 1U : 0U);
    if (data < 8) continue;
    EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kRsockets);
    EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
    EXPECT_EQ(report.commands.size(), 9U);
  }
}

TEST(CommandWatch, DoubtsRsocketsWhereDataGoElsewhereOrImmediateDataSayNothing) {
  for (int kind = 0; kind < 5; ++kind) {
    CommandStream stream(0x100);
    stream.write(1, 0x7000, 0x9, offer_of(0x10000, 0x55), kOfferOf);
    for (int i = 0; i < 30; ++i) {
      const bool is_last = i == 1;
      if (kind == 0) stream.write(0, 0x10000, 0x56, Buffer(100, 0xA5), 100);             // another R_Key
      if (kind == 1) stream.write(0, 0x90000, 0x55, Buffer(100, 0xA5), 100);             // another place
      if (kind == 2) stream.write(0, 0x10000, 0x55, Buffer(100, 0xA5), 99);              // another length
      if (kind == 3 && is_last) stream.write(0, 0x10000, 0x55, Buffer(100, 0xA5));       // no immediate data
      if (kind == 4 && is_last) stream.write(0, 0x10000, 0x55, Buffer(4), 0x2000'0004);  // of no operation
      if (kind > 2 && !is_last) stream.write(0, 0x10000, 0x55, Buffer(100, 0xA5), 100);
    }
    EXPECT_TRUE(follow_commands(stream.frames()).carried.empty()) << kind;
  }
}

/// A read of RNBD in RTRS (Linux, struct rnbd_msg_io, rtrs_msg_rdma_read) of 4,096 bytes.
Buffer rtrs_read() {
  Buffer request(56);
  request[0] = 4;      // IO
  request[21] = 0x10;  // bytes
  request[32] = 3;     // READ
  request[34] = 32;    // the header of RNBD
  request[38] = 1;     // descriptor
  return request;
}

TEST(CommandWatch, LearnsTheBuffersOfRtrsFromItsResponses) {
  constexpr std::uint32_t kPlace = 4096 + 32;
  CommandStream stream(0x100);
  for (std::uint32_t buffer = 1; buffer < 8; ++buffer) {
    stream.write(0, 0x10000, 0x55, rtrs_read(), buffer << 17U | kPlace);
    stream.write(1, 0x20000, 0x66, Buffer(), 0x1000'0000U | buffer);
  }
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kRtrs);
  EXPECT_EQ(report.carried[0].unfollowed, 0U);
  EXPECT_EQ(report.carried[0].most_outstanding, 1U);
  ASSERT_EQ(report.commands.size(), 7U);
  std::uint64_t id = 0;
  for (const Command& each : report.commands) {
    EXPECT_EQ(each.id, ++id);
    EXPECT_EQ(each.operation, "Read");
    EXPECT_EQ(each.bytes, 4096U);
    EXPECT_EQ(each.outcome, CommandOutcome::kSucceeded);
  }
}

TEST(CommandWatch, DoubtsRtrsWhoseResponsesAnswerNothing) {
  CommandStream stream(0x100);
  for (std::uint32_t buffer = 1; buffer < 40; ++buffer) {
    stream.write(0, 0x10000, 0x55, rtrs_read(), buffer << 17U | (4096 + 32));
    stream.write(1, 0x20000, 0x66, Buffer(), 0x1000'0000U | (buffer + 0x500));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

// Applications that say in the immediate data how many bytes they wrote, or what they like, in WRITEs of sizes that the protocols have.
TEST(CommandWatch, TakesNoRandomStreamOfWritesForAProtocol) {
  constexpr std::uint32_t kStreams = testing::rounds(10'000);
  constexpr std::array<std::size_t, 8> kSizes{16, 56, 36, 64, 32, 4, 72, 0};
  std::mt19937 random(2);
  for (std::uint32_t each = 0; each < kStreams; ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 24; ++i) {
      Buffer bytes(kSizes[random() % kSizes.size()]);
      std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
      if (each % 10 == 0) std::ranges::fill(bytes, static_cast<std::uint8_t>(each / 10));  // perftest's buffers as well
      if (each % 10 == 1 && bytes.size() == 56) bytes = rtrs_read();
      if (each % 10 == 2 && bytes.size() == 16) bytes = offer_of(0x10000, 0x55);
      const std::uint32_t kinds[] = {static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(random()),
                                     static_cast<std::uint32_t>(i), kOfferOf};
      stream.write(random() % 2, 0x10000, 0x55 + random() % 2, bytes, kinds[random() % std::size(kinds)]);
    }
    ASSERT_TRUE(follow_commands(stream.frames()).carried.empty()) << each;
  }
}

/// A Connect of NVMe over Fabrics (1.1, 3.3), with 1,024 bytes of data in the capsule.
Buffer connect(bool is_sound) {
  Buffer capsule(64 + 1024);
  capsule[0] = 0x7F;
  capsule[1] = 0x40;
  capsule[4] = 0x01;
  capsule[33] = 0x04;
  capsule[39] = 0x01;
  if (!is_sound) capsule[12] = 1;  // reserved
  return capsule;
}

TEST(CommandWatch, KnowsARefusedQueueByItsConnect) {
  for (const bool is_sound : {true, false}) {
    CommandStream stream(0x100);
    stream.send(0, connect(is_sound));
    Buffer refusal = response(0);
    refusal[14] = 0x08;  // Connect Invalid Host
    refusal[15] = 0x03;
    stream.send(1, refusal);
    EXPECT_EQ(follow_commands(stream.frames()).carried.size(), is_sound ? 1U : 0U);
  }
  CommandStream stream(0x100);
  stream.send(0, connect(true));
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());  // one message
  stream.send(1, response(7));                                    // of another command
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(CommandWatch, FollowsNoMoreCommandsThanItsLimit) {
  constexpr std::uint32_t kCommands = 10'000;
  CommandStream stream(0x100);
  for (std::uint32_t id = 0; id < kCommands; ++id) stream.send(0, command(static_cast<std::uint16_t>(id)));
  EXPECT_EQ(follow_commands(stream.frames()).carried.at(0).most_outstanding, std::nullopt);  // one direction only
  stream.send(1, response(0));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].commands, kCommands);
  EXPECT_EQ(report.carried[0].most_outstanding, 4096U);
  EXPECT_EQ(report.carried[0].unfollowed, kCommands - 4096U);
  EXPECT_EQ(report.commands.size(), 4096U);
}

}  // namespace
}  // namespace rocescope
