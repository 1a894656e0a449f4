// What the report counts of commands, at its limits.
#include "commands/command_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

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

}  // namespace
}  // namespace rocescope
