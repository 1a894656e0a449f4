// Connections of real captures. What must come out is what tshark counts in them: request packets by opcode that begin a
// message, CM messages, and queue pairs.
#include "rocescope/tracker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rocescope/dissect.hpp"
#include "support/pcap_walker.hpp"
#include "support/rc_packet.hpp"
#include "support/source_dir.hpp"

namespace rocescope {
namespace {

struct Tracked {
  std::deque<Connection> connections;
  std::vector<Message> messages_shown;  // in the order of their ends; then those that did not end
  std::vector<Verdict> verdicts;        // by frame, from 0

  [[nodiscard]] std::uint64_t messages(Operation operation) const {
    std::uint64_t messages = 0;
    for (const Connection& connection : connections) {
      for (const ConnectionSide& side : connection.sides) {
        messages += side.operations.of(operation).messages;
      }
    }
    return messages;
  }
  [[nodiscard]] std::uint64_t bytes(Operation operation) const {
    std::uint64_t bytes = 0;
    for (const Connection& connection : connections) {
      for (const ConnectionSide& side : connection.sides) {
        bytes += side.operations.of(operation).bytes;
      }
    }
    return bytes;
  }
  [[nodiscard]] long paired_by(PairedBy method) const {
    return std::count_if(connections.begin(), connections.end(),
                         [&](const Connection& connection) { return connection.paired_by == method; });
  }
};

/// Tracks the frames for which `keep(index)` is true.
template <class Keep>
Tracked track(const std::string& name, Keep keep) {
  const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/" + name);
  Tracker tracker;
  Tracked result;
  const MessageVisitor take = [&](const Connection&, std::size_t, const Message& message) {
    result.messages_shown.push_back(message);
  };
  tracker.on_message(take);
  Packet packet;
  for (std::size_t i = 0; i < capture.frames().size(); ++i) {
    if (!keep(i)) continue;
    dissect(capture.frames()[i], packet);
    PacketRecord record;
    record.packet = &packet;
    record.icrc = check_icrc(packet);
    result.verdicts.push_back(tracker.track(record));
  }
  tracker.visit_open_messages(take);
  result.connections = std::move(tracker).finish().connections;
  return result;
}
Tracked track(const std::string& name) {
  return track(name, [](std::size_t) { return true; });
}

TEST(Tracker, PairsByTheCmAndCountsMessages) {
  const Tracked tracked = track("lab_rping_write_ud_atomic.pcap");
  EXPECT_EQ(tracked.connections.size(), 5U);  // five REPs
  EXPECT_EQ(tracked.paired_by(PairedBy::kCm), 5);
  EXPECT_EQ(tracked.messages(Operation::kSend), 76U);
  EXPECT_EQ(tracked.messages(Operation::kWrite), 203U);  // 200 First, 3 Only
  EXPECT_EQ(tracked.bytes(Operation::kWrite), 200U * 4096 + 3 * 64);
  EXPECT_EQ(tracked.messages(Operation::kReadRequest), 3U);
  EXPECT_EQ(tracked.bytes(Operation::kReadRequest), 192U);
  EXPECT_EQ(tracked.messages(Operation::kFetchAdd), 20U);
  for (const Connection& connection : tracked.connections) {
    EXPECT_EQ(connection.path_mtu, 1024U);
    for (const ConnectionSide& side : connection.sides) {
      EXPECT_EQ(side.messages(), side.messages_completed());
      EXPECT_EQ(side.verdicts(VerdictKind::kRetransmission), 0U);
      EXPECT_EQ(side.missing_psns(), 0U);
    }
  }
}

TEST(Tracker, ShowsEachMessageOnce) {
  const auto keep_some = [](std::size_t i) { return i % 17 != 5; };  // so that some never end
  for (const Tracked& tracked :
       {track("lab_rping_write_ud_atomic.pcap"), track("lab_rping_write_ud_atomic.pcap", keep_some)}) {
    std::set<std::uint64_t> numbers;
    std::map<Operation, OperationTotals> shown;
    for (const Message& message : tracked.messages_shown) {
      numbers.insert(message.number);
      ++shown[message.operation].messages;
      shown[message.operation].bytes += message.bytes;
    }
    EXPECT_EQ(numbers.size(), tracked.messages_shown.size());
    for (const auto& [operation, totals] : shown) {
      EXPECT_EQ(totals.messages, tracked.messages(operation));
      EXPECT_EQ(totals.bytes, tracked.bytes(operation));
    }
  }
}

TEST(Tracker, PairsByPsnsWithoutTheCm) {
  const Tracked whole = track("lab_rping_write_ud_atomic.pcap");
  constexpr std::size_t kRequestOfTheBulk = 82;  // frames 83 to 85 are its handshake
  const Tracked late = track("lab_rping_write_ud_atomic.pcap",
                             [](std::size_t i) { return i > kRequestOfTheBulk + 2 || i < kRequestOfTheBulk; });
  EXPECT_EQ(late.paired_by(PairedBy::kCm), 4);
  EXPECT_EQ(late.paired_by(PairedBy::kPsn), 1);
  EXPECT_EQ(late.messages(Operation::kWrite), whole.messages(Operation::kWrite));
}

/// Which frames are of the communication manager, without which nobody can know that a queue pair begins anew.
std::vector<bool> managing(const std::string& name) {
  const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/" + name);
  std::vector<bool> result;
  Packet packet;
  for (const Frame& frame : capture.frames()) {
    dissect(frame, packet);
    result.push_back(packet.is_roce() && packet.roce.dest_qp == kGsiQp);
  }
  return result;
}

TEST(Tracker, CallsWhatAThinnedCaptureLacksNoLossOfTheNetwork) {
  const std::string name = "lab_rping_write_ud_atomic.pcap";
  const std::vector<bool> kept = managing(name);
  for (const std::size_t one_in : {10U, 100U}) {
    std::uint64_t capture_lost = 0;
    for (std::size_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE("one packet in " + std::to_string(one_in) + ", seed " + std::to_string(seed));
      std::size_t random = seed;
      const Tracked thin = track(name, [&](std::size_t i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        return kept[i] || (random >> 33) % one_in != 0;
      });
      for (const Connection& connection : thin.connections) {
        for (const ConnectionSide& side : connection.sides) {
          EXPECT_EQ(side.lost_before() + side.lost_after(), 0U);
          EXPECT_EQ(side.verdicts(VerdictKind::kRetransmission), 0U);
          EXPECT_EQ(side.verdicts(VerdictKind::kOutOfOrder), 0U);
          EXPECT_EQ(side.recoveries() + side.msn_backwards(), 0U);
          capture_lost += side.capture_lost();
        }
      }
    }
    EXPECT_GT(capture_lost, one_in == 10 ? 100U : 5U);
  }
}

TEST(Tracker, PairsByWhatPingpongsTellEachOtherOverTcp) {
  // tshark shows the key lines in frames 61 and 63 (RC) and 316 and 318 (UC) of it, and those of UD in 449 and 451.
  const Tracked tracked = track("lab_pingpong_atomic_udaddy.pcap");
  EXPECT_EQ(tracked.paired_by(PairedBy::kOob), 2);
  for (const Connection& connection : tracked.connections) {
    if (connection.paired_by != PairedBy::kOob) continue;
    EXPECT_EQ(connection.sides[0].qpn, connection.transport == Transport::kUc ? Qpn(0x13) : Qpn(0x12));
    EXPECT_EQ(connection.sides[0].address.bytes[15], 0x19);  // the client
    EXPECT_EQ(connection.sides[0].missing_psns() + connection.sides[1].missing_psns(), 0U);
  }
}

TEST(Tracker, PairsByTheLineThatIsAnsweredWhereTheTcpConnectionBeganUnseen) {
  const Tracked late = track("lab_pingpong_atomic_udaddy.pcap", [](std::size_t i) { return i >= 60; });
  EXPECT_EQ(late.paired_by(PairedBy::kOob), 2);
}

TEST(Tracker, PairsByPsnsOrPortsWithoutTheTcpConnection) {
  const auto is_tcp = [](std::size_t i) { return (i >= 55 && i < 65) || (i >= 310 && i < 322); };
  const Tracked tracked = track("lab_pingpong_atomic_udaddy.pcap", [&](std::size_t i) { return !is_tcp(i); });
  EXPECT_EQ(tracked.paired_by(PairedBy::kOob), 0);
  EXPECT_EQ(tracked.paired_by(PairedBy::kPsn), 1);
  EXPECT_EQ(tracked.paired_by(PairedBy::kPort), 1);  // UC acknowledges nothing
  EXPECT_EQ(tracked.connections.size(), 9U);
}

TEST(Tracker, GivesEachRequestExactlyOneVerdict) {
  for (const char* name : {"lab_rping_write_ud_atomic.pcap", "lab_pingpong_atomic_udaddy.pcap"}) {
    const Tracked tracked = track(name);
    std::uint64_t judged = 0;
    for (const Connection& connection : tracked.connections) {
      for (const ConnectionSide& side : connection.sides) {
        for (const std::uint64_t packets : side.verdicts()) judged += packets;
      }
    }
    const auto verdicts = std::count_if(tracked.verdicts.begin(), tracked.verdicts.end(),
                                        [](const Verdict& verdict) { return verdict.kind != VerdictKind::kNone; });
    EXPECT_EQ(judged, static_cast<std::uint64_t>(verdicts));
  }
}

/// From `queue_pairs` queue pairs of host 1, one after the other: `each` packets whose ICRC nobody computed. Then a right one of the first.
Tracked track_without_icrc(std::uint32_t queue_pairs, std::uint32_t each) {
  Tracker tracker;
  std::uint64_t frame = 0;
  const auto show = [&](std::uint32_t queue_pair, std::uint32_t psn, bool wrong) {
    testing::Buffer bytes =
        testing::rc_packet({.psn = psn, .after_bth = testing::Buffer(8), .dest_qp = 0x100 + queue_pair});
    if (wrong) std::fill(bytes.end() - 4, bytes.end(), std::uint8_t{0});
    Packet packet;
    dissect({.data = bytes, .original_length = static_cast<std::uint32_t>(bytes.size()), .number = ++frame}, packet);
    PacketRecord record;
    record.packet = &packet;
    record.icrc = check_icrc(packet);
    (void)tracker.track(record);
  };
  for (std::uint32_t psn = 0; psn < each; ++psn) {
    for (std::uint32_t i = 0; i < queue_pairs; ++i) show(i, psn, true);
  }
  show(0, each, false);
  for (std::uint32_t i = 1; i < queue_pairs; ++i) show(i, each, true);
  Tracked result;
  result.connections = std::move(tracker).finish().connections;
  return result;
}

TEST(Tracker, TakesAFewWrongIcrcsForDamageOnceTheirHostSentARightOne) {
  EXPECT_EQ(track_without_icrc(15, 4).connections.size(), 1U);
}

TEST(Tracker, BelievesTheQueuePairsOfAHostThatSentManyWithoutIcrc) {
  const Tracked tracked = track_without_icrc(20, 4);
  EXPECT_EQ(tracked.connections.size(), 20U);
  for (const Connection& connection : tracked.connections)
    EXPECT_EQ(connection.sides[0].sightings.find(FindingId::kIcrcBad), nullptr);
}

}  // namespace
}  // namespace rocescope
