// What the report counts of commands, at its limits.
#include "ulp/command_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace rocescope {
namespace {

Command failed_with(std::uint32_t status) {
  Command command;
  command.connection = 1;
  command.protocol = UpperProtocol::kNvme;
  command.operation = "Read";
  command.outcome = CommandOutcome::kFailed;
  command.status = status;
  command.response_packet = status;
  return command;
}

/// Further kinds are left out, and those that are known go on.
TEST(CommandLog, CountsKnownStatusesAtItsLimit) {
  CommandLog log;
  constexpr auto kMost = static_cast<std::uint32_t>(CommandReport::kMostTotals);
  for (std::uint32_t status = 1; status <= kMost + 1; ++status) log.add(failed_with(status), true);
  for (int i = 0; i < 2; ++i) log.add(failed_with(7), true);
  const CommandReport report = log.take();
  ASSERT_EQ(report.failures.size(), kMost);
  EXPECT_EQ(report.failures.front().status, 7);  // the most frequent first
  EXPECT_EQ(report.failures.front().commands, 3);
  EXPECT_EQ(report.failures.front().first_packet, 7);
}

/// What further sizes share names no size that is not known.
TEST(CommandLog, KeepsCutSizesApartAtItsLimit) {
  static const std::string names(CommandReport::kMostTotals + 2, 'a');
  CommandLog log;
  Command command;
  command.protocol = UpperProtocol::kSrp;
  command.outcome = CommandOutcome::kSucceeded;
  for (std::size_t i = 1; i <= CommandReport::kMostTotals; ++i) {
    command.operation = std::string_view(names).substr(0, i);
    log.add(Command(command), true);
  }
  command.operation = "Read(10)";
  command.bytes = 4096;
  log.add(Command(command), true);
  command.bytes = 512;  // of one of its two lists
  command.size_is_cut = true;
  log.add(Command(command), true);
  const CommandReport report = log.take();
  std::vector<std::pair<std::optional<std::uint64_t>, std::uint64_t>> rows;
  for (const CommandTotals& each : report.totals) {
    if (each.operation == command.operation) rows.emplace_back(each.at_least, each.bytes);
  }
  EXPECT_THAT(rows, ::testing::UnorderedElementsAre(::testing::Pair(std::nullopt, 0), ::testing::Pair(0, 4096)));
}

/// The time of the target is not 0 where the place of the data was cut, and what was sent again is not all.
TEST(CommandLog, CountsNoPartsThatAreNotKnown) {
  CommandLog log;
  Command command;
  command.outcome = CommandOutcome::kSucceeded;
  command.issued = 100;
  command.completed = 200;
  log.add(Command(command), true);
  const auto histograms = [](const CommandTotals& totals) {
    return std::tuple(totals.latency.count(), totals.target.count(), totals.network.count(), totals.resent_is_cut);
  };
  EXPECT_EQ(histograms(log.totals()[0]), std::tuple(1, 1, 1, false));
  command.place_is_cut = true;
  log.add(Command(command), true);
  EXPECT_EQ(histograms(log.totals()[0]), std::tuple(2, 1, 1, true));
}

}  // namespace
}  // namespace rocescope
