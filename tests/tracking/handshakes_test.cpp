// Handshakes that go wrong, queue pairs that are used again, and strangers. The CM messages are those of a real capture.
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "rocescope/dissect.hpp"
#include "rocescope/tracker.hpp"
#include "support/durations.hpp"
#include "support/hosts.hpp"
#include "support/pcap_walker.hpp"
#include "support/source_dir.hpp"
#include "tracking/connections/connection_table.hpp"
#include "tracking/handshakes/handshake_follower.hpp"
#include "tracking/handshakes/handshake_table.hpp"

namespace rocescope {
namespace {

using testing::host;

/// Frames of captures/lab_rping_write_ud_atomic.pcap, which tshark shows as REQ, REP, RTU, DREQ, DREP of one connection.
constexpr std::size_t kReq = 16;
constexpr std::size_t kRep = 17;
constexpr std::size_t kDreq = 55;
constexpr std::size_t kDrep = 56;

struct SentFrame {
  std::size_t frame = 0;
  std::int64_t delay = 0;  ///< ns after its time in the capture
  std::uint32_t sent = 0;  ///< how many messages its queue pair sent in between: what is sent again has another PSN
};
Tracking track(const std::vector<SentFrame>& sent, const TrackOptions& options = {}) {
  const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/lab_rping_write_ud_atomic.pcap");
  Tracker tracker(options);
  Packet packet;
  for (const SentFrame& each : sent) {
    Frame frame = capture.frames()[each.frame - 1];
    frame.timestamp += each.delay;
    dissect(frame, packet);
    packet.roce.psn = packet.roce.psn + each.sent;
    PacketRecord record;
    record.packet = &packet;
    (void)tracker.track(record);
  }
  return std::move(tracker).finish();
}

TEST(Handshakes, AreTimedOutWhenTheRequestIsRepeatedAndNobodyAnswers) {
  const Tracking tracking = track({{kReq}, {kReq, 4 * kSecond, 1}, {kReq, 8 * kSecond, 2}});
  ASSERT_EQ(tracking.handshakes.size(), 1U);
  EXPECT_EQ(tracking.handshakes[0].outcome, HandshakeOutcome::kTimedOut);
  EXPECT_EQ(tracking.handshakes[0].steps[0].count, 3U);
  ASSERT_NE(tracking.sightings.find(FindingId::kCmTimeout), nullptr);
  ASSERT_NE(tracking.sightings.find(FindingId::kCmRetries), nullptr);
  EXPECT_EQ(tracking.sightings.find(FindingId::kCmRetries)->seen.count, 2U);
}

/// A second capture point, whose clock is 2 s behind, shows both a second time.
TEST(Handshakes, TakeWhatHasNoNewPsnForNoRetry) {
  const Tracking tracking = track({{kReq}, {kReq, 1 * kSecond, 1}, {kReq, 2 * kSecond}, {kReq, 3 * kSecond, 1}});
  ASSERT_EQ(tracking.handshakes.size(), 1U);
  EXPECT_EQ(tracking.handshakes[0].steps[0].count, 2U);
}

TEST(Handshakes, TakeACopyOfTheCaptureForNoRetry) {
  const Tracking tracking = track({{kReq}, {kReq, 1000}, {kRep}});
  EXPECT_EQ(tracking.handshakes[0].steps[0].count, 1U);
  EXPECT_EQ(tracking.sightings.find(FindingId::kCmRetries), nullptr);
  EXPECT_EQ(tracking.handshakes[0].outcome, HandshakeOutcome::kIncomplete);
  EXPECT_NE(tracking.sightings.find(FindingId::kCmIncomplete), nullptr);
}

TEST(Handshakes, WhoseBeginningWasNotSeenAreUnknownAndNoTrouble) {
  const Tracking tracking = track({{kDreq}, {kDrep}});
  ASSERT_EQ(tracking.handshakes.size(), 1U);
  EXPECT_EQ(tracking.handshakes[0].outcome, HandshakeOutcome::kUnknown);
  EXPECT_TRUE(tracking.sightings.all().empty());
}

TEST(Handshakes, OneReplyThatComesTwiceMakesOneConnection) {
  EXPECT_EQ(track({{kReq}, {kRep}, {kRep, kSecond}}).connections.size(), 1U);
}

// Its packets and the DREQ come before the REP that makes a connection of the same queue pairs.
TEST(Handshakes, AreOfTheConnectionThatTheyMadeAlone) {
  constexpr std::size_t kSend = 19;
  const std::vector<SentFrame> late = {{kReq}, {kSend}, {kDreq}, {kRep, 4 * kSecond}, {kSend, 6 * kSecond}};
  const Tracking tracking = track(late);
  ASSERT_EQ(tracking.connections.size(), 2U);
  EXPECT_EQ(tracking.connections[0].handshake, 0U);
  EXPECT_EQ(tracking.connections[1].handshake, 1U);
  EXPECT_EQ(tracking.handshakes.at(0).connection, 2U);
}

TEST(Handshakes, StayWithTheConnectionThatTheyMadeWhenAnotherIsEvicted) {
  constexpr std::size_t kSend = 19;
  const Tracking tracking = track({{kReq},
                                   {kSend},
                                   {kDreq},
                                   {kRep, 4 * kSecond},
                                   {kSend, 6 * kSecond},
                                   {kSend, 6 * kSecond + 1'000'000},
                                   {kSend, 6 * kSecond + 2'000'000}},
                                  {.idle_timeout = 5 * kSecond});
  ASSERT_EQ(tracking.connections.size(), 1U);
  EXPECT_EQ(tracking.connections[0].number, 2U);
  ASSERT_EQ(tracking.handshakes.size(), 1U);
  EXPECT_EQ(tracking.handshakes[0].connection, 2U);
}

// A request that has the IDs of one before, and comes so much later that nobody repeats it, begins another handshake.
TEST(Handshakes, AboveTheLimitCountWithThePacketsThatCount) {
  const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/lab_rping_write_ud_atomic.pcap");
  Tracker tracker;
  Packet packet;
  PacketRecord record;
  record.packet = &packet;
  dissect(capture.frames()[kReq - 1], packet);
  const auto ask = [&](bool counts) {
    packet.frame.timestamp += 60 * kSecond;
    (void)tracker.track(record, counts);
  };
  for (std::size_t i = 0; i < HandshakeTable::kDefaultMost; ++i) ask(true);
  for (int i = 0; i < 5; ++i) ask(false);
  for (int i = 0; i < 3; ++i) ask(true);
  const Tracking tracking = std::move(tracker).finish();
  EXPECT_EQ(tracking.handshakes.size(), HandshakeTable::kDefaultMost);
  EXPECT_EQ(tracking.unlisted_handshakes, 3U);
}

// The REQ says 7 retries (tshark: infiniband.cm.req.retrcount).
std::vector<QpTransition> states_after(int retries) {
  constexpr std::size_t kRtu = 18;
  constexpr std::size_t kSend = 19;
  std::vector<SentFrame> sent = {{kReq}, {kRep}, {kRtu}, {kSend}};
  for (int i = 1; i <= retries; ++i) sent.push_back({kSend, i * kSecond});
  sent.push_back({kDreq, 20 * kSecond});
  return track(sent).connections.at(0).sides[0].states;
}

TEST(States, GoToErrorAfterTheLastRetryThatNobodyAnswered) {
  const auto states = states_after(7);
  ASSERT_EQ(states.size(), 4U);
  EXPECT_EQ(states[0].state, QpState::kInit);
  EXPECT_EQ(states[1].state, QpState::kRtr);
  EXPECT_EQ(states[2].state, QpState::kRts);
  EXPECT_EQ(states[3].state, QpState::kErr);
  EXPECT_FALSE(states[3].observed);
  EXPECT_EQ(states[3].packet, 19U);
}

TEST(States, GoToErrorWithTheTearDownWhereRetriesWereLeft) {
  const auto states = states_after(6);
  ASSERT_EQ(states.size(), 4U);
  EXPECT_EQ(states[3].state, QpState::kErr);
  EXPECT_TRUE(states[3].observed);
  EXPECT_EQ(states[3].packet, 55U);
}

// In the REP of captures/rdmagen-cm-write-read.pcapng: address, R_Key, length.
const std::vector<std::uint8_t> kBigEndian = {
    0x00, 0x00, 0x7f, 0x14, 0xc9, 0xed, 0xb0, 0x00,
    0x00, 0x00, 0x02, 0xb5, 0x00, 0x00, 0x10};  // a zero at the end is not kept

TEST(Regions, AreFoundWhereARethUsesThem) {
  const auto region = find_region(kBigEndian, 0x7f14c9edb000, 0x2b5, 4096);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->address, 0x7f14c9edb000U);
  EXPECT_EQ(region->length, 4096U);
  EXPECT_EQ(region->proof->offset, 0U);
  EXPECT_TRUE(region->proof->big_endian);
}

TEST(Regions, AreFoundByARethThatUsesAPartOfThem) {
  const auto region = find_region(kBigEndian, 0x7f14c9edb800, 0x2b5, 2048);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->address, 0x7f14c9edb000U);
  EXPECT_FALSE(find_region(kBigEndian, 0x7f14c9edb800, 0x2b5, 2049));
}

TEST(Regions, AreNotFoundByAnotherKeyOrAddress) {
  EXPECT_FALSE(find_region(kBigEndian, 0x7f14c9edb000, 0x2b6, 4096));
  EXPECT_FALSE(find_region(kBigEndian, 0x7f14c9eda000, 0x2b5, 4096));
  EXPECT_FALSE(find_region({}, 0x7f14c9edb000, 0x2b5, 4096));
}

TEST(Regions, MayBeLittleEndianAndStandAnywhere) {
  const std::vector<std::uint8_t> data = {0xEE, 0x00, 0xb0, 0xed, 0xc9, 0x14, 0x7f, 0x00, 0x00, 0xb5, 0x02};
  const auto region = find_region(data, 0x7f14c9edb000, 0x2b5, 64);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->proof->offset, 1U);
  EXPECT_FALSE(region->proof->big_endian);
  EXPECT_EQ(region->length, 0U);
}

class ConnectionTableTest : public ::testing::Test {
 protected:
  ConnectionTableTest() {
    ConnectionSetup setup{.method = PairedBy::kCm, .addresses = {host(1), host(2)}, .qpns = {Qpn(5), Qpn(7)}};
    setup.first_psns = {Psn(1000), Psn(2000)};
    first_ = table_.set_up(setup);
  }
  std::uint32_t request(std::uint8_t from, std::uint32_t psn, std::int64_t time = 0) {
    const auto place = table_.find(
        {.key = {host(from), host(2), Qpn(7), 0}, .request = true, .psn = Psn(psn), .frame = ++frames_, .time = time});
    place.connection->facts.last_time = time;
    return place.connection->facts.number;
  }

  ConnectionTable table_{100};
  std::uint32_t first_ = 0;
  std::uint64_t frames_ = 0;
};

TEST_F(ConnectionTableTest, ClosedQueuePairsThatBeginElsewhereAreAnotherConnection) {
  EXPECT_EQ(request(1, 1000), first_);
  EXPECT_EQ(request(1, 900'000), first_);
  table_.close(first_, 10);
  EXPECT_EQ(request(1, 1001), first_);  // late
  const std::uint32_t second = request(1, 900'000);
  EXPECT_NE(second, first_);
  EXPECT_EQ(request(1, 1001), second);
}

TEST_F(ConnectionTableTest, AConnectionThatAHandshakeNamesIsFoundOnceItWasJoined) {
  const auto packet = [&](std::uint8_t from, std::uint8_t to, std::uint32_t qpn, bool request, std::uint32_t psn) {
    const auto place = table_.find(
        {.key = {host(from), host(to), Qpn(qpn), 0}, .request = request, .psn = Psn(psn), .source_port = 7});
    if (request) {
      StreamNews news;
      static_cast<void>(place.connection->requester(place.sender)
                            .request({.opcode = &opcode_info(0x04), .psn = Psn(psn)}, TrackOptions(), news));
      table_.note_requests(*place.connection);
    }
    return place.connection->facts.number;
  };
  const std::uint32_t one = packet(3, 4, 0x11, true, 100);
  const std::uint32_t other = packet(4, 3, 0x22, true, 500);
  ASSERT_NE(one, other);
  table_.at(other)->facts.handshake = 9;  // a DREQ named it
  EXPECT_EQ(packet(4, 3, 0x22, false, 100), one);
  EXPECT_EQ(table_.at(other)->facts.number, one);
  EXPECT_EQ(table_.at(one)->facts.handshake, 9U);
}

}  // namespace
}  // namespace rocescope
