// The same PSN with another payload. That payloads differ or not is seen from their bytes.
#include "tracking/watchers/payload_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/tracker.hpp"
#include "support/durations.hpp"
#include "support/pcap_walker.hpp"
#include "support/recorded.hpp"
#include "support/source_dir.hpp"

namespace rocescope::payload_watch_test {
namespace {

using testing::Buffer;
using ::testing::ElementsAre;

struct Verified {
  IcrcCheck icrc;
  Buffer payload;  // with pad
};

TEST(SamePayload, AgreesWithTheBytes) {
  const testing::PcapWalker capture(rocescope::testing::source_dir() + "/captures/lab_pingpong_atomic_udaddy.pcap");
  std::vector<Verified> packets;
  Packet packet;
  for (const Frame& frame : capture.frames()) {
    dissect(frame, packet);
    const IcrcCheck icrc = check_icrc(packet);
    if (icrc.status != IcrcStatus::kGood) continue;
    const auto payload =
        frame.data.subspan(packet.roce.payload_offset, packet.roce.payload_length + packet.roce.pad_length);
    packets.push_back({icrc, {payload.begin(), payload.end()}});
  }
  std::size_t same = 0;
  std::size_t different = 0;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    for (std::size_t j = i + 1; j < std::min(packets.size(), i + 50); ++j) {
      if (packets[i].payload.size() != packets[j].payload.size()) continue;
      const bool equal = packets[i].payload == packets[j].payload;
      ++(equal ? same : different);
      const auto bytes = static_cast<std::uint32_t>(packets[i].payload.size());
      EXPECT_EQ(same_payload(packets[i].icrc, packets[j].icrc, bytes), equal);
    }
  }
  EXPECT_GT(same, 1000U);
  EXPECT_GT(different, 1000U);
}

constexpr std::size_t kIpId = 18;
constexpr std::size_t kAckRequest = 50;
constexpr std::size_t kPayload = 54;

/// RC SEND Only with a right ICRC.
Buffer send(std::uint32_t psn, Buffer payload, std::uint8_t ip_id = 1, std::uint8_t opcode = 0x04) {
  Buffer frame = testing::roce_packet({.opcode = opcode, .psn = psn, .after_bth = std::move(payload)});
  frame[kIpId] = ip_id;
  if (ip_id % 2 == 0) frame[kAckRequest] = 0x80;
  const std::uint32_t icrc = check_icrc(testing::dissect_frame(frame)).expected;
  for (std::size_t i = 0; i < 4; ++i) frame[frame.size() - 4 + i] = static_cast<std::uint8_t>(icrc >> (24 - 8 * i));
  return frame;
}

struct Seen {
  std::vector<std::uint64_t> frames;
  std::uint64_t count = 0;
  std::uint64_t original = 0;
};

Seen conflicts(const std::vector<Buffer>& frames) {
  Tracker tracker;
  std::deque<testing::Recorded> recorded;
  for (const Buffer& frame : frames) {
    const auto number = recorded.size() + 1;
    PacketRecord& record =
        recorded.emplace_back(frame, static_cast<std::int64_t>(number) * kMillisecond, number).record();
    record.icrc = check_icrc(*record.packet);
    static_cast<void>(tracker.track(record));
  }
  Seen seen;
  for (const Connection& connection : std::move(tracker).finish().connections) {
    for (const ConnectionSide& side : connection.sides) {
      const Sighting* sighting = side.sightings.find(FindingId::kPayloadConflict);
      if (sighting == nullptr) continue;
      seen.count += sighting->seen.count;
      seen.original = sighting->amount;
      for (const std::uint64_t frame : sighting->seen.packets) {
        if (frame != 0) seen.frames.push_back(frame);
      }
    }
  }
  return seen;
}

TEST(PayloadWatch, SeesAnotherPayload) {
  const Seen seen = conflicts({send(1, {1, 2, 3, 4}), send(2, {5, 6, 7, 8}), send(1, {1, 2, 3, 4}, 2),
                               send(2, {5, 6, 7, 9}, 3), send(2, {5, 6, 7, 8}, 4), send(2, {5, 5, 5, 5}, 5)});
  EXPECT_THAT(seen.frames, ElementsAre(4, 6));
  EXPECT_EQ(seen.count, 2U);
  EXPECT_EQ(seen.original, 2U);
}

TEST(PayloadWatch, SeesAnotherLength) {
  EXPECT_THAT(conflicts({send(1, {1, 2, 3, 4}), send(1, {1, 2, 3, 4, 0, 0, 0, 0}, 2)}).frames, ElementsAre(2));
}

/// However many packets of the stream came between.
TEST(PayloadWatch, SeesAnotherPayloadOfAPacketLongAgo) {
  constexpr std::uint32_t kBetween = 5'000;
  std::vector<Buffer> frames;
  for (std::uint32_t psn = 1; psn <= kBetween; ++psn) frames.push_back(send(psn, {1, 2, 3, 4}));
  for (const std::uint32_t psn : {1U, 2U})
    frames.push_back(send(psn, {1, 2, 3, static_cast<std::uint8_t>(psn + 3)}, 2));
  EXPECT_THAT(conflicts(frames).frames, ElementsAre(kBetween + 2));
}

TEST(PayloadWatch, AccusesNobodyForOtherHeaders) {
  EXPECT_EQ(conflicts({send(1, {1, 2, 3, 4}, 1), send(1, {1, 2, 3, 4}, 2), send(1, {1, 2, 3, 4}, 3)}).count, 0U);
}

TEST(PayloadWatch, AWrongIcrcProvesNothing) {
  Buffer damaged = send(1, {1, 2, 3, 4}, 2);
  damaged[kPayload] = 9;
  EXPECT_EQ(conflicts({send(1, {1, 2, 3, 4}), damaged}).count, 0U);
}

TEST(PayloadWatch, ReadResponsesMayChange) {
  constexpr std::uint8_t kReadResponseOnly = 0x10;
  const Buffer before = {0, 0, 0, 1, 1, 2, 3, 4};
  const Buffer after = {0, 0, 0, 1, 5, 6, 7, 8};
  EXPECT_EQ(conflicts({send(1, before, 1, kReadResponseOnly), send(1, after, 2, kReadResponseOnly)}).count, 0U);
}

}  // namespace
}  // namespace rocescope::payload_watch_test
