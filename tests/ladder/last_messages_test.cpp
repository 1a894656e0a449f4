// What is kept of the connections of a running capture for whoever opens one.
#include "ladder/last_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "rocescope/dissect.hpp"
#include "support/hosts.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;
using testing::host;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Connection N goes between 10.0.0.1, queue pair 2 N, and 10.0.0.2, queue pair 2 N + 1.
Connection connection_of(std::uint32_t number, bool turned = false) {
  Connection connection;
  connection.number = number;
  for (std::size_t i = 0; i < 2; ++i) {
    ConnectionSide& side = connection.sides[turned ? 1 - i : i];
    side.address = host(static_cast<std::uint8_t>(i + 1));
    side.qpn = Qpn(static_cast<std::uint32_t>(2 * number + i));
  }
  return connection;
}

class LastMessagesTest : public ::testing::Test {
 protected:
  struct Sent {
    std::uint32_t of = 1;          ///< whose queue pairs it goes between
    std::uint32_t connection = 0;  ///< that the tracker says; 0: the same
    std::uint8_t opcode = 0x0A;    ///< WRITE Only
    std::uint32_t psn = 0;
    std::size_t side = 0;
    VerdictKind verdict = VerdictKind::kInOrder;
    std::uint32_t bytes = 64;
  };
  void send(const Sent& sent) {
    const Connection connection = connection_of(sent.of);
    Packet packet;
    packet.frame.number = ++frame_;
    packet.frame.timestamp = static_cast<std::int64_t>(frame_) * 1000;
    packet.roce.encapsulation = Encapsulation::kRoceV2Ipv4;
    packet.roce.opcode = &opcode_info(sent.opcode);
    packet.roce.psn = Psn(sent.psn);
    packet.roce.payload_length = sent.bytes;
    packet.source = connection.sides[sent.side].address;
    packet.destination = connection.sides[1 - sent.side].address;
    packet.roce.dest_qp = *connection.sides[1 - sent.side].qpn;
    PacketRecord record;
    record.packet = &packet;
    record.verdict.kind = sent.verdict;
    record.verdict.connection = sent.connection == 0 ? sent.of : sent.connection;
    last_.add(record);
  }
  void ack(std::uint32_t psn, std::uint32_t of = 1, std::uint32_t connection = 0) {
    send({.of = of,
          .connection = connection,
          .opcode = 0x11,
          .psn = psn,
          .side = 1,
          .verdict = VerdictKind::kResponse,
          .bytes = 0});
  }

  struct Event {
    std::uint64_t frame;
    std::uint64_t packets;
    int sender;
    friend bool operator==(const Event&, const Event&) = default;
  };
  [[nodiscard]] std::vector<Event> events(std::uint32_t number, bool turned = false) const {
    std::vector<Event> result;
    for (const LadderEvent& event : last_.of(connection_of(number, turned))) {
      result.push_back({event.frame, std::get<PacketRun>(event.what).packets, event.sender});
    }
    return result;
  }

  std::uint64_t frame_ = 0;
  LastMessages last_{3};
};

TEST_F(LastMessagesTest, AreThoseFromBeforeItIsAskedForThem) {
  send({.psn = 0});
  ack(0);
  send({.psn = 1});
  send({.of = 2, .psn = 7});
  ack(1);
  send({.psn = 2, .bytes = 65});
  EXPECT_THAT(events(1), ElementsAre(Event{1, 2, 0}, Event{2, 2, 1}, Event{6, 1, 0}));
  EXPECT_THAT(events(1, true), ElementsAre(Event{1, 2, 1}, Event{2, 2, 0}, Event{6, 1, 1})) << "its sides were turned";
  EXPECT_THAT(events(2), ElementsAre(Event{4, 1, 0}));
  EXPECT_THAT(events(3), IsEmpty());
  send({.psn = 3, .bytes = 65});
  EXPECT_THAT(events(1), ElementsAre(Event{1, 2, 0}, Event{2, 2, 1}, Event{6, 2, 0})) << "to ask changes nothing";
  EXPECT_EQ(last_.of(connection_of(1))[2].silence, 1000);
}

TEST_F(LastMessagesTest, AreNoMoreThanSoMany) {
  for (std::uint32_t psn = 0; psn < 1000; ++psn) {
    send({.psn = psn, .bytes = 64 + psn % 2});
    ack(psn);
    ASSERT_LE(events(1).size(), LastMessages::kMostEvents);
  }
  EXPECT_THAT(events(1), SizeIs(LastMessages::kMostEvents));
  EXPECT_GE(events(1).back().frame, 1990U);
}

TEST_F(LastMessagesTest, OfTooManyConnectionsThoseWithTroubleStayForLongest) {
  send({.of = 1, .psn = 1, .verdict = VerdictKind::kRetransmission});
  send({.of = 2, .psn = 1});
  send({.of = 3, .psn = 1});
  send({.of = 2, .psn = 2});
  send({.of = 4, .psn = 1});
  EXPECT_THAT(events(1), SizeIs(1));
  EXPECT_THAT(events(2), SizeIs(1));
  EXPECT_THAT(events(3), IsEmpty()) << "it was silent for longest";
  EXPECT_THAT(events(4), SizeIs(1));
  for (std::uint32_t of = 5; of < 100; ++of) send({.of = of, .psn = 1});
  EXPECT_THAT(events(1), SizeIs(1));
  EXPECT_EQ(last_.connections(), 3U);
  for (std::uint32_t of = 100; of < 103; ++of) send({.of = of, .psn = 1, .verdict = VerdictKind::kRetransmission});
  EXPECT_THAT(events(1), IsEmpty());
  EXPECT_EQ(last_.connections(), 3U);
}

TEST_F(LastMessagesTest, TwoDirectionsThatAreJoinedAreOne) {
  send({.psn = 0});  // connection 1
  ack(0, 1, 2);      // the other direction counted as connection 2
  send({.psn = 1, .bytes = 65});
  last_.join(2, 1);
  ack(1);
  EXPECT_THAT(events(1), ElementsAre(Event{1, 1, 0}, Event{2, 1, 1}, Event{3, 1, 0}, Event{4, 1, 1}));
  EXPECT_EQ(last_.connections(), 1U);
  last_.join(7, 1);
  last_.forget(7);
  last_.forget(1);
  EXPECT_EQ(last_.connections(), 0U);
}

}  // namespace
}  // namespace rocescope
