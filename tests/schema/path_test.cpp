#include "schema/path.hpp"

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
  Path(kConnection, names).read(&row, value);
  return value.number();
}

TEST(Path, LeadsToAColumnOfTheRow) { EXPECT_EQ(number("path_mtu"), 1024); }

TEST(Path, LeadsThroughObjectsAndMembers) {
  const Connection row = connection();
  Value value;
  Path(kSide, "requests.messages").read(&row.sides[0], value);
  EXPECT_EQ(value.number(), 3);
  Path(kSide, "packets").read(&row.sides[1], value);
  EXPECT_EQ(value.number(), 10);
}

TEST(Path, AddsUpWhatAnArrayHas) {
  EXPECT_EQ(number("sides.requests.messages"), 7);
  EXPECT_EQ(number("sides.bytes"), 2'000);
}

TEST(Path, EndsAtANumberByName) { EXPECT_EQ(number("sides.requests.verdicts.retransmission"), 7); }

TEST(Path, HasNoValueWhereTheRowHasNone) {
  const Connection row;
  Value value;
  Path(kConnection, "handshake").read(&row, value);
  EXPECT_TRUE(value.absent());
  // An object that the row lacks.
  Path(kSide, "congestion.marked").read(&row.sides[0], value);
  EXPECT_TRUE(value.absent());
}

TEST(Path, RefusesNamesThatNoTableHas) {
  for (const char* const names : {"", "nothing", "sides", "sides.", "sides.nothing", "path_mtu.more",
                                  "sides.requests.verdicts", "sides.requests.verdicts.nothing"}) {
    EXPECT_THROW(Path(kConnection, names), std::logic_error) << names;
  }
}

}  // namespace
}  // namespace rocescope::schema
