// Where the time of a command goes, by what was seen of it.
#include <gtest/gtest.h>

#include <cstdint>

#include "ulp/command_book.hpp"

namespace rocescope::command_times_test {

/// Sent at 100, acknowledged at 110, with data from 140 to 150 and its response at 200.
OpenCommand whole() {
  OpenCommand open;
  open.command.issued = 100;
  open.command.acknowledged = 110;
  open.command.first_data = 140;
  open.command.last_data = 150;
  open.command.completed = 200;
  return open;
}

CommandTimes times_of(OpenCommand open) {
  open.note_copies();
  return open.command.times().value_or(CommandTimes());
}

/// Where packets on the way from the target were lost.
CommandTimes times_with_losses(OpenCommand open) {
  open.note_copies();
  open.command.doubt_late();
  return open.command.times().value_or(CommandTimes());
}

void expect_parts(const CommandTimes& times, std::int64_t resend, std::int64_t unknown, std::int64_t target) {
  EXPECT_EQ(times.request, 10);
  EXPECT_EQ(times.data, 10);
  EXPECT_EQ(times.resend, resend);
  EXPECT_EQ(times.unknown, unknown);
  EXPECT_EQ(times.target, target);
  EXPECT_EQ(times.total, 100);
}

TEST(CommandTimes, OfATargetThatLosesNothing) { expect_parts(times_of(whole()), 0, 0, 80); }

TEST(CommandTimes, OfCopies) {
  OpenCommand open = whole();
  open.command.response_copied = Copied::kYes;
  open.copy_after = 1;  // what is known stays known
  expect_parts(times_with_losses(open), 50, 30, 0);
}

TEST(CommandTimes, ACopyOfTheResponseSaysNothingWhereThePlaceOfTheDataWasCut) {
  OpenCommand open = whole();
  open.command.response_copied = Copied::kYes;
  open.command.place_is_cut = true;
  for (const bool with_data : {true, false}) {  // others may have come behind those that were seen
    if (!with_data) open.command.first_data.reset();
    if (!with_data) open.command.last_data.reset();
    EXPECT_EQ(times_of(open).resend, 0);
    EXPECT_EQ(times_of(open).unknown, times_of(open).total - times_of(open).request);
  }
}

TEST(CommandTimes, WhereThePlaceOfTheDataWasCutNothingIsKnownOfThemAndTheTarget) {
  OpenCommand open = whole();
  open.command.place_is_cut = true;
  const CommandTimes times = times_of(open);
  EXPECT_TRUE(times.place_is_cut);
  EXPECT_EQ(times.request, 10);
  EXPECT_EQ(times.unknown, 90);
  EXPECT_EQ(times.data + times.resend + times.target, 0);
  EXPECT_FALSE(times_of(whole()).place_is_cut);
}

TEST(CommandTimes, AResponseThatIsNotTakenAtFirst) {
  OpenCommand open = whole();
  open.command.answered = 200;
  open.command.completed = 260;
  const CommandTimes times = times_of(open);
  EXPECT_EQ(times.total, 160);
  EXPECT_EQ(times.resend, 60);
  EXPECT_EQ(times.target, 80);
  EXPECT_EQ(times.request + times.data, 20);
  // Its data came again behind it: the target had answered by then.
  open.command.last_data = 240;
  const CommandTimes late = times_of(open);
  EXPECT_EQ(late.resend, 20);
  EXPECT_EQ(late.total, late.request + late.data + late.resend + late.unknown + late.target);
}

TEST(CommandTimes, DataThatAreNotTakenAtFirst) {
  OpenCommand open = whole();
  open.command.data_taken = 190;
  expect_parts(times_of(open), 40, 0, 40);
  open.command.data_taken = 230;  // a copy that nobody waited for
  expect_parts(times_of(open), 0, 0, 80);
  open.command.data_taken = 130;
  expect_parts(times_of(open), 0, 0, 80);
  // The response was seen before the copies of the data: the target had answered by then.
  open.command.data_taken = 190;
  open.command.answered = 160;
  expect_parts(times_of(open), 40, 0, 40);
}

TEST(CommandTimes, AResponseBehindDataThatCameAgainMayHaveWaitedForThem) {
  OpenCommand open = whole();
  open.data_again = 190;
  expect_parts(times_of(open), 0, 50, 30);
  open.data_again = 230;
  expect_parts(times_of(open), 0, 0, 80);
}

TEST(CommandTimes, DataThatAReadFetchedAreOnTheirWayBeforeTheResponse) {
  OpenCommand open = whole();
  open.command.round_trip = 30;
  expect_parts(times_of(open), 0, 30, 50);  // too few ACKs say so
  EXPECT_EQ(open.command.way(), 0);
  open.command.round_trip_is_sure = true;
  const CommandTimes times = times_of(open);
  EXPECT_EQ(times.data, 40);
  EXPECT_EQ(times.target, 50);
  EXPECT_EQ(times.unknown, 0);
  EXPECT_EQ(open.command.way(), 30);
  open.command.round_trip = 70;  // longer than all that the response took
  EXPECT_EQ(open.command.way(), 50);
  EXPECT_EQ(times_of(open).target, 30);
}

TEST(CommandTimes, AnAckBehindOtherSignsSaysNothing) {
  OpenCommand open = whole();
  open.command.acknowledged = 141;  // the first data came before it
  const CommandTimes with_data = times_of(open);
  EXPECT_EQ(with_data.request, 0);
  EXPECT_EQ(with_data.unknown, 40);
  EXPECT_EQ(with_data.target, 50);
  open.command.first_data.reset();
  open.command.last_data.reset();
  open.command.acknowledged = 201;
  const CommandTimes without_data = times_of(open);
  EXPECT_EQ(without_data.request, 0);
  EXPECT_EQ(without_data.unknown, 100);
}

TEST(CommandTimes, AWaitOfATimeoutMayEndWithACopyWhereOthersWereLost) {
  OpenCommand open = whole();
  open.copy_after = 50;
  expect_parts(times_with_losses(open), 0, 50, 30);
  open.copy_after = 30;
  expect_parts(times_with_losses(open), 0, 80, 0);
  open.copy_after = 51;
  expect_parts(times_with_losses(open), 0, 0, 80);
}

TEST(CommandTimes, AsLateAsACopyWhereNothingWasLostIsTheTargets) {
  OpenCommand open = whole();
  open.copy_after = 50;
  expect_parts(times_of(open), 0, 0, 80);
  open.note_copies();
  EXPECT_TRUE(open.command.is_late());
  EXPECT_EQ(open.command.response_copied, Copied::kLate);
  EXPECT_EQ(open.command.data_copied, Copied::kNo);
}

TEST(CommandTimes, WithoutDataTheResponseEndsTheOnlyWait) {
  OpenCommand open = whole();
  open.command.first_data.reset();
  open.command.last_data.reset();
  open.copy_after = 90;
  const CommandTimes times = times_with_losses(open);
  EXPECT_EQ(times.unknown, 90);
  EXPECT_EQ(times.target, 0);
}

}  // namespace rocescope::command_times_test
