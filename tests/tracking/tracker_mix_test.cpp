// Packets of a few queue pairs in any order: whatever comes, the tracker holds its laws and forgets what it must.
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "rocescope/dissect.hpp"
#include "rocescope/tracker.hpp"
#include "support/rc_packet.hpp"

namespace rocescope {
namespace {

/// Three hosts, four queue pairs each, PSNs close together: answers fit many flows, and flows turn out to be halves of
/// connections that others were candidates for.
testing::RcPacket any_packet(std::mt19937& random, std::uint32_t psn) {
  constexpr std::uint8_t kOpcodes[] = {0x04, 0x06, 0x07, 0x08, 0x0A, 0x0C, 0x10, 0x11,
                                       0x11, 0x11, 0x11, 0x12, 0x14, 0x81, 0x24};
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  testing::RcPacket packet;
  packet.opcode = kOpcodes[below(std::size(kOpcodes))];
  packet.psn = (psn + below(6)) & 0xFFFFFF;
  packet.from = static_cast<std::uint8_t>(1 + below(3));
  packet.to = static_cast<std::uint8_t>(1 + below(3));
  packet.dest_qp = 0x11 + below(4);
  constexpr std::uint8_t kSyndromes[] = {0x1F, 0x1F, 0x1F, 0x00, 0x60, 0x62, 0x2E};
  packet.after_bth = packet.opcode == 0x0C || packet.opcode == 0x06 || packet.opcode == 0x0A
                         ? testing::reth(64, packet.opcode == 0x0C ? 0 : 64)
                         : testing::aeth(kSyndromes[below(std::size(kSyndromes))]);
  packet.after_bth.resize(packet.after_bth.size() + 8 * below(3));
  return packet;
}

TEST(TrackerMix, HoldsItsLawsWhateverComes) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    std::mt19937 random(seed);
    Tracker tracker(TrackOptions{.max_connections = seed == 8 ? 5U : 100U});
    std::uint64_t ended = 0;
    tracker.on_message([&](const Connection&, std::size_t, const Message&) { ++ended; });
    std::uint64_t judged = 0;
    for (std::uint64_t number = 1; number <= 5'000; ++number) {
      const testing::Buffer bytes =
          testing::rc_packet(any_packet(random, 0xFFFF00 + static_cast<std::uint32_t>(number / 8)));
      Packet packet;
      dissect({.data = bytes,
               .original_length = static_cast<std::uint32_t>(bytes.size()),
               .timestamp = static_cast<std::int64_t>(number * (random() % 4 == 0 ? 100'000 : 1'000)),
               .number = number},
              packet);
      PacketRecord record;
      record.packet = &packet;
      record.icrc = check_icrc(packet);
      if (tracker.track(record).kind != VerdictKind::kNone) ++judged;
    }
    std::uint64_t open = 0;
    tracker.visit_open_messages([&](const Connection&, std::size_t, const Message&) { ++open; });
    const Tracking tracking = std::move(tracker).finish();
    std::uint64_t counted = 0;
    std::uint64_t messages = 0;
    std::uint64_t by_operation = 0;
    for (const Connection& connection : tracking.connections) {
      for (const ConnectionSide& side : connection.sides) {
        for (const std::uint64_t packets : side.verdicts()) counted += packets;
        messages += side.messages();
        for (const OperationTotals& totals : side.operations.all()) by_operation += totals.messages;
      }
    }
    EXPECT_LE(counted, judged) << seed;  // what a joined half said before it is not counted again
    EXPECT_GT(counted, judged / 2) << seed;
    EXPECT_EQ(messages, by_operation) << seed;
    EXPECT_LE(messages, ended + open) << seed;
  }
}

}  // namespace
}  // namespace rocescope
