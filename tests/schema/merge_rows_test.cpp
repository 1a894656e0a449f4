// A sum of rows starts from an empty row: adding one row to it must give what that row has.
#include <gmock/gmock.h>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

std::string text_of(const Column& column, const void* row) {
  Value value;
  read(column, row, value);
  return std::visit(
      []<class T>(const T& content) {
        if constexpr (std::integral<T>) return std::to_string(content);
        if constexpr (std::same_as<T, std::string_view>) return std::string(content);
        return std::string("another kind of value");
      },
      value.content());
}

/// Adds `row` to an empty one and compares each column with one value that sums of rows have.
template <class Row>
void expect_first_row_is_kept(const Rows<Row>& rows, const Row& row) {
  Row sum{};
  merge(rows, sum, row);
  for (const Column& column : rows.columns) {
    if (!is_total(column) || !is_single(column.type)) continue;
    EXPECT_EQ(text_of(column, &sum), text_of(column, &row)) << rows.name << ' ' << column.name;
  }
}

TEST(MergeRows, KeepWhatTheFirstRowHas) {
  expect_first_row_is_kept(kRegion, MemoryRegion{.reads = 2, .first_time = 5, .last_time = 7});
  expect_first_row_is_kept(kRegion, MemoryRegion{.writes = 1, .first_time = -7, .last_time = -5});
  expect_first_row_is_kept(kFlow, Flow{.payload_bytes = 10, .first_time = 5, .last_time = 7});
  expect_first_row_is_kept(kUdFlow, UdFlow{.payload_bytes = 10, .first_time = 5, .last_time = 7});
  expect_first_row_is_kept(kPause, PauseTotals{.longest = 3, .first_time = 5, .last_time = 7});
  expect_first_row_is_kept(kOperation, OperationTotals{.operation = Operation::kReadRequest, .messages = 3});
  expect_first_row_is_kept(kInFlight, InFlight{.bytes = 3, .messages = 1, .packets = 2, .reads = 4});
}

TEST(MergeRows, TakeTheEarlierAndTheLaterTime) {
  CaptureTotals sum;
  for (const auto& [first, last] : {std::pair(-3, 4), std::pair(-7, -5), std::pair(2, 9)}) {
    merge(kCaptureTotals, sum, CaptureTotals{.first_time = first, .last_time = last});
    merge(kCaptureTotals, sum, CaptureTotals{});  // without packets
  }
  EXPECT_EQ(sum.first_time, -7);
  EXPECT_EQ(sum.last_time, 9);
  MemoryRegion region{.first_packet = 5, .first_time = -1, .last_time = 3};
  merge(kRegion, region, MemoryRegion{.first_packet = 4, .first_time = 2, .last_time = 6});
  EXPECT_EQ(region.first_packet, 4U);
  EXPECT_EQ(region.first_time, -1);
  EXPECT_EQ(region.last_time, 6);
}

TEST(MergeRows, AddTrafficClassesByRole) {
  CongestionTotals sum;
  CongestionTotals more;
  more.classes.push_back({.traffic_class = {.dscp = 26, .pcp = 3}, .packets = {10, 4, 2, 1}});
  more.ecn[0].packets = {1, 2, 3, 4};
  more.cnps = 2;
  merge(kCongestionTotals, sum, more);
  more.classes.push_back({.traffic_class = {.dscp = 26, .pcp = {}}, .packets = {5, 0, 0, 0}});
  more.classes.push_back({.traffic_class = {.dscp = 0, .pcp = {}}, .packets = {6, 0, 0, 0}});
  merge(kCongestionTotals, sum, more);
  EXPECT_EQ(sum.cnps, 4u);
  EXPECT_THAT(sum.ecn[0].packets, ::testing::ElementsAre(2, 4, 6, 8));
  ASSERT_EQ(sum.classes.size(), 3u);
  EXPECT_EQ(sum.classes[0].traffic_class, TrafficClass{});
  EXPECT_EQ(sum.classes[1].traffic_class, (TrafficClass{.dscp = 26, .pcp = 3}));
  EXPECT_EQ(sum.classes[2].traffic_class, (TrafficClass{.dscp = 26, .pcp = {}}));
  EXPECT_THAT(sum.classes[1].packets, ::testing::ElementsAre(20, 8, 4, 2));
}

}  // namespace
}  // namespace rocescope::schema
