// Calls of NFS over RDMA. Expectations come from the layouts of RFC 8166, RFC 5531 and RFC 1813.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/command_stream.hpp"
#include "support/rounds.hpp"

namespace rocescope {
namespace {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;

void add_words(Buffer& message, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    for (unsigned shift = 32; shift > 0; shift -= 8) message.push_back(static_cast<std::uint8_t>(word >> (shift - 8)));
  }
}

constexpr std::uint32_t kHandle = 0x77;

/// A READ of NFS 3: 4096 bytes at 8192, of a file handle of 4 bytes, to a write chunk.
Buffer read_call(std::uint32_t xid) {
  Buffer message;
  add_words(message,
            {xid, 1, 32, 0, 0, 1, 1, kHandle, 4096, 0, 0x1000, 0, 0});  // the lists: none, one of a segment, none
  add_words(message, {xid, 0, 2, 100'003, 3, 6, 0, 0, 0, 0, 4, 0xABCD'EF01, 0, 8192, 4096});
  return message;
}

Buffer reply(std::uint32_t xid, std::uint32_t status) {
  Buffer message;
  add_words(message, {xid, 1, 32, 0, 0, 0, 0});
  add_words(message, {xid, 1, 0, 0, 0, 0, status});
  return message;
}

TEST(NfsConnection, KnowsCallsByTheirForm) {
  CommandStream stream(0x100);
  for (std::uint32_t xid = 1; xid < 5; ++xid) {
    stream.send(0, read_call(xid));
    stream.send(1, reply(xid, xid == 3 ? 5 : 0));
  }
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kNfs);
  EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
  ASSERT_EQ(report.commands.size(), 4U);
  const Command& failed = report.commands[2];
  EXPECT_EQ(failed.operation, "READ");
  EXPECT_EQ(failed.offset, 8192U);
  EXPECT_EQ(failed.bytes, 4096U);
  EXPECT_EQ(failed.status, 5U);
  EXPECT_EQ(failed.status_name, "IO");
  EXPECT_EQ(failed.outcome, CommandOutcome::kFailed);
}

TEST(NfsConnection, IsNotBelievedAfterAFewMessages) {
  CommandStream stream(0x100);
  for (std::uint32_t xid = 1; xid < 3; ++xid) {
    stream.send(0, read_call(xid));
    stream.send(1, reply(xid, 0));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(NfsConnection, NamesErrorsOfTheTransportAndCallbacks) {
  CommandStream stream(0x100);
  for (std::uint32_t xid = 1; xid < 5; ++xid) {
    stream.send(0, read_call(xid));
    stream.send(1, reply(xid, 0));
  }
  stream.send(0, read_call(9));
  Buffer error;
  add_words(error, {9, 1, 32, 4, 2});  // RDMA_ERROR, ERR_CHUNK
  stream.send(1, error);
  Buffer back;
  add_words(back, {7, 1, 32, 0, 0, 0, 0, 7, 0, 2, 0x4000'0000, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 8});  // CB_RECALL_ANY
  stream.send(1, back);
  stream.send(0, reply(7, 0));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 6U);
  EXPECT_EQ(report.commands[4].status_name, "bad chunk");
  EXPECT_EQ(report.commands[5].operation, "CB_RECALL_ANY");
  EXPECT_EQ(report.commands[5].detail, "backchannel");
  EXPECT_EQ(report.commands[5].initiator, 1U);
  EXPECT_EQ(report.commands[5].outcome, CommandOutcome::kSucceeded);
}

// A reply that is too long for a SEND is in the memory that the call offers.
TEST(NfsConnection, ReadsTheStatusOfAReplyThatIsWritten) {
  CommandStream stream(0x100);
  for (std::uint32_t xid = 1; xid < 5; ++xid) {
    stream.send(0, read_call(xid));
    stream.send(1, reply(xid, 0));
  }
  Buffer call;
  add_words(call, {8, 1, 32, 0, 0, 0, 1, 1, kHandle, 4096, 0, 0x2000});    // a reply chunk
  add_words(call, {8, 0, 2, 100'003, 3, 16, 0, 0, 0, 0, 4, 0xABCD'EF01});  // READDIR
  stream.send(0, call);
  Buffer written;
  add_words(written, {8, 1, 0, 0, 0, 0, 70});
  stream.write(1, 0x2000, kHandle, written);
  Buffer answer;
  add_words(answer, {8, 1, 32, 1, 0, 0, 1, 1, kHandle, 28, 0, 0x2000});  // RDMA_NOMSG
  stream.send(1, answer);
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 5U);
  EXPECT_EQ(report.commands[4].operation, "READDIR");
  EXPECT_EQ(report.commands[4].status_name, "STALE");
}

// What has the first words of a message, and random bytes behind them.
TEST(NfsConnection, DoesNotBelieveRandomBytesBehindRightOnes) {
  std::mt19937 random(1);
  for (std::uint32_t each = 0; each < testing::rounds(1'000); ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 12; ++i) {
      Buffer bytes;
      add_words(bytes, {static_cast<std::uint32_t>(random()), 1, 32, 0});
      while (bytes.size() < 128) bytes.push_back(static_cast<std::uint8_t>(random()));
      stream.send(random() % 2, bytes);
    }
    EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
  }
}

}  // namespace
}  // namespace rocescope
