// What a ladder makes of packets: runs that are folded, and runs that are not.
#include "ladder/ladder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "ladder/failed_messages.hpp"
#include "rocescope/dissect.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;
using Extent = PacketRun::Extent;

/// A connection between 10.0.0.1 queue pair 1 and 10.0.0.2 queue pair 2, packet by packet, with the verdicts that the test
/// gives.
class LadderTest : public ::testing::Test {
 protected:
  LadderTest() { use({}); }
  void use(const LadderOptions& options) {
    ladder_.emplace(LadderScope(std::deque{connection()}, 1), options,
                    [this](const LadderEvent& event) { events_.push_back(event); });
  }

  static Connection connection() {
    Connection connection;
    connection.number = 1;
    for (const std::uint8_t side : kConnectionSides) {
      const ByteArray<4> address{10, 0, 0, static_cast<std::uint8_t>(side + 1)};
      connection.sides[side].address = IpAddress::v4(address);
      connection.sides[side].qpn = Qpn(side + 1U);
    }
    return connection;
  }

  struct Sent {
    std::uint8_t opcode = 0;
    std::uint32_t psn = 0;
    std::size_t side = 0;
    Verdict verdict = {};
    std::uint32_t bytes = 0;
  };

  void send(const Sent& sent) {
    Packet packet;
    packet.frame.number = ++frame_;
    packet.frame.timestamp = time_ += 1000;
    packet.roce.encapsulation = Encapsulation::kRoceV2Ipv4;
    packet.roce.opcode = &opcode_info(sent.opcode);
    packet.roce.psn = Psn(sent.psn);
    packet.roce.payload_length = sent.bytes;
    packet.source = connection().sides[sent.side].address;
    packet.destination = connection().sides[1 - sent.side].address;
    packet.roce.dest_qp = *connection().sides[1 - sent.side].qpn;
    PacketRecord record;
    record.packet = &packet;
    record.verdict = sent.verdict;
    record.verdict.connection = 1;
    if (record.verdict.kind == VerdictKind::kNone) {
      record.verdict.kind = packet.roce.opcode->request ? VerdictKind::kInOrder : VerdictKind::kResponse;
    }
    ladder_->add(record);
  }
  void write(std::uint32_t psn, Verdict verdict = {}) {
    send({.opcode = 0x0A, .psn = psn, .verdict = verdict, .bytes = 64});
  }
  void ack(std::uint32_t psn) { send({.opcode = 0x11, .psn = psn, .side = 1}); }

  struct Line {
    Extent extent;
    std::uint64_t packets;
    std::uint64_t messages;
    std::uint64_t frame;
    friend bool operator==(const Line&, const Line&) = default;
  };
  std::vector<Line> lines() {
    ladder_->finish();
    std::vector<Line> result;
    for (const LadderEvent& event : events_) {
      const PacketRun& run = std::get<PacketRun>(event.what);
      result.push_back({run.extent, run.packets, run.messages, event.frame});
    }
    return result;
  }

  std::uint64_t frame_ = 0;
  std::int64_t time_ = 0;
  std::vector<LadderEvent> events_;
  std::optional<Ladder> ladder_;
};

TEST_F(LadderTest, FoldsMessagesOfTheSameSizeAndTheirAcknowledgements) {
  for (std::uint32_t psn = 0; psn < 5; ++psn) {
    write(psn);
    ack(psn);
  }
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kMessages, 5, 5, 1}, Line{Extent::kMessages, 5, 5, 2}));
}

TEST_F(LadderTest, BeginsANewRunForAnotherSize) {
  write(0);
  send({.opcode = 0x0A, .psn = 1, .bytes = 65});
  write(2);
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kMessages, 1, 1, 1}, Line{Extent::kMessages, 1, 1, 2},
                                   Line{Extent::kMessages, 1, 1, 3}));
}

TEST_F(LadderTest, FoldsMessagesOfSeveralPacketsWhileAcknowledgementsComeBetweenThem) {
  for (std::uint32_t message = 0; message < 3; ++message) {
    send({.opcode = 0x06, .psn = 3 * message, .bytes = 1024});
    if (message > 0) ack(3 * message - 1);
    send({.opcode = 0x07, .psn = 3 * message + 1, .bytes = 1024});
    send({.opcode = 0x08, .psn = 3 * message + 2, .bytes = 10});
  }
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kMessages, 9, 3, 1}, Line{Extent::kMessages, 2, 2, 5}));
  EXPECT_EQ(std::get<PacketRun>(events_[0].what).last_psn, Psn(8));
}

TEST_F(LadderTest, TellsAMessageThatSomethingHappenedInAsItsParts) {
  send({.opcode = 0x06, .psn = 0, .bytes = 1024});
  send({.opcode = 0x07, .psn = 1, .bytes = 1024});
  send({.opcode = 0x07, .psn = 3, .verdict = {.kind = VerdictKind::kGap, .missing = 1}, .bytes = 1024});
  send({.opcode = 0x08, .psn = 4, .bytes = 1024});
  EXPECT_THAT(lines(),
              ElementsAre(Line{Extent::kPart, 2, 0, 1}, Line{Extent::kPackets, 1, 0, 3}, Line{Extent::kPart, 1, 0, 4}));
}

TEST_F(LadderTest, FoldsPacketsThatAreSentAgainForTheSameReasonAndTellsAttemptsApart) {
  const Verdict again{.kind = VerdictKind::kRetransmission, .cause = ResendCause::kTimeout};
  write(0, again);
  write(1, again);
  write(0, again);
  write(1, again);
  write(2, {.kind = VerdictKind::kRetransmission, .cause = ResendCause::kNak, .evidence = 7});
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kPackets, 2, 0, 1}, Line{Extent::kPackets, 2, 0, 3},
                                   Line{Extent::kPackets, 1, 0, 5}));
}

TEST_F(LadderTest, MessagesThatFailedHaveALineEach) {
  use({.apart = {3, 4}});
  for (std::uint32_t psn = 0; psn < 6; ++psn) write(psn, {.message = psn + 1});
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kMessages, 2, 2, 1}, Line{Extent::kMessages, 1, 1, 3},
                                   Line{Extent::kMessages, 1, 1, 4}, Line{Extent::kMessages, 2, 2, 5}));
}

TEST_F(LadderTest, MessagesThatAreSentAgainHaveALineEach) {
  const auto again = [](std::uint64_t message) {
    return Verdict{.kind = VerdictKind::kRetransmission, .cause = ResendCause::kTimeout, .message = message};
  };
  send({.opcode = 0x06, .psn = 0, .verdict = again(1), .bytes = 1024});
  send({.opcode = 0x08, .psn = 1, .verdict = again(1), .bytes = 1024});
  write(2, again(2));
  write(3, again(3));
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kPackets, 2, 0, 1}, Line{Extent::kPackets, 1, 0, 3},
                                   Line{Extent::kPackets, 1, 0, 4}));
}

TEST_F(LadderTest, RequestsOfBothSidesStandInTheOrderOfTime) {
  write(0);
  send({.opcode = 0x0A, .psn = 0, .side = 1, .bytes = 64});
  write(1);
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kMessages, 1, 1, 1}, Line{Extent::kMessages, 1, 1, 2},
                                   Line{Extent::kMessages, 1, 1, 3}));
}

TEST_F(LadderTest, TimesThatLieFarApartOverflowNothing) {
  time_ = std::numeric_limits<std::int64_t>::min();
  write(0);
  time_ = std::numeric_limits<std::int64_t>::max() - 1000;
  write(1);
  lines();
  ASSERT_EQ(events_.size(), 1U);
  EXPECT_EQ(events_[0].last_time, std::numeric_limits<std::int64_t>::max());
}

TEST_F(LadderTest, HoldsLittleWhateverComes) {
  for (std::uint32_t psn = 0; psn < 100'000; ++psn) send({.opcode = 0x07, .psn = psn, .bytes = 1024});
  EXPECT_THAT(lines(), ElementsAre(Line{Extent::kPart, 100'000, 0, 1}));
}

TEST_F(LadderTest, GivesEventsSoonThoughOneThatBeganBeforeGoesOn) {
  write(0);
  ack(0);  // and so on: a run that does not end
  for (std::uint32_t psn = 1; psn < 10'000; ++psn) {
    send({.opcode = 0x0A, .psn = psn, .bytes = 64 + psn % 2});
    ack(psn);
    ASSERT_GE(events_.size() + 100, psn);
  }
}

/// A connection whose sides ended in these states.
Connection in_states(QpState first, QpState second) {
  Connection connection;
  connection.number = 1;
  connection.sides[0].states.push_back({.state = first});
  connection.sides[1].states.push_back({.state = second});
  return connection;
}

TEST(FailedMessages, AreThoseThatDidNotEndWell) {
  FailedMessages failed;
  const Connection running = in_states(QpState::kRts, QpState::kRtr);
  failed.add(running, 0, {.number = 9, .outcome = MessageOutcome::kRefused});
  failed.add(running, 0, {.number = 8, .outcome = MessageOutcome::kCompleted});
  failed.add(running, 0, {.number = 7, .outcome = MessageOutcome::kCompleted, .resent = true});
  failed.add(running, 1, {.number = 6, .outcome = MessageOutcome::kUnacknowledged});
  failed.add(running, 1, {.number = 5, .outcome = MessageOutcome::kLost});
  failed.add(running, 1, {.number = 4, .outcome = MessageOutcome::kOutstanding});
  EXPECT_THAT(failed.of(running), ElementsAre(5, 7, 9)) << "the answer to 4 may come after the capture";
  EXPECT_THAT(failed.of(in_states(QpState::kRts, QpState::kErr)), ElementsAre(4, 5, 7, 9));
  EXPECT_THAT(failed.of(in_states(QpState::kReset, QpState::kReset)), ElementsAre(4, 5, 7, 9));
  Connection other = in_states(QpState::kErr, QpState::kErr);
  other.number = 2;
  EXPECT_THAT(failed.of(other), ElementsAre(5, 7, 9));
}

TEST(FailedMessages, AreTheFirstOfMany) {
  FailedMessages failed(2);
  const Connection broken = in_states(QpState::kErr, QpState::kErr);
  failed.add(broken, 0, {.number = 1, .outcome = MessageOutcome::kRefused});
  failed.add(broken, 0, {.number = 2, .outcome = MessageOutcome::kOutstanding});
  failed.add(broken, 0, {.number = 3, .outcome = MessageOutcome::kCompleted});
  EXPECT_EQ(failed.left_out(), 0U);
  failed.add(broken, 0, {.number = 4, .outcome = MessageOutcome::kLost});
  failed.add(broken, 0, {.number = 5, .outcome = MessageOutcome::kOutstanding});
  EXPECT_THAT(failed.of(broken), ElementsAre(1, 2));
  EXPECT_EQ(failed.left_out(), 2U);
}

TEST_F(LadderTest, PacketsOfOtherQueuePairsAreNoneOfIt) {
  Packet packet;
  packet.frame.number = 1;
  packet.roce.encapsulation = Encapsulation::kRoceV2Ipv4;
  packet.roce.opcode = &opcode_info(0x0A);
  packet.roce.dest_qp = Qpn(99);
  packet.source = connection().sides[0].address;
  packet.destination = connection().sides[1].address;
  PacketRecord record;
  record.packet = &packet;
  ladder_->add(record);
  EXPECT_TRUE(lines().empty());
}

}  // namespace
}  // namespace rocescope
