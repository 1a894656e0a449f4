// Which test of perftest a connection shows, by its messages.
#include "ulp/named/perftest.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace rocescope::perftest_test {

/// A connection of which both directions were seen.
Connection seen_both_ways() {
  Connection connection;
  for (ConnectionSide& side : connection.sides) side.first_packet = 1;
  return connection;
}

void add(Connection& connection, std::size_t side, Operation operation, std::uint64_t messages) {
  connection.sides[side].operations.at(operation).messages += messages;
}

TEST(Perftest, OfBandwidthWhereOneSideSendsOrWrites) {
  Connection connection = seen_both_ways();
  EXPECT_EQ(perftest_of(connection), "");
  add(connection, 1, Operation::kWrite, 1);
  EXPECT_EQ(perftest_of(connection), "ib_write");  // the other side of a test of latency may answer it
  add(connection, 1, Operation::kWrite, 9);
  EXPECT_EQ(perftest_of(connection), "ib_write_bw");
  add(connection, 0, Operation::kSend, 2);  // a few that are not the test
  EXPECT_EQ(perftest_of(connection), "ib_write_bw");
  add(connection, 0, Operation::kSend, 20);
  EXPECT_EQ(perftest_of(connection), "ib_send_bw");
}

TEST(Perftest, UnknownWhereBothSidesSendOrOneDirectionIsMissing) {
  Connection connection = seen_both_ways();
  add(connection, 0, Operation::kSend, 10);
  add(connection, 1, Operation::kSend, 10);
  EXPECT_EQ(perftest_of(connection), "ib_send");
  Connection half;
  half.sides[0].first_packet = 1;
  add(half, 0, Operation::kWrite, 10);
  EXPECT_EQ(perftest_of(half), "ib_write");
}

TEST(Perftest, OfLatencyWithOneReadAtATime) {
  for (const bool is_read : {true, false}) {
    Connection connection = seen_both_ways();
    const Operation operation = is_read ? Operation::kReadRequest : Operation::kFetchAdd;
    add(connection, 0, operation, 1);
    connection.sides[0].reads_outstanding.make().most = 1;
    EXPECT_EQ(perftest_of(connection), is_read ? "ib_read" : "ib_atomic");  // one message alone shows neither
    add(connection, 0, operation, 9);
    EXPECT_EQ(perftest_of(connection), is_read ? "ib_read_lat" : "ib_atomic_lat");
    connection.sides[0].reads_outstanding.make().most = 2;
    EXPECT_EQ(perftest_of(connection), is_read ? "ib_read_bw" : "ib_atomic_bw");
    add(connection, 1, operation, 10);
    EXPECT_EQ(perftest_of(connection), is_read ? "ib_read_bw" : "ib_atomic_bw");
  }
}

}  // namespace rocescope::perftest_test
