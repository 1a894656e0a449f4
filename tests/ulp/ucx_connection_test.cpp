// UCX: its name, what its messages are, and the library that sends them. Layouts: captures/ucx-*.pcapng, and UCX 1.13.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/ucx/ucx_message.hpp"
#include "support/command_stream.hpp"
#include "support/rounds.hpp"
#include "ulp/named/use.hpp"

namespace rocescope::ucx_connection_test {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;

constexpr std::uint64_t kOfClient = 0x7FB3'5C58'6000;
constexpr std::uint64_t kOfServer = 0x7F67'5CFC'F000;
enum : std::uint8_t { kRequest = 1, kReply = 2, kAck = 3 };

void append(Buffer& message, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) message.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// Numbers of 8 bytes behind an ID.
Buffer active(std::uint8_t id, std::initializer_list<std::uint64_t> numbers, std::size_t data = 0) {
  Buffer message{id};
  for (const std::uint64_t number : numbers) append(message, number, 8);
  message.resize(message.size() + data, 0xA5);
  return message;
}

Buffer wire_up(std::uint8_t type, std::uint64_t source, std::uint64_t destination) {
  Buffer message{1, type, 0, 0, 0};
  append(message, source, 8);
  append(message, destination, 8);
  message.resize(message.size() + 10, 0x20);  // addresses
  return message;
}

/// `wire_up` in a datagram of UCX from a side of a CommandStream.
Buffer datagram(std::size_t from, const Buffer& wire_up) {
  Buffer after{0x1E, 0xE7, 0xA3, 0x30, 0, 0, 0, 0x13};
  append(after, std::uint32_t{1} << 27U | std::uint32_t{1} << 24U, 4);
  append(after, 0x0001'0003, 4);  // PSNs of UCX itself
  after.insert(after.end(), wire_up.begin() + 1, wire_up.end());
  Buffer frame = testing::roce_frame(0x64, 0x13, after);
  frame[29] = static_cast<std::uint8_t>(1 + from);
  frame[33] = static_cast<std::uint8_t>(2 - from);
  return frame;
}

CommandReport report_of(const std::vector<Buffer>& datagrams, const CommandStream& stream) {
  std::vector<Frame> frames;
  for (const Buffer& each : datagrams) {
    frames.push_back({.data = each, .original_length = static_cast<std::uint32_t>(each.size())});
  }
  for (const Frame& each : stream.frames()) frames.push_back(each);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].number = i + 1;
    frames[i].timestamp = static_cast<std::int64_t>(i) * 1000;
  }
  return follow_commands(frames);
}

void expect_ucx(const CommandReport& report) {
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kUcx);
  EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
  EXPECT_TRUE(report.commands.empty());
}

const std::vector<Buffer> kWireUp{datagram(1, wire_up(kRequest, kOfServer, 0)),
                                  datagram(0, wire_up(kRequest, kOfClient, 0)),
                                  datagram(1, wire_up(kReply, kOfServer, kOfClient))};

TEST(UcxConnection, IsKnownByHowItWasConnected) {
  CommandStream stream(0x100);
  stream.send(0, wire_up(kAck, kOfClient, kOfServer));
  stream.write(0, 0x1000, 0x100, Buffer(64));
  expect_ucx(report_of(kWireUp, stream));
}

// Through mlx5 a zero stands before the ID.
TEST(UcxConnection, IsKnownWithTagMatchingInTheDevice) {
  CommandStream stream(0x100);
  Buffer ack = wire_up(kAck, kOfClient, kOfServer);
  ack.insert(ack.begin(), 0);
  stream.send(0, ack);
  expect_ucx(report_of(kWireUp, stream));
}

TEST(UcxConnection, IsNotBelievedByOneMessage) {
  CommandStream stream(0x100);
  stream.send(0, wire_up(kAck, kOfClient, kOfServer));
  for (std::uint8_t i = 0; i < 100; ++i) stream.send(i % 2, active(2, {0x1337'A880}, i));
  EXPECT_TRUE(report_of({}, stream).carried.empty());
  EXPECT_TRUE(report_of({kWireUp[0]}, stream).carried.empty());
  EXPECT_TRUE(report_of({kWireUp[1]}, stream).carried.empty());
}

TEST(UcxConnection, IsNotBelievedByEndpointsOfOthers) {
  for (const auto& [source, destination] :
       {std::pair(kOfServer, kOfClient), std::pair(kOfClient, kOfServer + 1), std::pair(kOfClient + 1, kOfServer)}) {
    CommandStream stream(0x100);
    stream.send(0, wire_up(kAck, source, destination));
    EXPECT_TRUE(report_of(kWireUp, stream).carried.empty());
  }
  CommandStream stream(0x100);
  stream.send(1, wire_up(kAck, kOfClient, kOfServer));  // the server does not own that of the client
  EXPECT_TRUE(report_of(kWireUp, stream).carried.empty());
}

TEST(UcxConnection, IsKnownByEndpointsThatWereNamedNotLongAgo) {
  CommandStream stream(0x100);
  stream.send(0, wire_up(kAck, kOfClient, kOfServer));
  const auto others = [](std::uint64_t count) {
    std::vector<Buffer> datagrams;
    for (std::uint64_t i = 0; i < count; ++i) datagrams.push_back(datagram(0, wire_up(kRequest, 0x1000 + i, 0)));
    return datagrams;
  };
  for (const auto& [before, after, is_known] : {std::tuple(9'000U, 2'000U, true), std::tuple(0U, 9'000U, false)}) {
    std::vector<Buffer> datagrams = others(before);
    datagrams.insert(datagrams.end(), kWireUp.begin(), kWireUp.end());
    const std::vector<Buffer> behind = others(before + after);
    datagrams.insert(datagrams.end(), behind.begin() + before, behind.end());
    EXPECT_EQ(report_of(datagrams, stream).carried.size(), is_known ? 1U : 0U);
  }
}

/// A message of `fragments` fragments of 512 bytes, whose offsets are wrong by `error`.
void send_fragments(CommandStream& stream, std::size_t side, std::uint64_t id, std::uint64_t fragments,
                    std::uint64_t error = 0) {
  stream.send(side, active(3, {0x1337'A880, 512 * fragments, id}, 512));
  for (std::uint64_t i = 1; i < fragments; ++i) stream.send(side, active(4, {id, 512 * i + error}, 512));
}

TEST(UcxConnection, IsKnownByFragments) {
  CommandStream stream(0x100);
  send_fragments(stream, 0, 0xB836'39EE'BCC8'7546, 4);
  expect_ucx(report_of({}, stream));
}

TEST(UcxConnection, IsNotBelievedByFragmentsThatDoNotFit) {
  CommandStream wrong(0x100);
  for (std::uint64_t i = 0; i < 20; ++i) send_fragments(wrong, i % 2, 0xB836'39EE'BCC8'7546 + i, 2, 1 + i);
  EXPECT_TRUE(report_of({}, wrong).carried.empty());
  CommandStream few(0x100);
  send_fragments(few, 0, 7, 3);
  EXPECT_TRUE(report_of({}, few).carried.empty());
  CommandStream others(0x100);
  send_fragments(others, 0, 7, 3);
  others.send(0, Buffer(44, 0x1F));  // no such ID
  send_fragments(others, 0, 8, 9);
  EXPECT_TRUE(report_of({}, others).carried.empty());
}

TEST(UcxConnection, IsKnownByRendezvous) {
  CommandStream reads(0x100);
  CommandStream writes(0x200);
  CommandStream syncs(0x300);
  syncs.send(0, wire_up(kAck, kOfClient, kOfServer));
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t request = 0x55FF'5DBF'7200 + 64 * i;
    const std::uint64_t answer = 0x5573'3F48'D240 + 64 * i;
    reads.send(0, active(9, {7, kOfServer, request, 0x7F4C'20AA'0000, 6000}, 19));
    reads.send(1, active(10, {request, 6000}, 1));
    writes.send(0, active(9, {7, kOfServer, request, 0, 6000}, 1));
    writes.send(1, active(11, {request, answer, 0x7F4C'20AA'0000, 6000}, 26));
    writes.send(0, active(16, {answer, 6000}, 1));
    syncs.send(i % 2, active(6, {7, kOfServer, request}, 200));
    syncs.send(1 - i % 2, active(8, {request}, 1));
  }
  for (const CommandStream* each : {&reads, &writes, &syncs}) expect_ucx(report_of({}, *each));
}

TEST(UcxConnection, IsNotBelievedByAnswersToNothing) {
  CommandStream stream(0x100);
  for (std::uint64_t i = 0; i < 20; ++i) {
    stream.send(0, active(9, {7, kOfServer, 0x55FF'5DBF'7200 + i, 0x7F4C'20AA'0000, 6000}, 19));
    stream.send(0, active(10, {0x55FF'5DBF'7200 + i, 6000}, 1));  // its own
    stream.send(1, active(10, {0x55FF'5DBF'8200 + i, 6000}, 1));
  }
  EXPECT_TRUE(report_of({}, stream).carried.empty());
}

TEST(UcxConnection, IsNotBelievedByRandomBytesBehindAnId) {
  std::mt19937 random(1);
  for (std::uint32_t each = 0; each < testing::rounds(3'000); ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 12; ++i) {
      Buffer bytes(1 + random() % 64);
      std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
      bytes[0] = static_cast<std::uint8_t>(random() % 28);
      if (i == 0) {
        bytes = active(9, {random(), random(), random(), random(), 6000}, 19);
      }
      stream.send(random() % 2, bytes);
    }
    EXPECT_TRUE(report_of(kWireUp, stream).carried.empty());
  }
}

TEST(UcxConnection, HasMessagesOfAnyLength) {
  for (const Buffer& message :
       {wire_up(kAck, kOfClient, kOfServer), active(3, {1, 2000, 3}, 40), active(9, {1, 2, 3, 4, 5}, 10)}) {
    for (std::size_t size = 0; size <= message.size(); ++size) {
      const Buffer cut(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size));
      (void)ucx_form(cut, message.size());
    }
    EXPECT_EQ(ucx_form(message, message.size()), UcxForm::kStrong);
    EXPECT_EQ(ucx_form(Bytes(message).first(9), 9) == UcxForm::kStrong, false);
  }
  EXPECT_EQ(ucx_form(Buffer{0xE0}, 1), UcxForm::kWeak);  // credits
  EXPECT_EQ(ucx_form(Buffer{0xE0, 0}, 2), UcxForm::kNone);
  EXPECT_EQ(ucx_form(Buffer(64), 64), UcxForm::kNone);
  EXPECT_EQ(ucx_form(active(2, {7}), 9), UcxForm::kWeak);
}

/// `count` eager messages of each side, whose tags are those of `tag_of(side, i)`.
template <class TagOf>
CommandReport report_of_tags(std::size_t count, TagOf tag_of) {
  CommandStream stream(0x100);
  stream.send(0, wire_up(kAck, kOfClient, kOfServer));
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t side : {0U, 1U}) stream.send(side, active(2, {tag_of(side, i)}, 8));
  }
  return report_of(kWireUp, stream);
}

std::string library_of(const CommandReport& report) {
  return report.carried.size() == 1 ? report.carried[0].mpi_library : "not one connection";
}

TEST(UcxConnection, SaysWhichLibrarySends) {
  // As in captures/mpi-*.pcapng: a barrier, and messages with tag 1.
  EXPECT_EQ(library_of(report_of_tags(8,
                                      [](std::uint64_t side, std::size_t i) {
                                        return std::uint64_t{i < 4 ? 0xFFFFF0U : 1U} << 40U | side << 20U;
                                      })),
            "Open MPI");
  EXPECT_EQ(library_of(report_of_tags(8,
                                      [](std::uint64_t side, std::size_t i) {
                                        return std::uint64_t{i < 4 ? 1U : 0U} << 48U | side << 32U | 1U;
                                      })),
            "MPICH");
  // With tag 0, whose places both libraries have.
  EXPECT_EQ(library_of(report_of_tags(8, [](std::uint64_t side, std::size_t) { return (side + 6) << 20U; })),
            "Open MPI");
  EXPECT_EQ(library_of(report_of_tags(8, [](std::uint64_t side, std::size_t) { return (side + 6) << 32U; })), "MPICH");
  // With a tag of each side.
  EXPECT_EQ(
      library_of(report_of_tags(8, [](std::uint64_t side, std::size_t) { return (side + 1) << 40U | side << 20U; })),
      "Open MPI");
}

TEST(UcxConnection, SaysNoLibraryThatTagsDoNotShow) {
  // Too few; and those of others: one for all, or any number.
  EXPECT_EQ(library_of(report_of_tags(3, [](std::uint64_t side, std::size_t) { return side << 20U; })), "");
  EXPECT_EQ(library_of(report_of_tags(8, [](std::uint64_t, std::size_t) { return 0x1337'A880U; })), "");
  // Of Open MPI in a communicator of the program's own, where each side has a tag: the lower bits of tags look like ranks of MPICH.
  EXPECT_EQ(library_of(report_of_tags(
                8, [](std::uint64_t side, std::size_t) { return (side + 1) << 40U | side << 20U | 3U; })),
            "");
  std::mt19937_64 random(1);
  EXPECT_EQ(library_of(report_of_tags(100, [&](std::uint64_t, std::size_t) { return random(); })), "");
}

TEST(UcxConnection, SaysOfWhichKindsItsFirstMessagesAre) {
  CommandStream stream(0x100);
  stream.send(0, wire_up(kAck, kOfClient, kOfServer));
  for (std::uint64_t i = 0; i < 300; ++i) stream.send(0, active(i < 255 ? 15 : 23, {i}, 8));
  const CommandReport report = report_of(kWireUp, stream);
  expect_ucx(report);
  EXPECT_EQ(report.carried[0].kinds, "wire-up, stream");  // the active messages come too late
}

TEST(UcxConnection, HasWritesOfItsOwnOrOfARendezvous) {
  const auto kinds = [](std::string of_sends, std::uint64_t sends, std::uint64_t written) {
    Connection connection;
    connection.sides[0].operations.at(Operation::kSend).messages = sends;
    connection.sides[1].operations.at(Operation::kWrite).bytes = written;
    CarriedProtocol carried{.protocol = UpperProtocol::kUcx, .kinds = std::move(of_sends)};
    describe_use(connection, carried);
    return carried.kinds;
  };
  EXPECT_EQ(kinds("wire-up", 1, 64), "wire-up, put");
  EXPECT_EQ(kinds("wire-up", 1, 0), "wire-up");
  EXPECT_EQ(kinds("wire-up, put", 2, 64), "wire-up, put");  // some by messages
  EXPECT_EQ(kinds("wire-up, rendezvous", 2, 64), "wire-up, rendezvous");
  EXPECT_EQ(kinds("wire-up, tag", 300, 64), "wire-up, tag");  // a rendezvous may be among the later ones
}

}  // namespace rocescope::ucx_connection_test
