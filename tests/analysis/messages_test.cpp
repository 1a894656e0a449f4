// Which messages a visitor is shown, and how far the requests of connections are.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "analysis/analysis.hpp"
#include "support/all_captures.hpp"

namespace rocescope {
namespace {

AnalysisOptions reading_ahead() {
  AnalysisOptions options;
  options.parts = kVerdictPart;
  options.ahead = ReadingAhead::kBatches;
  return options;
}

std::set<std::uint64_t> troubled_messages(const std::string& path, MessageChoice choice, bool express) {
  Result<std::unique_ptr<FrameSource>> source = open_capture(path);
  if (!source) return {};
  Analysis analysis(**source, reading_ahead());
  std::set<std::uint64_t> numbers;
  analysis.on_message(
      [&](const Connection& /*connection*/, std::size_t /*side*/, const Message& message) {
        if (choice == MessageChoice::kTroubled) {
          EXPECT_FALSE(ends_well(message)) << path << ", message " << message.number;
        }
        if (!ends_well(message)) numbers.insert(message.number);
      },
      choice);
  if (express) analysis.take_express_lane();
  while (analysis.next() != nullptr) {
  }
  static_cast<void>(analysis.finish());
  return numbers;
}

TEST(AnalysisMessages, ThoseInTroubleAreTheSameWhereOnlyTheyAreShown) {
  std::size_t troubled = 0;
  for (const std::string& path : testing::captures_to_repeat()) {
    const std::set<std::uint64_t> expected = troubled_messages(path, MessageChoice::kAll, false);
    EXPECT_EQ(troubled_messages(path, MessageChoice::kTroubled, true), expected) << path;
    EXPECT_EQ(troubled_messages(path, MessageChoice::kTroubled, false), expected) << path;
    troubled += expected.size();
  }
  EXPECT_GT(troubled, 0U);
}

/// The most that was in flight at any time is what the report says was the most.
TEST(AnalysisProgress, ReachesTheMostInFlightOfTheReport) {
  std::size_t tried = 0;
  for (const std::string& path : testing::captures_to_repeat(1)) {
    Result<std::unique_ptr<FrameSource>> source = open_capture(path);
    if (!source) continue;
    Analysis analysis(**source, reading_ahead());
    std::map<std::pair<IpAddress, std::uint32_t>, std::uint32_t> most;  // by requester and queue pair it sends to
    while (const PacketRecord* const record = analysis.next()) {
      const Packet& packet = *record->packet;
      if (record->verdict.connection == 0 || !packet.roce.opcode->request) continue;
      const auto progress = analysis.tracker().progress(record->verdict.connection, packet.source, packet.roce.dest_qp);
      if (!progress) continue;
      std::uint32_t& packets = most[{packet.source, packet.roce.dest_qp.value()}];
      packets = std::max(packets, progress->in_flight.packets);
    }
    const Report report = analysis.finish();
    if (report.connections.size() != 1 || report.connections.front().joined != 0) continue;
    const Connection& connection = report.connections.front();
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t expected = connection.sides[side].most_in_flight().packets;
      if (expected == 0) continue;  // no responses were seen
      const auto requester = std::pair(connection.sides[side].address, connection.sides[1 - side].qpn->value());
      EXPECT_EQ(most[requester], expected) << path << ", side " << side;
      ++tried;
    }
  }
  EXPECT_GT(tried, 10U);
}

}  // namespace
}  // namespace rocescope
