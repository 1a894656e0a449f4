// READs and atomics that are outstanding at once, counted by hand.
#include "tracking/watchers/read_depth.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>

#include "rocescope/tracker.hpp"
#include "support/durations.hpp"
#include "support/rc_packet.hpp"
#include "support/recorded.hpp"

namespace rocescope::read_depth_test {
namespace {

using testing::aeth;
using testing::Buffer;
using testing::rc_packet;
using testing::reth;
namespace rc = testing::rc;

constexpr std::uint32_t kBytes = 8;

Buffer read(std::uint32_t psn, std::uint32_t bytes = kBytes) {
  return rc_packet({.opcode = rc::kReadRequest, .psn = psn, .after_bth = reth(bytes, 0)});
}
Buffer response(std::uint8_t opcode, std::uint32_t psn, Buffer after_bth) {
  return rc_packet(
      {.opcode = opcode, .psn = psn, .after_bth = std::move(after_bth), .dest_qp = 0x22, .from = 2, .to = 1});
}
Buffer answer(std::uint32_t psn) {
  Buffer after_bth = aeth(0x1F);
  testing::append(after_bth, 0, kBytes);
  return response(rc::kReadOnly, psn, after_bth);
}

OutstandingReads most(std::initializer_list<Buffer> frames) {
  Tracker tracker;
  std::deque<testing::Recorded> recorded;
  for (const Buffer& frame : frames) {
    const auto number = recorded.size() + 1;
    PacketRecord& record =
        recorded.emplace_back(frame, static_cast<std::int64_t>(number) * kMillisecond, number).record();
    record.icrc = check_icrc(*record.packet);
    static_cast<void>(tracker.track(record));
  }
  return *std::move(tracker).finish().connections.at(0).sides[0].reads_outstanding;
}

TEST(ReadDepth, IsTheMostAtOnce) {
  const OutstandingReads reads =
      most({read(1), read(2), answer(1), answer(2), read(3), read(4), read(5), answer(3), read(6)});
  EXPECT_EQ(reads.most, 3U);
  EXPECT_EQ(reads.packet, 7U);
}

TEST(ReadDepth, CountsAtomicsAndNoOtherRequests) {
  constexpr std::uint8_t kFetchAdd = 0x14;
  const Buffer atomic = rc_packet({.opcode = kFetchAdd, .psn = 3, .after_bth = Buffer(28)});
  EXPECT_EQ(most({read(1), rc_packet({.psn = 2, .after_bth = Buffer(4)}), atomic}).most, 2U);
}

TEST(ReadDepth, ARepeatedRequestIsNoFurtherOne) { EXPECT_EQ(most({read(1), read(2), read(1), read(2)}).most, 2U); }

TEST(ReadDepth, WhatTheCaptureLacksEndsThem) {
  EXPECT_EQ(most({read(1), read(2), answer(2), read(3)}).most, 2U);
  EXPECT_EQ(most({read(1), read(2), rc_packet({.psn = 3, .after_bth = Buffer(4)}),
                  response(rc::kAcknowledge, 3, aeth(0x1F)), read(4)})
                .most,
            2U);
}

}  // namespace
}  // namespace rocescope::read_depth_test
