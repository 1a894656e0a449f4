// Calls of NFS over RDMA. Expectations come from the layouts of RFC 8166, RFC 5531 and RFC 1813.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dissectors/message.hpp"
#include "dissectors/ulp/nfs/rpc_message.hpp"
#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/rpc.hpp"
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

/// Each header that RpcMessage may have is where the layer of the packet is.
template <class H>
void expect_the_same(const RpcMessage& message, const Packet& layers) {
  const Layer* layer = layers.find(H::kKind);
  if (H::kKind == HeaderKind::kNfsFileHandle && layer != nullptr)
    layer = &*std::ranges::find(layers.layers(), H::kKind, &Layer::kind);
  ASSERT_EQ(message.has<H>(), layer != nullptr) << H::kTitle;
  if (layer == nullptr) return;
  EXPECT_EQ(message.header<H>()->bytes().data(), layers.message.data() + layer->offset) << H::kTitle;
}

void expect_the_same_call(const RpcMessage& message, const Packet& layers) {
  const auto call = nfs_call_of(message);
  const auto expected = nfs_call_of(layers);
  ASSERT_EQ(call.has_value(), expected.has_value());
  EXPECT_EQ(nfs_status_of(message), nfs_status_of(layers));
  if (!call) return;
  EXPECT_EQ(call->opcode, expected->opcode);
  EXPECT_EQ(call->operation, expected->operation);
  EXPECT_EQ(call->version, expected->version);
  EXPECT_EQ(call->offset, expected->offset);
  EXPECT_EQ(call->bytes, expected->bytes);
}

// The words are such as messages have, in any order: most end somewhere in between.
TEST(RpcMessage, SaysWhatTheLayersOfAPacketSay) {
  constexpr std::uint32_t kWords[] = {0,  0,  0,  1,  1,  1,       2,       3,           4,  5,  6,
                                      16, 22, 24, 25, 38, 53,      9,       32,          11, 60, 0x1000,
                                      7,  8,  10, 21, 12, 100'003, 100'227, 0x4000'0000, 64, 33, 0xFFFF'FFFF};
  std::mt19937 random(2);
  RpcMessage message;
  Packet layers;
  for (std::uint32_t each = 0; each < testing::rounds(200'000); ++each) {
    Buffer bytes;
    const std::size_t kind = random() % 6;
    if (kind == 0) bytes = read_call(each);
    if (kind == 1) bytes = reply(each, 0);
    if (kind == 2) add_words(bytes, {each, 1, 32, 0, 0, 0, 0, each, 0, 2, 100'003, 4, 1, 0, 0, 0, 0, 0, 1, 6, 53});
    if (kind == 3) add_words(bytes, {each, 1, 32, 0, 0, 0, 0, each, 0, 2, 0x4000'0000, 1, 1, 0, 0, 0, 0, 0, 1, 0, 3});
    if (kind == 4) add_words(bytes, {each, 1, 32, 0});
    if (kind > 1) {
      const std::size_t more = random() % 80;
      for (std::size_t i = 0; i < more; ++i) add_words(bytes, {kWords[random() % std::size(kWords)]});
    }
    for (std::size_t changes = random() % 3; changes > 0 && bytes.size() >= 4; --changes) {
      Buffer word;
      add_words(word, {kWords[random() % std::size(kWords)]});
      std::ranges::copy(word, bytes.begin() + static_cast<std::ptrdiff_t>(random() % (bytes.size() / 4) * 4));
    }
    if (random() % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
    const std::size_t version = random() % 3;
    constexpr NfsVersion kVersions[] = {NfsVersion::kUnknown, NfsVersion::k3, NfsVersion::k4};
    constexpr MessageProtocol kProtocols[] = {MessageProtocol::kRpcOverRdma, MessageProtocol::kRpcOverRdmaNfs3,
                                              MessageProtocol::kRpcOverRdmaNfs4};
    message.read(bytes, kVersions[version]);
    layers = {};
    dissect_message(kProtocols[version], bytes, layers);
    expect_the_same<RpcOverRdma>(message, layers);
    expect_the_same<RpcOverRdmaError>(message, layers);
    expect_the_same<RpcCall>(message, layers);
    expect_the_same<RpcReply>(message, layers);
    expect_the_same<RpcAccepted>(message, layers);
    expect_the_same<NfsFileHandle>(message, layers);
    expect_the_same<NfsOperation>(message, layers);
    expect_the_same<NfsCallback>(message, layers);
    ASSERT_EQ(message.has<RpcReadChunk>(), layers.find(HeaderKind::kRpcReadChunk) != nullptr);
    ASSERT_EQ(message.has<RpcListEnd>(), layers.find(HeaderKind::kRpcListEnd) != nullptr);
    std::size_t segments = 0;
    for (const Layer& layer : layers.layers()) {
      if (layer.kind == HeaderKind::kRpcReadChunk) segments += layer.length / std::uint32_t{RpcReadChunk::kSize};
      if (layer.kind == HeaderKind::kRpcSegment) segments += layer.length / std::uint32_t{RpcSegment::kSize};
    }
    EXPECT_EQ(message.segments().size(), segments);
    expect_the_same_call(message, layers);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "message " << each;
  }
}

}  // namespace
}  // namespace rocescope
