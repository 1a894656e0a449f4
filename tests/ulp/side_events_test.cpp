// What findings rest on beside single commands. Layouts: NVM Express over Fabrics 1.1, 3.3; NVM Express Base 2.0, 3.9.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "model/command_troubles.hpp"
#include "support/command_stream.hpp"

namespace rocescope::side_events_test {

using testing::Buffer;
using testing::CommandStream;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint8_t kKeepAlive = 0x18;

Buffer capsule(std::uint8_t opcode, std::uint8_t id) {
  Buffer message(64);
  message[0] = opcode;
  message[1] = 0x40;
  message[2] = id;
  message[39] = 0x40;
  return message;
}

/// Of a queue with four entries, and 5 s of Keep Alive Timeout.
Buffer connect(std::uint8_t queue) {
  Buffer message = capsule(0x7F, 0);
  message[4] = 1;
  message[34] = 4;  // 1024 bytes
  message[42] = queue;
  message[44] = 3;     // entries, from 0
  message[48] = 0x88;  // 5000 ms
  message[49] = 0x13;
  return message;
}

Buffer completion(std::uint8_t id) {
  Buffer message(16);
  message[12] = id;
  return message;
}

/// Of the frames with those from `at` on `later` nanoseconds later.
CommandTroubles::Times found(const CommandStream& stream, CommandTroubles::Event event, std::size_t at = 0,
                             std::int64_t later = 0) {
  std::vector<Frame> frames = stream.frames();
  for (std::size_t i = at; i < frames.size(); ++i) frames[i].timestamp += later;
  CommandWatch watch({{.connection = 1, .port = 0, .protocol = UpperProtocol::kNvme}});
  testing::follow(frames, watch);
  const auto place = watch.troubles().find(1);
  return place == watch.troubles().end() ? CommandTroubles::Times() : place->second.at(0, event);
}

TEST(SideEvents, OfAQueueOfNvmeThatIsFull) {
  CommandStream stream(0x100);
  stream.send(0, connect(1));
  stream.send(1, completion(0));
  const auto full = [&] { return found(stream, CommandTroubles::Event::kQueueFull).seen.count; };
  for (std::uint8_t id = 1; id < 3; ++id) stream.send(0, capsule(2, id));
  EXPECT_EQ(full(), 0U);
  stream.send(0, capsule(2, 3));  // one entry stays free
  EXPECT_EQ(full(), 1U);
  stream.send(1, completion(1));
  stream.send(1, completion(2));
  stream.send(0, capsule(2, 4));
  EXPECT_EQ(full(), 1U);
  stream.send(0, capsule(2, 5));
  EXPECT_EQ(full(), 2U);
  EXPECT_EQ(found(stream, CommandTroubles::Event::kQueueFull).limit, 3U);
}

TEST(SideEvents, OfAHostThatIsSilentForTooLong) {
  CommandStream stream(0x100);
  stream.send(0, connect(0));
  stream.send(1, completion(0));
  const std::size_t behind = stream.frames().size();
  stream.send(0, capsule(kKeepAlive, 1));
  stream.send(1, completion(1));
  const auto late = [&](std::int64_t time) {
    return found(stream, CommandTroubles::Event::kKeepAliveLate, behind, time);
  };
  EXPECT_EQ(late(4 * kSecond).seen.count, 0U);
  EXPECT_EQ(late(6 * kSecond).seen.count, 1U);
  EXPECT_GT(late(6 * kSecond).longest, 6 * kSecond);
  EXPECT_EQ(late(6 * kSecond).limit, 5U * kSecond);
  CommandStream data(0x100);  // a queue of I/O promises nothing
  data.send(0, connect(1));
  data.send(1, completion(0));
  data.send(0, capsule(2, 1));
  EXPECT_EQ(found(data, CommandTroubles::Event::kKeepAliveLate, behind, 6 * kSecond).seen.count, 0U);
}

TEST(SideEvents, OfTheLastCommandAndWhatItsQueuePromised) {
  CommandStream stream(0x100);
  stream.send(0, connect(0));
  stream.send(1, completion(0));
  const std::size_t behind = stream.frames().size();
  stream.send(0, capsule(kKeepAlive, 1));
  stream.send(1, completion(1));
  const auto last = found(stream, CommandTroubles::Event::kLastCommand, behind, 3 * kSecond);
  EXPECT_EQ(last.seen.count, 1U);
  EXPECT_EQ(last.seen.last_packet, behind + 1);
  EXPECT_EQ(last.seen.last_time, stream.frames()[behind].timestamp + 3 * kSecond);
  EXPECT_EQ(last.limit, 5U * kSecond);
  CommandStream data(0x100);  // a queue of I/O promises nothing
  data.send(0, connect(1));
  EXPECT_EQ(found(data, CommandTroubles::Event::kLastCommand).seen.count, 1U);
  EXPECT_EQ(found(data, CommandTroubles::Event::kLastCommand).limit, 0U);
}

/// `blocks` blocks from `offset` on.
Command io(std::uint64_t offset, std::uint64_t blocks, std::uint64_t bytes) {
  Command command;
  command.kind = CommandKind::kIo;
  command.offset = offset;
  command.blocks = blocks;
  command.bytes = bytes;
  command.request_packet = 1;
  command.issued = 0;
  return command;
}

TEST(SideEvents, OfUnalignedAndSmallCommands) {
  CommandTroubles troubles;
  troubles.add(io(8, 8, 4096), {});   // blocks of 512 bytes
  troubles.add(io(63, 8, 4096), {});  // as partitions began once
  troubles.add(io(std::uint64_t{1} << 61U | 1U, 8, 4096), {});
  troubles.add(io(1, 1, 512), {});
  troubles.add(io(1, 2, 8192), {});  // blocks of 4096 bytes
  Command file = io(100, 1, 8192);
  file.blocks.reset();
  troubles.add(file, {});
  EXPECT_EQ(troubles.shape.commands, 6U);
  EXPECT_EQ(troubles.shape.with_blocks, 5U);
  EXPECT_EQ(troubles.shape.unaligned.count, 2U);
  EXPECT_EQ(troubles.shape.small.count, 1U);
  CommandTroubles both = troubles;
  both.merge(troubles);
  EXPECT_EQ(both.shape.unaligned.count, 4U);
}

}  // namespace rocescope::side_events_test
