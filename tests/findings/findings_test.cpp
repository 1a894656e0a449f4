// Findings of the lab's captures, where it is known what was done to the traffic.
#include "findings/findings.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "filter/filter.hpp"
#include "support/captures.hpp"

namespace rocescope {
namespace {

using ::testing::HasSubstr;

std::set<std::string> serious(const Report& report) {
  std::set<std::string> names;
  for (const Finding& finding : report.findings) {
    if (finding.info->severity != Severity::kNote) names.insert(std::string(finding.info->name));
  }
  return names;
}

const Finding* find(const Report& report, FindingId id) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const Finding& finding) { return finding.info->id == id; });
  return found == report.findings.end() ? nullptr : &*found;
}

TEST(Findings, AreNoneWhereNothingWentWrong) {
  for (const std::string name : {"rdmagen-cm-bulk", "rdmagen-cm-mixed", "rdmagen-exchange-mpi", "ipv6", "vlan",
                                 "psn_wrap", "path_mtu-256", "rping", "rdmagen_transport-exchange-uc"}) {
    const Report report = testing::report_of({testing::shipped(name + ".pcapng")});
    EXPECT_EQ(serious(report), std::set<std::string>()) << name;
  }
}

TEST(Findings, CountWhatWasPaused) {
  Report report;
  report.sightings.add(FindingId::kPfcPause, 1, 0);
  for (const char* clause : {"1 pause frame from 1 port and class", "1 pause frame from 2 ports and classes"}) {
    report.pauses.emplace_back();
    const std::vector<Finding> found = find_findings({.tracking = report});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].what, clause);
  }
}

// The 18 packets of tests/render and README.md, which the lab dropped: had the capture dropped so many, nobody could know.
TEST(Findings, BlameTheCaptureForAsManyPacketsAsItDropped) {
  Report report = testing::report_of({testing::shipped("impaired_out-loss_heavy.pcapng")});
  CaptureInterface& interface = report.captures[0].info.interfaces[0];
  const auto find_again = [&] {
    report.findings = find_findings({.tracking = report, .dropped = dropped_packets(report.captures[0].info)});
  };
  interface.dropped = 18;
  find_again();
  EXPECT_EQ(find(report, FindingId::kPacketLossBefore), nullptr);
  EXPECT_EQ(std::count_if(report.findings.begin(), report.findings.end(),
                          [](const Finding& finding) { return finding.info->id == FindingId::kCaptureLoss; }),
            2);
  const auto of_all = std::find_if(report.findings.begin(), report.findings.end(),
                                   [](const Finding& finding) { return finding.connection == 0; });
  ASSERT_NE(of_all, report.findings.end());
  EXPECT_EQ(of_all->what, "18 packets dropped while capturing");

  interface.dropped = 17;
  find_again();
  const Finding* finding = find(report, FindingId::kPacketLossBefore);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->what,
            "at least 1 packet lost before the capture point (0.6 %); 17 more lost there or missed by the capture");
}

// In its truth the server's device counts 18 duplicate requests, and netem had to duplicate packets.
TEST(Findings, BlameTheNetworkForCopiesThatTheReceiverAnswered) {
  const Report report = testing::report_of({testing::shipped("impaired_out-duplicate_heavy.pcapng")});
  const Finding* finding = find(report, FindingId::kNetworkDuplicates);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->strength, Strength::kAtLeast);
  EXPECT_GT(finding->weight, 0U);
  EXPECT_LE(finding->weight, 18U);
  EXPECT_EQ(find(report, FindingId::kCaptureDuplicates), nullptr);
}

TEST(Findings, NameTheRefusedRequest) {
  const Report report = testing::report_of({testing::shipped("fault-wrong-rkey.pcapng")});
  const Finding* finding = find(report, FindingId::kNakRemoteAccess);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->seen.count, 1U);
  EXPECT_THAT(finding->what, HasSubstr("R_Key 0x"));
  EXPECT_THAT(finding->what, HasSubstr("refused: remote access error"));
}

/// The completion statuses in their truths: REM_ACCESS_ERR, REM_OP_ERR (rxe's answer to a SEND that is too long),
/// RNR_RETRY_EXC_ERR.
TEST(Findings, TellRefusalsByTheirNak) {
  const std::map<std::string, FindingId> kFaults = {{"fault-out-of-range", FindingId::kNakRemoteAccess},
                                                    {"fault-read-only", FindingId::kNakRemoteAccess},
                                                    {"fault-wrong-rkey", FindingId::kNakRemoteAccess},
                                                    {"fault-oversized-send", FindingId::kNakRemoteOperational},
                                                    {"fault-rnr", FindingId::kRnr},
                                                    {"fault-slow-receiver", FindingId::kRnr}};
  for (const auto& [name, id] : kFaults) {
    EXPECT_NE(find(testing::report_of({testing::shipped(name + ".pcapng")}), id), nullptr) << name;
  }
}

TEST(Findings, TellOnWhichSideOfTheCapturePacketsWereLost) {
  const Report before = testing::report_of({testing::shipped("impaired_out-loss_heavy.pcapng")});
  EXPECT_NE(find(before, FindingId::kPacketLossBefore), nullptr);
  EXPECT_EQ(find(before, FindingId::kPacketLossAfter), nullptr);
  EXPECT_NE(find(before, FindingId::kNakSequence), nullptr);
  EXPECT_EQ(before.findings.front().info->severity, Severity::kError);
  const Report after = testing::report_of({testing::shipped("impaired_in-loss_heavy.pcapng")});
  EXPECT_EQ(find(after, FindingId::kPacketLossBefore), nullptr);
  EXPECT_NE(find(after, FindingId::kPacketLossAfter), nullptr);
}

/// Every packet that a finding names is among those that its filter shows, and those are as many as it counts.
TEST(Findings, HaveFiltersThatShowTheirPackets) {
  std::set<std::string_view> seen;
  for (const std::string& path : testing::all_captures()) {
    const Report report = testing::report_of({path});
    for (const Finding& finding : report.findings) {
      if (finding.filter.empty()) continue;
      const Result<filter::Filter> filter = filter::compile(finding.filter);
      ASSERT_TRUE(filter) << finding.info->name << ": " << filter.error().message;
      if (!seen.insert(finding.info->name).second) continue;  // one capture for each suffices
      std::set<std::uint64_t> shown;
      Result<std::unique_ptr<FrameSource>> source = open_captures(std::vector<std::string>{path});
      PacketReader reader(**source);
      while (const PacketRecord* record = reader.next()) {
        if (filter->matches(*record)) shown.insert(record->packet->frame.number);
      }
      for (const std::uint64_t packet : finding.seen.packets) {
        if (packet == 0) continue;
        EXPECT_TRUE(shown.contains(packet)) << path << ": " << finding.info->name << ", packet " << packet;
      }
      EXPECT_FALSE(shown.empty()) << path << ": " << finding.info->name;
    }
  }
  EXPECT_GT(seen.size(), 6U);
}

}  // namespace
}  // namespace rocescope
