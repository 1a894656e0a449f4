// What a report leaves out because the capture does not show it.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "findings/findings.hpp"
#include "made_capture.hpp"
#include "support/captures.hpp"

namespace rocescope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const Report& report, FindingId id) {
  for (const Finding& finding : find_findings({.tracking = report})) {
    if (finding.info->id == id) return finding.what;
  }
  return {};
}

TEST(CaptureLimits, WithoutTheAnswersNothingIsATimeout) {
  constexpr const char* kWhy = "why is not known: the answers were not captured";
  Report report = testing::report_of({testing::shipped("impaired_in-loss_heavy.pcapng")});
  const auto server =
      std::find_if(report.connections.front().sides.begin(), report.connections.front().sides.end(),
                   [](const ConnectionSide& side) { return !side.sightings.find(FindingId::kRetransmissions); });
  ASSERT_NE(server, report.connections.front().sides.end());
  server->first_packet = 0;  // but its part of the handshake was seen: it is silent
  EXPECT_NE(text_of(report, FindingId::kTimeoutRecovery), "");
  EXPECT_THAT(text_of(report, FindingId::kRetransmissions), Not(HasSubstr(kWhy)));
  report.handshakes.clear();
  EXPECT_EQ(text_of(report, FindingId::kTimeoutRecovery), "");
  EXPECT_THAT(text_of(report, FindingId::kRetransmissions), HasSubstr(kWhy));
}

/// In its truth: the client's WRITEs had not completed when the server was killed. The server's DREQ follows.
TEST(CaptureLimits, GapsMayHideTheAcksOfWhatIsOutstanding) {
  Report report = testing::report_of({testing::shipped("killed-server.pcapng")});
  EXPECT_NE(text_of(report, FindingId::kTornDownOutstanding), "");
  for (ConnectionSide& side : report.connections.front().sides) {
    side.requests.make().troubles.make().capture_lost = 1;
    EXPECT_EQ(text_of(report, FindingId::kTornDownOutstanding), "");
    side.requests.make().troubles.make().capture_lost = 0;
  }
}

constexpr std::uint16_t kRight = 0x26BA;

/// A SEND up to its BTH, with this checksum in the IPv4 header; kRight is right from host 1, one
/// less from host 2, and so on.
testing::Buffer cut_send(std::uint32_t psn, std::uint8_t from, std::uint16_t checksum) {
  constexpr std::size_t kChecksum = 24;
  testing::Buffer frame = testing::rc_packet({.psn = psn, .after_bth = testing::Buffer(4), .from = from});
  frame[kChecksum] = static_cast<std::uint8_t>(checksum >> 8);
  frame[kChecksum + 1] = static_cast<std::uint8_t>(checksum);
  frame.resize(54);
  return frame;
}

TEST(CaptureLimits, AWrongHeaderChecksumShowsDamageWhereTheIcrcIsCut) {
  const testing::MadeCapture capture{cut_send(1, 1, kRight), cut_send(2, 1, kRight), cut_send(3, 65, kRight),
                                     cut_send(4, 1, kRight)};
  EXPECT_EQ(capture.report().connections.size(), 1U);
  EXPECT_EQ(capture.report().flows.size(), 1U);
  const auto damaged = capture.findings(FindingId::kIcrcBad);
  ASSERT_EQ(damaged.size(), 1U);
  EXPECT_EQ(damaged.front().what, "at least 1 packet damaged on its way here, of no known connection");
  EXPECT_EQ(testing::packets_of(damaged.front()), std::vector<std::uint64_t>{3});
  const testing::MadeCapture stranger{cut_send(1, 1, kRight), cut_send(3, 65, static_cast<std::uint16_t>(kRight - 64))};
  EXPECT_EQ(stranger.report().connections.size(), 2U);
  EXPECT_EQ(stranger.findings(FindingId::kIcrcBad).size(), 0U);
}

/// A host leaves the checksum to its NIC, or a tool changed all addresses.
TEST(CaptureLimits, HeaderChecksumsThatNobodyWroteShowNothing) {
  for (const std::uint16_t checksum : {std::uint16_t{0}, std::uint16_t{0x1234}}) {
    const testing::MadeCapture capture{cut_send(1, 1, checksum), cut_send(2, 1, checksum)};
    EXPECT_EQ(capture.report().connections.size(), 1U);
    EXPECT_EQ(capture.findings(FindingId::kIcrcBad).size(), 0U);
  }
}

/// In its truth: netem dropped READ responses behind the capture point only. Of a READ that is asked for again nobody sees which of its
/// responses the capture missed.
TEST(CaptureLimits, ReadResponsesThatWereNotSeenMayHaveBeenLostBehindIt) {
  Report report = testing::report_of({testing::shipped("lost_answers_in-read.pcapng")});
  const auto client = std::ranges::find_if(report.connections.front().sides,
                                           [](const ConnectionSide& side) { return side.recoveries() > 0; });
  ASSERT_NE(client, report.connections.front().sides.end());
  StreamTroubles& troubles = client->requests.make().troubles.make();
  EXPECT_EQ(text_of(report, FindingId::kReadResponseLossAfter),
            "at least 22 READ responses lost after the capture point");
  troubles.read_responses_lost_before = 4;
  EXPECT_EQ(text_of(report, FindingId::kReadResponseLossBefore), "");
  EXPECT_EQ(text_of(report, FindingId::kCaptureLoss),
            "4 READ responses not seen, lost before the capture point or missed by the capture");
  EXPECT_THAT(text_of(report, FindingId::kReadResponseLossAfter), HasSubstr("at least 1"));
  troubles.capture_lost = 1;
  EXPECT_EQ(text_of(report, FindingId::kReadResponseLossAfter), "");
  troubles.capture_lost = 0;
  troubles.read_responses_lost_after = 0;
  EXPECT_EQ(text_of(report, FindingId::kReadResponseLossBefore),
            "about 4 READ responses lost before the capture point");
  troubles.read_responses_lost_awaited = 3;
  EXPECT_EQ(text_of(report, FindingId::kReadResponseLossBefore),
            "about 4 READ responses lost before the capture point, at least 3");
  troubles.read_responses_lost_awaited = 4;
  EXPECT_EQ(text_of(report, FindingId::kReadResponseLossBefore),
            "at least 4 READ responses lost before the capture point");
}

/// In its truth: the receiver was not ready, and nothing was lost. What the capture misses must not say otherwise.
TEST(CaptureLimits, RnrNaksThatWereNotSeenAreNoLosses) {
  Report report = testing::report_of({testing::shipped("fault-slow-receiver.pcapng")});
  const auto sender = std::ranges::find_if(report.connections.front().sides,
                                           [](const ConnectionSide& side) { return side.rnr_naks() > 0; });
  ASSERT_NE(sender, report.connections.front().sides.end());
  EXPECT_THAT(text_of(report, FindingId::kRnr), Not(HasSubstr("at least")));
  StreamTroubles& troubles = sender->requests.make().troubles.make();
  troubles.lost_after = 1;
  EXPECT_EQ(text_of(report, FindingId::kPacketLossAfter), "");
  troubles.rnr_too_early = 1;
  EXPECT_NE(text_of(report, FindingId::kRnrTimerNotHonoured), "");
  troubles.lost_before = 1;
  EXPECT_EQ(text_of(report, FindingId::kRnrTimerNotHonoured), "");
  EXPECT_THAT(text_of(report, FindingId::kRnr), HasSubstr("at least"));
}

/// A mirror that shows a request twice may show a NAK again, too, when the requester has followed it already.
TEST(CaptureLimits, NaksAreCountedRoughlyWhereTheCaptureHasPacketsTwice) {
  const auto what_of = [](bool has_copy) {
    testing::MadeCapture capture;
    const auto send = [&](std::uint32_t psn, std::int64_t after) {
      const testing::Buffer frame = testing::rc_packet({.psn = psn, .after_bth = testing::Buffer(8), .dest_qp = 0x12});
      capture.add(frame, after);
      return frame;
    };
    const auto answer = [&](std::uint32_t psn, std::uint8_t syndrome, std::int64_t after) {
      const testing::RcPacket packet{.opcode = testing::rc::kAcknowledge,
                                     .psn = psn,
                                     .after_bth = testing::aeth(syndrome, psn),
                                     .from = 2,
                                     .to = 1};
      capture.add(testing::rc_packet(packet), after);
    };
    for (std::uint32_t psn = 1; psn < 20; ++psn) {
      const testing::Buffer frame = send(psn, 100'000);
      if (has_copy && psn == 10) capture.add(frame, 3'000);
      answer(psn, 0x1F, 5'000);
    }
    for (const std::uint32_t lost : {20U, 22U}) {
      send(lost + 1, 100'000);
      answer(lost, 0x60, 5'000);
      send(lost, 10'000);
      send(lost + 1, 1'000);
      answer(lost + 1, 0x1F, 5'000);
    }
    return text_of(capture.report(), FindingId::kNakSequence);
  };
  EXPECT_EQ(what_of(false), "2 NAKs for PSN sequence errors");
  EXPECT_EQ(what_of(true), "about 2 NAKs for PSN sequence errors");
}

}  // namespace
}  // namespace rocescope
