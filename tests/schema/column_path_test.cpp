#include "schema/column_path.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

Connection connection() {
  Connection row;
  row.path_mtu = 1024;
  row.sides[0].requests.make().sums.messages = 3;
  row.sides[1].requests.make().sums.messages = 4;
  row.sides[0].requests.make().troubles.make().packets[static_cast<std::size_t>(VerdictKind::kRetransmission)] = 2;
  row.sides[1].requests.make().troubles.make().packets[static_cast<std::size_t>(VerdictKind::kRetransmission)] = 5;
  row.sides[1].traffic = {10, 2'000};
  return row;
}

std::uint64_t number(std::string_view names) {
  const Connection row = connection();
  Value value;
  ColumnPath(kConnection, names).read(&row, value);
  return value.number();
}

TEST(ColumnPath, LeadsToAColumnOfTheRow) { EXPECT_EQ(number("path_mtu"), 1024); }

TEST(ColumnPath, LeadsThroughObjectsAndMembers) {
  const Connection row = connection();
  Value value;
  ColumnPath(kSide, "requests.messages").read(&row.sides[0], value);
  EXPECT_EQ(value.number(), 3);
  ColumnPath(kSide, "packets").read(&row.sides[1], value);
  EXPECT_EQ(value.number(), 10);
}

TEST(ColumnPath, AddsUpWhatAnArrayHas) {
  EXPECT_EQ(number("sides.requests.messages"), 7);
  EXPECT_EQ(number("sides.bytes"), 2'000);
}

TEST(ColumnPath, EndsAtANumberByName) { EXPECT_EQ(number("sides.requests.verdicts.retransmission"), 7); }

TEST(ColumnPath, HasNoValueWhereTheRowHasNone) {
  const Connection row;
  Value value;
  ColumnPath(kConnection, "handshake").read(&row, value);
  EXPECT_TRUE(value.absent());
  // An object that the row lacks.
  ColumnPath(kSide, "congestion.marked").read(&row.sides[0], value);
  EXPECT_TRUE(value.absent());
}

TEST(ColumnPath, RefusesNamesThatNoTableHas) {
  for (const char* const names : {"", "nothing", "sides", "sides.", "sides.nothing", "path_mtu.more",
                                  "sides.requests.verdicts", "sides.requests.verdicts.nothing"}) {
    EXPECT_THROW(ColumnPath(kConnection, names), std::logic_error) << names;
  }
}

}  // namespace
}  // namespace rocescope::schema
