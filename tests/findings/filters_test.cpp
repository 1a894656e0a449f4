// The display filters of findings, over all captures: each compiles, and needs no reader who knows which of && and || binds closer.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "filter/filter.hpp"
#include "rocescope/capture.hpp"
#include "support/captures.hpp"

namespace rocescope {
namespace {

/// Whether && and || stand beside each other without parentheses between them.
bool mixes_and_with_or(std::string_view filter) {
  std::vector<std::string_view> levels(1);  // the operator of each open parenthesis
  bool quoted = false;
  for (std::size_t i = 0; i < filter.size(); ++i) {
    if (filter[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (filter[i] == '(') levels.emplace_back();
    if (filter[i] == ')') levels.pop_back();
    const std::string_view two = filter.substr(i, 2);
    if (two != "&&" && two != "||") continue;
    if (!levels.back().empty() && levels.back() != two) return true;
    levels.back() = two;
  }
  return false;
}

TEST(MixesAndWithOr, LooksAtEachPairOfParentheses) {
  EXPECT_FALSE(mixes_and_with_or("a && b && c"));
  EXPECT_FALSE(mixes_and_with_or("a && (b || c) && (d || e)"));
  EXPECT_FALSE(mixes_and_with_or("a == \"||\" && b"));
  EXPECT_TRUE(mixes_and_with_or("a && b || c"));
  EXPECT_TRUE(mixes_and_with_or("(a || b) && (c && d || e)"));
}

/// A finding about a connection, its filter, and how many packets of other connections the filter selects.
struct Selection {
  const Finding* finding;
  filter::Filter filter;
  std::uint64_t of_others = 0;
};

std::vector<Selection> selections(const Report& report, const std::string& path) {
  std::vector<Selection> list;
  for (const Finding& finding : report.findings) {
    EXPECT_FALSE(mixes_and_with_or(finding.filter)) << path << ": " << finding.filter;
    Result<filter::Filter> compiled = filter::compile(finding.filter);
    if (!compiled) {
      ADD_FAILURE() << path << ": " << compiled.error().message;
      continue;
    }
    // The filter of a handshake selects by its transaction.
    if (finding.connection == 0 || finding.handshake != 0) continue;
    list.push_back({.finding = &finding, .filter = std::move(*compiled)});
  }
  return list;
}

TEST(FilterOfAFinding, SelectsPacketsOfItsConnectionAlone) {
  std::set<std::string_view> seen;
  for (const std::string& path : testing::all_captures()) {
    Result<std::unique_ptr<FrameSource>> source = open_capture(path);
    if (!source) continue;  // some are no captures
    const Report report = testing::report_of({path});
    std::vector<Selection> list = selections(report, path);
    PacketReader reader(**source, {.ahead = ReadingAhead::kBatches});
    while (const PacketRecord* record = list.empty() ? nullptr : reader.next()) {
      for (Selection& each : list) {
        if (record->verdict.connection != each.finding->connection && each.filter.matches(*record)) ++each.of_others;
      }
    }
    for (const Selection& each : list) {
      EXPECT_EQ(each.of_others, 0U) << path << ": " << each.finding->filter;
      seen.insert(each.finding->info->name);
    }
  }
  EXPECT_TRUE(seen.contains("ecn_marked"));
  EXPECT_GT(seen.size(), 10U);
}

}  // namespace
}  // namespace rocescope
