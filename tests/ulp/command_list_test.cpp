// Commands that are kept in little memory come out as they were put in.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "partial/members.hpp"
#include "rocescope/command.hpp"

namespace rocescope {
namespace {

static_assert(partial::detail::members_in<Command>() == 40, "a member that CommandList does not keep");

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

Command usual(std::uint64_t number) {
  Command command;
  command.number = number;
  command.connection = 7;
  command.initiator = 1;
  command.protocol = UpperProtocol::kLibfabric;
  command.outcome = CommandOutcome::kUnseen;
  command.kind = CommandKind::kTask;
  command.is_answer = number % 2 == 0;
  command.queue = 3;
  command.queue_is_known = number % 3 == 0;
  command.id = 0x1234;
  command.opcode = 0x8001;
  command.operation = number % 5 == 0 ? "Read" : "Write";
  command.target = 0;
  command.offset = 4096 + number;
  command.blocks = 8;
  command.bytes = 4096;
  command.in_capsule = number % 7 == 0;
  command.opcode_is_cut = number % 3 == 0;
  command.size_is_cut = number % 5 == 0;
  command.place_is_cut = number % 4 == 0;
  command.status = 0;
  command.do_not_retry = number % 11 == 0;
  command.status_name = number % 5 == 0 ? "" : "Success";
  command.request_packet = 100 + number;
  command.response_packet = number % 13 == 0 ? 0 : 104 + number;
  command.issued = kStart + static_cast<std::int64_t>(number) * 1000;
  command.acknowledged = *command.issued - 5;
  command.first_data = *command.issued;
  if (number % 23 == 0) command.data_taken = *command.issued + 500'000;
  if (number % 19 == 0) command.answered = *command.issued + 1'000'000;
  command.completed = *command.issued + 2'000'000;
  command.data_bytes = 4096;
  command.resent = 2;
  command.round_trip = 31'000'000;
  command.round_trip_is_sure = number % 2 == 1;
  command.response_copied = static_cast<Copied>(number % 4);
  command.data_copied = static_cast<Copied>(number / 4 % 4);
  if (number % 17 == 0) command.detail = "detail " + std::to_string(number);
  return command;
}

/// Nothing fits into 32 bits.
Command large() {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  Command command = usual(kMost);
  command.connection = 0xFFFF'FFFF;
  command.queue = 0xFFFF'FFFF;
  command.id = kMost;
  command.target = kMost;
  command.offset = kMost - 1;
  command.blocks = kMost;
  command.file = 0xFFFF'FFFF;
  command.bytes = kMost;
  command.status = 0xFFFF'FFFF;
  command.request_packet = kMost;
  command.response_packet = 1;
  command.issued = std::numeric_limits<std::int64_t>::min();
  command.acknowledged = std::numeric_limits<std::int64_t>::max();
  command.last_data = -1;
  command.data_bytes = kMost;
  command.resent = kMost;
  command.detail = std::string(100'000, 'x');
  return command;
}

void expect_equal(const Command& a, const Command& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.connection, b.connection);
  EXPECT_EQ(a.initiator, b.initiator);
  EXPECT_EQ(a.protocol, b.protocol);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.is_answer, b.is_answer);
  EXPECT_EQ(a.queue, b.queue);
  EXPECT_EQ(a.queue_is_known, b.queue_is_known);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.opcode, b.opcode);
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.blocks, b.blocks);
  EXPECT_EQ(a.file, b.file);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.in_capsule, b.in_capsule);
  EXPECT_EQ(a.opcode_is_cut, b.opcode_is_cut);
  EXPECT_EQ(a.size_is_cut, b.size_is_cut);
  EXPECT_EQ(a.place_is_cut, b.place_is_cut);
  EXPECT_EQ(a.detail, b.detail);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.do_not_retry, b.do_not_retry);
  EXPECT_EQ(a.status_name, b.status_name);
  EXPECT_EQ(a.request_packet, b.request_packet);
  EXPECT_EQ(a.response_packet, b.response_packet);
  EXPECT_EQ(a.issued, b.issued);
  EXPECT_EQ(a.acknowledged, b.acknowledged);
  EXPECT_EQ(a.first_data, b.first_data);
  EXPECT_EQ(a.last_data, b.last_data);
  EXPECT_EQ(a.data_taken, b.data_taken);
  EXPECT_EQ(a.answered, b.answered);
  EXPECT_EQ(a.completed, b.completed);
  EXPECT_EQ(a.data_bytes, b.data_bytes);
  EXPECT_EQ(a.resent, b.resent);
  EXPECT_EQ(a.round_trip, b.round_trip);
  EXPECT_EQ(a.round_trip_is_sure, b.round_trip_is_sure);
  EXPECT_EQ(a.response_copied, b.response_copied);
  EXPECT_EQ(a.data_copied, b.data_copied);
}

TEST(CommandList, GivesCommandsAsTheyWere) {
  std::vector<Command> all;
  CommandList list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
  for (std::uint64_t number = 1; number < 2'000; ++number) all.push_back(number % 500 == 0 ? large() : usual(number));
  all.emplace_back();
  for (const Command& command : all) list.push_back(command);
  ASSERT_EQ(list.size(), all.size());
  std::size_t place = 0;
  for (const Command& command : list) {
    SCOPED_TRACE(place);
    expect_equal(command, all[place]);
    if (place % 97 == 0) expect_equal(list[place], all[place]);
    ++place;
  }
  EXPECT_EQ(place, all.size());
  expect_equal(list[all.size() - 1], Command());
}

TEST(CommandList, ChangesThemInPlace) {
  CommandList list;
  for (std::uint64_t number = 1; number <= 1'000; ++number) list.push_back(usual(number));
  list.change([](Command& command) { command.connection = 0xFFFF'0000; });
  ASSERT_EQ(list.size(), 1'000U);
  Command changed = usual(1'000);
  changed.connection = 0xFFFF'0000;
  expect_equal(list[999], changed);
  const CommandList moved = std::move(list);
  EXPECT_EQ(moved.size(), 1'000U);
  EXPECT_TRUE(list.empty());  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace rocescope
