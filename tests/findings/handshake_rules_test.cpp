// Findings that compare a handshake with the traffic after it: reports made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "findings/findings.hpp"
#include "made_capture.hpp"
#include "support/captures.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::packets_of;
using ::testing::SizeIs;

std::vector<Finding> of(const std::vector<Finding>& findings, FindingId id) {
  std::vector<Finding> found;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(found),
               [&](const Finding& finding) { return finding.info->id == id; });
  return found;
}

const IpAddress kClient = IpAddress::v4(ByteArray<4>{10, 0, 0, 1});
const IpAddress kServer = IpAddress::v4(ByteArray<4>{10, 0, 0, 2});

/// A connection whose passive side has resources for four READs; `most` were outstanding.
Report reads(std::uint32_t most) {
  Report report;
  Handshake& handshake = report.handshakes.emplace_back();
  handshake.number = 7;
  handshake.sides[0] = {.address = kClient, .comm_id = {}, .qpn = Qpn(0x11), .first_psn = {}, .responder_resources = 1};
  handshake.sides[1] = {.address = kServer, .comm_id = {}, .qpn = Qpn(0x22), .first_psn = {}, .responder_resources = 4};
  Connection& connection = report.connections.emplace_back();
  connection.number = 1;
  connection.handshake = 7;
  connection.sides[0].address = kClient;
  connection.sides[0].qpn = Qpn(0x11);
  connection.sides[1].address = kServer;
  connection.sides[1].qpn = Qpn(0x22);
  connection.sides[0].reads_outstanding.make() = {.most = most, .packet = 42, .time = 5};
  return report;
}

TEST(ReadDepthExceeded, WhenThereAreMoreThanTheResponderHasResourcesFor) {
  const auto found = of(find_findings({.tracking = reads(5)}), FindingId::kReadDepthExceeded);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "5 READs and atomics outstanding where the responder has resources for 4");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(42));
  EXPECT_THAT(of(find_findings({.tracking = reads(4)}), FindingId::kReadDepthExceeded), IsEmpty());
}

TEST(CmRetries, CountsWhatWasSentAgain) {
  Report report;
  Handshake& handshake = report.handshakes.emplace_back();
  handshake.number = 1;
  handshake.outcome = HandshakeOutcome::kEstablished;
  handshake.steps = {
      {.message = HandshakeMessage::kReq, .packet = 10, .time = 1'000, .last_packet = 10, .last_time = 1'000},
      {.message = HandshakeMessage::kRep,
       .count = 2,
       .packet = 11,
       .time = 2'000,
       .last_packet = 12,
       .last_time = 3'000},
      {.message = HandshakeMessage::kDreq,
       .count = 3,
       .packet = 20,
       .time = 4'000,
       .last_packet = 22,
       .last_time = 9'000},
  };
  const auto found = of(find_findings({.tracking = report}), FindingId::kCmRetries);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "REP sent twice, DREQ sent 3 times");
  EXPECT_EQ(found[0].seen.count, 3U);
  EXPECT_THAT(packets_of(found[0]), ElementsAre(12, 22));
}

/// SMB Direct's: a REQ to port 5445 that is rejected, and one to `port`, `later` ns behind the REJ.
Report probed(std::uint64_t port, std::int64_t later) {
  constexpr std::uint64_t kTcp = 0x0106'0000;
  Report report;
  for (std::uint32_t i = 0; i < 2; ++i) {
    Handshake& handshake = report.handshakes.emplace_back();
    handshake.number = i + 1;
    handshake.sides[0].address = kClient;
    handshake.sides[1].address = kServer;
    handshake.service_id = kTcp + (i == 0 ? 5445 : port);
    const std::int64_t time = i == 0 ? 1'000 : 2'000 + later;
    handshake.steps.push_back({.packet = 10 + i, .time = time, .last_packet = 10 + i, .last_time = time});
    handshake.outcome = i == 0 ? HandshakeOutcome::kRejected : HandshakeOutcome::kEstablished;
  }
  report.handshakes[0].reject = {.sender = 1, .reason = 8, .packet = 20, .time = 2'000};
  return report;
}

TEST(CmProbe, IsARejectedRequestBehindWhichAnotherServiceAccepts) {
  const auto found = find_findings({.tracking = probed(445, 1'000)});
  ASSERT_THAT(of(found, FindingId::kCmProbe), SizeIs(1));
  EXPECT_EQ(of(found, FindingId::kCmProbe)[0].what,
            "nobody listens at service ID 0x0000000001061545; handshake 2, to 0x00000000010601bd, was accepted");
  EXPECT_THAT(of(found, FindingId::kCmReject), IsEmpty());
}

TEST(CmProbe, IsNoneOfTheSameServiceOrMuchLaterOrForAnotherReason) {
  EXPECT_THAT(of(find_findings({.tracking = probed(5445, 1'000)}), FindingId::kCmReject), SizeIs(1));
  EXPECT_THAT(of(find_findings({.tracking = probed(445, 10'000'000'001)}), FindingId::kCmReject), SizeIs(1));
  Report before = probed(445, -1'500);
  EXPECT_THAT(of(find_findings({.tracking = before}), FindingId::kCmReject), SizeIs(1));
  Report consumer = probed(445, 1'000);
  consumer.handshakes[0].reject->reason = 28;
  EXPECT_THAT(of(find_findings({.tracking = consumer}), FindingId::kCmReject), SizeIs(1));
}

/// Two set-up exchanges in which the server announces a region with the same key.
Report announced_twice(std::uint64_t second_address) {
  Report report;
  for (std::uint32_t i = 0; i < 2; ++i) {
    Handshake& handshake = report.handshakes.emplace_back();
    handshake.number = i + 1;
    handshake.kind = HandshakeKind::kExchange;
    handshake.sides[1].address = kServer;
    handshake.sides[1].region = {
        .address = i == 0 ? 0x1000 : second_address, .r_key = 0x77, .length = 0x1000, .packet = 5 + i};
  }
  return report;
}

TEST(RkeyReused, WhenTheRegionsDoNotTouch) {
  const auto found = of(find_findings({.tracking = announced_twice(0x2000)}), FindingId::kRkeyReused);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what,
            "R_Key 0x00000077 of 10.0.0.2 covers 4096 bytes at 0x2000; in packet 5 it covered 4096 bytes at 0x1000");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(6));
  EXPECT_THAT(of(find_findings({.tracking = announced_twice(0x1000)}), FindingId::kRkeyReused), IsEmpty());
  EXPECT_THAT(of(find_findings({.tracking = announced_twice(0x1800)}), FindingId::kRkeyReused), IsEmpty());
}

TEST(RkeyInClear, WhenALaterRequestUsesIt) {
  Report report = announced_twice(0x1000);
  EXPECT_THAT(of(find_findings({.tracking = report}), FindingId::kRkeyInClear), IsEmpty());
  MemoryRegion& region = report.memory_regions.emplace_back();
  region.responder = kServer;
  region.r_key = 0x77;
  region.first_packet = 9;
  const auto found = of(find_findings({.tracking = report}), FindingId::kRkeyInClear);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "2 R_Keys announced in the set-up exchange before requests used them");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(5, 6));
}

/// In their truths rdmagen's exchange announces the keys that its WRITEs use; a ping-pong of SENDs uses none.
TEST(RkeyInClear, InCaptures) {
  const auto found = [](const std::string& name) {
    return of(testing::report_of({testing::shipped(name + ".pcapng")}).findings, FindingId::kRkeyInClear);
  };
  EXPECT_THAT(found("rdmagen-exchange-bulk"), SizeIs(1));
  EXPECT_THAT(found("rdmagen-exchange-pingpong"), IsEmpty());
  EXPECT_THAT(found("pingpong-rc"), IsEmpty());
}

}  // namespace
}  // namespace rocescope
