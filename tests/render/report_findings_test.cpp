// The findings of the report for people: one a line, summed up where there are many, wrapped at the terminal's width.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "findings/findings.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/render.hpp"
#include "support/captures.hpp"
#include "support/hosts.hpp"

namespace rocescope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::host;
using ::testing::Not;

/// Of one connection, from 10.0.0.1 to 10.0.0.`to`.
void add(Report& report, FindingId id, std::uint32_t connection, std::uint64_t weight, std::uint8_t to = 2,
         const FindingInfo* cause = nullptr) {
  Finding finding{.info = &finding_info(id), .cause = cause, .connection = connection, .side = 0, .weight = weight};
  finding.path = Finding::Path{host(1), host(to)};
  finding.what = std::to_string(weight) + " things";
  finding.seen = {.count = 1, .first_time = connection * 1'000'000LL, .last_time = 100'000'000'000LL};
  finding.filter = "rocescope.connection == " + std::to_string(connection) + " && a.very.long.filter.that.nobody.wraps";
  report.findings.push_back(finding);
}

/// The section of the findings.
std::string findings_of(Report report, render::ReportTextOptions options = {}) {
  report.totals.traffic = report.totals.roce = {1, 100};
  report.totals.first_time = 0;
  report.totals.last_time = 100'000'000'000;
  sort_findings(report.findings);
  std::string text;
  render::append_report_text(report, text, options);
  const std::size_t begin = text.find("\nFindings\n") + 1;
  return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

const FindingInfo* const kLoss = &finding_info(FindingId::kPacketLossBefore);

TEST(ReportFindings, StandOneALineTheCauseFirst) {
  Report report;
  add(report, FindingId::kRetransmissions, 1, 79, 2, kLoss);
  add(report, FindingId::kPacketLossBefore, 1, 18);
  EXPECT_EQ(findings_of(report), R"(Findings
  error      connection 1, 10.0.0.1 > 10.0.0.2
             18 things    packet_loss_before  0.001 to 100.000 s
             - 79 things  retransmissions     0.001 to 100.000 s
  What they mean and what to do: rocescope explain packet_loss_before
)");
}

TEST(ReportFindings, OfManyConnectionsWithOneCauseAreSummedUp) {
  Report report;
  for (std::uint32_t connection = 1; connection <= 930; ++connection) {
    const std::uint64_t lost = connection == 17 ? 5000 : connection == 210 ? 4000 : connection == 4 ? 20 : 10;
    add(report, FindingId::kPacketLossBefore, connection, lost);
    if (connection > 900) add(report, FindingId::kRetransmissions, connection, 100, 2, kLoss);
  }
  add(report, FindingId::kPacketLossBefore, 1001, 4500, 3);
  add(report, FindingId::kRetryExhausted, 1002, 4);
  EXPECT_EQ(findings_of(report), R"(Findings
  error      connection 1002, 10.0.0.1 > 10.0.0.2
             4 things                                            retry_exhausted     1.002 to 100.000 s
  error      930 connections, 10.0.0.1 > 10.0.0.2; the worst: 17, 210, 4
             18,290 packets were lost before the capture point   packet_loss_before  0.001 to 100.000 s
             - 3,000 packets were sent again, on 30 connections  retransmissions     0.901 to 100.000 s
  error      connection 1001, 10.0.0.1 > 10.0.0.3
             4500 things                                         packet_loss_before  1.001 to 100.000 s
  What they mean and what to do: rocescope explain retry_exhausted
)");
}

TEST(ReportFindings, OfThreeConnectionsAreNotSummedUp) {
  Report report;
  for (const std::uint32_t connection : {1U, 2U, 3U}) add(report, FindingId::kRnr, connection, 7);
  const std::string text = findings_of(report);
  for (const char* whose : {"connection 1,", "connection 2,", "connection 3,"}) EXPECT_THAT(text, HasSubstr(whose));
}

TEST(ReportFindings, WithoutASumOfTheirWeightsAreCounted) {
  Report report;
  for (std::uint32_t connection = 1; connection <= 4; ++connection) {
    add(report, FindingId::kRetryExhausted, connection, 8);
  }
  EXPECT_THAT(findings_of(report), AllOf(HasSubstr("4 connections, 10.0.0.1 > 10.0.0.2; the worst: 1, 2, 3\n"),
                                         HasSubstr("  the requester gave up  retry_exhausted")));
}

/// What the least certain of them leaves open stays open.
TEST(ReportFindings, KeepTheirDoubtWhereTheyAreSummedUp) {
  Report report;
  for (std::uint32_t connection = 1; connection <= 4; ++connection) {
    add(report, FindingId::kCaptureLoss, connection, connection);
    Finding& last = report.findings.back();
    last.strength = connection == 1 ? Strength::kEstimated : Strength::kAtLeast;
    last.what = connection == 1 ? "1 packet not seen, lost before the capture point or missed by the capture"
                                : "the capture missed at least some packets that arrived";
  }
  EXPECT_THAT(findings_of(report),
              HasSubstr("about 10 packets not seen, lost before the capture point or missed by the capture"));
}

TEST(ReportFindings, OfOnePacketInAllAreInTheSingular) {
  Report report;
  for (std::uint32_t connection = 1; connection <= 4; ++connection) {
    add(report, FindingId::kGoBackNWaste, connection, 1);
    add(report, FindingId::kNakSequence, connection, connection == 1 ? 1 : 0);
  }
  EXPECT_THAT(findings_of(report), HasSubstr("PSN sequence errors: 1 NAK"));
  EXPECT_THAT(findings_of(report), Not(HasSubstr("1 NAKs")));
}

TEST(ReportFindings, OfManyHostsAreSummedUpTogether) {
  Report report;
  for (std::uint32_t connection = 1; connection <= 60; ++connection) {
    add(report, FindingId::kRnr, connection, connection, static_cast<std::uint8_t>(2 + connection % 30));
  }
  EXPECT_THAT(findings_of(report), AllOf(HasSubstr("60 connections of 31 hosts; the worst: 60, 59, 58\n"),
                                         HasSubstr("receiver not ready: 1,830 RNR NAKs"), Not(HasSubstr("more"))));
}

TEST(ReportFindings, AreAllListedWhereTheUserAsksForThem) {
  Report report;
  for (std::uint32_t connection = 1; connection <= 40; ++connection) add(report, FindingId::kRnr, connection, 7);
  const std::string text = findings_of(report, {.detail = true, .all = true, .width = 80});
  for (std::uint32_t connection = 1; connection <= 40; ++connection) {
    EXPECT_THAT(text, HasSubstr("connection " + std::to_string(connection) + ", 10.0.0.1"));
    EXPECT_THAT(text, HasSubstr("-Y 'rocescope.connection == " + std::to_string(connection) +
                                " && a.very.long.filter.that.nobody.wraps'\n"));
  }
}

TEST(ReportFindings, SayHowManyAreLeftOut) {
  Report report;
  const std::vector<FindingId> ids{
      FindingId::kRnr,          FindingId::kCreditStall, FindingId::kReordering,      FindingId::kCnpStorm,
      FindingId::kCeWithoutCnp, FindingId::kCaptureLoss, FindingId::kPacketLossAfter, FindingId::kIcrcBad};
  std::uint32_t connection = 0;
  for (const FindingId id : ids) {
    for (int i = 0; i < 3; ++i) add(report, id, ++connection, 1);
  }
  EXPECT_THAT(findings_of(report), HasSubstr("\n  ... and 4 more findings (-v shows all)\n"));
}

TEST(ReportFindings, FitTheTerminal) {
  for (const std::string name : {"fault-slow-receiver", "impaired_out-loss_heavy", "killed-server", "fault-wrong-rkey",
                                 "impaired_out-reorder_heavy", "ecn-heavy", "dead_service", "lost-heavy"}) {
    const Report report = testing::report_of({testing::shipped(name + ".pcapng")});
    std::string whole;
    render::append_report_text(report, whole);
    for (const std::size_t width : {80U, 100U, 120U}) {
      std::string text;
      render::append_report_text(report, text, {.width = width});
      EXPECT_LE(longest_line(text.substr(text.find('\n') + 1)), width) << name;
      // No word of the findings is lost.
      for (const Finding& finding : report.findings) {
        if (finding.info->severity == Severity::kNote) continue;
        std::istringstream words(finding.what);
        for (std::string word; words >> word;) EXPECT_THAT(text, HasSubstr(word)) << name;
        EXPECT_THAT(text, HasSubstr(std::string(finding.info->name))) << name;
      }
    }
  }
}

std::string table_of(std::size_t width) {
  render::ReportTable table({{"no."}, {"side"}, {"transport"}, {"QP"}, {"bytes"}, {"resent"}, {"empty"}, {"last"}});
  table.row({"1", "10.0.0.1 0x000011", "RC", "0x000011", "1.2 kB", "7", "", "0.5"});
  std::string text;
  table.append_to(text, width);
  return text;
}

TEST(ReportTable, LeavesColumnsOutInTheStatedOrder) {
  const std::string whole =
      "  no.  side               transport  QP        bytes   resent  last\n"
      "  1    10.0.0.1 0x000011  RC         0x000011  1.2 kB  7       0.5\n";
  EXPECT_EQ(table_of(0), whole);
  EXPECT_EQ(table_of(longest_line(whole) + 1), whole);
  EXPECT_EQ(table_of(60),
            "  no.  side               QP        bytes   resent  last\n"
            "  1    10.0.0.1 0x000011  0x000011  1.2 kB  7       0.5\n"
            "  no room here for: transport\n");
  EXPECT_EQ(table_of(50),
            "  no.  side               QP        resent  last\n"
            "  1    10.0.0.1 0x000011  0x000011  7       0.5\n"
            "  no room here for: transport, bytes\n");
  EXPECT_EQ(table_of(45),
            "  no.  side               QP        resent\n"
            "  1    10.0.0.1 0x000011  0x000011  7\n"
            "  no room here for: transport, bytes, last\n");
}

TEST(ReportTable, NeverLeavesQueuePairsOut) {
  EXPECT_THAT(table_of(10), AllOf(HasSubstr("10.0.0.1 0x000011"), HasSubstr("QP"), Not(HasSubstr("resent  "))));
}

/// What was counted on the way may have been overtaken, or missed by the capture.
TEST(ReportFindings, SayHowManyLossesTheTableOfConnectionsStates) {
  Report report;
  Connection& connection = report.connections.emplace_back();
  connection.number = 1;
  connection.sides[0].requests.make().troubles.make().lost_before = 19;
  connection.sides[0].requests.make().troubles.make().lost_after = 4;
  add(report, FindingId::kPacketLossBefore, 1, 18);
  report.findings.back().strength = Strength::kAtLeast;
  std::string text;
  render::append_report_text(report, text, {});
  EXPECT_THAT(text, AllOf(HasSubstr("lost before"), HasSubstr(" 18+"), Not(HasSubstr("lost after"))));
  report.findings.clear();
  text.clear();
  render::append_report_text(report, text, {});
  EXPECT_THAT(text, Not(HasSubstr("lost before")));
}

}  // namespace
}  // namespace rocescope
