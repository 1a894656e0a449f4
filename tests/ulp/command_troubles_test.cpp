// What is counted of the commands of a connection, for findings.
#include "model/command_troubles.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace rocescope {
namespace {

TEST(CommandTroubles, CountsNoShapeWhereTheSizeWasCut) {
  CommandTroubles troubles;
  for (const bool is_cut : {true, false}) {
    Command command;
    command.protocol = UpperProtocol::kSrp;
    command.kind = CommandKind::kIo;
    command.bytes = 512;  // of one of its lists
    command.size_is_cut = is_cut;
    command.request_packet = 1;
    command.issued = 0;
    troubles.add(command, {});
  }
  EXPECT_EQ(troubles.shape.commands, 1U);
  EXPECT_EQ(troubles.shape.small.count, 1U);
}

TEST(CommandTroubles, BlamesNoTargetWhereTheSizeWasCutAndNoDataWereSeen) {
  constexpr std::int64_t kSecond = 1'000'000'000;  // ns
  const auto slow = [](bool is_cut, std::uint64_t moved) {
    CommandTroubles troubles;
    Command command;
    command.protocol = UpperProtocol::kNfs;
    command.kind = CommandKind::kIo;
    command.outcome = CommandOutcome::kSucceeded;
    command.size_is_cut = is_cut;
    command.data_bytes = moved;
    command.request_packet = 1;
    command.issued = 0;
    troubles.add(command, CommandTimes{.total = kSecond, .target = kSecond});
    return troubles.target->seen.count;
  };
  EXPECT_EQ(slow(true, 0), 0U);
  EXPECT_EQ(slow(true, 4'096), 1U);
  EXPECT_EQ(slow(false, 0), 1U);
}

TEST(CommandTroubles, TellDataInTheCapsuleThatTheTargetRefuses) {
  const auto id = [](bool in_capsule, std::uint32_t status) {
    CommandTroubles troubles;
    Command command;
    command.protocol = UpperProtocol::kNvme;
    command.kind = CommandKind::kIo;
    command.outcome = CommandOutcome::kFailed;
    command.in_capsule = in_capsule;
    command.status = status;
    troubles.add(command, {});
    return troubles.failures.at(0).id;
  };
  EXPECT_EQ(id(true, 0x16), FindingId::kInCapsuleRefused);
  EXPECT_EQ(id(true, 0x0F), FindingId::kInCapsuleRefused);
  EXPECT_EQ(id(true, 0x06), FindingId::kIoFailed);
  EXPECT_EQ(id(false, 0x16), FindingId::kIoFailed);
}

/// The capture missed the command: its response shows that it failed, and of some protocols what kind it is.
TEST(CommandTroubles, CountAFailureWhereTheResponseAloneWasSeen) {
  const auto failures = [](CommandKind kind, bool is_answer) {
    CommandTroubles troubles;
    Command command;
    command.protocol = UpperProtocol::kNvme;
    command.kind = kind;
    command.outcome = CommandOutcome::kUnseen;
    command.status = 6;
    command.is_answer = is_answer;
    command.response_packet = 138;
    troubles.add(command, {});
    EXPECT_TRUE(troubles.lacks_commands);
    return troubles.failures;
  };
  ASSERT_EQ(failures(CommandKind::kIo, false).size(), 1U);
  EXPECT_EQ(failures(CommandKind::kIo, false)[0].id, FindingId::kIoFailed);
  EXPECT_EQ(failures(CommandKind::kIo, false)[0].seen.packets[0], 138U);
  EXPECT_EQ(failures(CommandKind::kIo, true).size(), 0U);
  EXPECT_EQ(failures(CommandKind::kOther, false).size(), 0U);
}

}  // namespace
}  // namespace rocescope
