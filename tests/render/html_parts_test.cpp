// How the data of a page are thinned, and how they stand in it.
#include <gmock/gmock.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "render/html/message_list.hpp"
#include "render/html/packet_points.hpp"
#include "render/html/page_document.hpp"
#include "render/html/page_table.hpp"
#include "render/html/series_grid.hpp"
#include "render/html/step_series.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

/// What `write` writes, as the members of an object.
template <class Write>
json parsed(Write write) {
  std::string text;
  JsonWriter writer(text, JsonSpace::kCompact);
  writer.open_object();
  write(writer);
  writer.close_object();
  return json::parse(text);
}

/// Columns of differences as values.
std::vector<std::int64_t> sums(const json& differences) {
  std::vector<std::int64_t> values = differences;
  std::partial_sum(values.begin(), values.end(), values.begin());
  return values;
}

// Data in a page

TEST(PageDocument, LetsNoTextOfACaptureBecomeMarkup) {
  std::string out;
  PageDocument page([&](std::string_view piece) { out += piece; }, "<p>before</p><!--ROCESCOPE-DATA--><p>behind</p>");
  const std::string hostile = "</script><script>alert('&')</script><!--\xff\xe2\x80\xa8\n";
  page.add_object("summary", [&](JsonWriter& writer) { writer.string("text", hostile); });
  page.finish("last", [](JsonWriter& writer) { writer.number("n", 1); });
  const std::string begin = R"(<p>before</p><script type="application/json" id="data-summary">)";
  const std::string end =
      "</script>\n<script type=\"application/json\" id=\"data-last\">{\"n\":1}</script>\n<p>behind</p>";
  ASSERT_TRUE(out.starts_with(begin)) << out;
  ASSERT_TRUE(out.ends_with(end)) << out;
  const std::string data = out.substr(begin.size(), out.size() - begin.size() - end.size());
  EXPECT_EQ(data.find_first_of("<>&\n"), std::string::npos) << data;
  const std::string read = json::parse(data)["text"];
  EXPECT_EQ(read, "</script><script>alert('&')</script><!--\uFFFD\xe2\x80\xa8\n");
}

TEST(PageDocument, WritesNothingForWhichThereIsNoRoom) {
  std::string out;
  PageDocument page([&](std::string_view piece) { out += piece; }, "<!--ROCESCOPE-DATA-->end");
  const std::string escaped(PageDocument::kMostBytes / 8, '<');
  EXPECT_TRUE(page.add("a", escaped));
  EXPECT_FALSE(page.add("b", escaped));
  EXPECT_TRUE(page.add("c", "1"));
  const std::size_t room = page.room();
  EXPECT_FALSE(page.add("d", std::string(room, ' ')));
  EXPECT_EQ(page.room(), room);
  page.finish("last", [](JsonWriter&) {});
  EXPECT_LT(out.size(), PageDocument::kMostBytes);
  EXPECT_EQ(out.find("data-b"), std::string::npos);
  EXPECT_TRUE(out.ends_with("id=\"data-last\">{}</script>\nend"));
}

TEST(PageTable, HasTheFirstRowsForWhichThereIsRoom) {
  std::vector<SizeTable::Row> sizes{{64, 3}, {128, 5}, {256, 7}};
  const std::vector<const void*> rows{&sizes[0], &sizes[1], &sizes[2]};
  const json table = parsed([&](JsonWriter& writer) {
    EXPECT_EQ(write_page_table("sizes", schema::kSize, {.rows = rows, .left_out = 5, .most_bytes = 15}, 0, writer), 2U);
  });
  EXPECT_EQ(table["rows"], json::parse("[[64,3],[128,5]]"));
  EXPECT_EQ(table["row_count"], 2);
  EXPECT_EQ(table["left_out"], 6);
}

TEST(PageTable, HasAColumnOnceWhereAllRowsAgree) {
  std::vector<SizeTable::Row> sizes{{64, 3}, {128, 3}};
  const std::vector<const void*> rows{&sizes[0], &sizes[1]};
  const json table = parsed([&](JsonWriter& writer) {
    EXPECT_EQ(write_page_table("sizes", schema::kSize, {.rows = rows, .left_out = 5, .most_bytes = 100}, 0, writer),
              2U);
  });
  EXPECT_EQ(table["columns"][0]["name"], "at_least");
  EXPECT_FALSE(table["columns"][0].contains("constant"));
  EXPECT_EQ(table["columns"][1]["constant"], 3);
  EXPECT_EQ(table["rows"], json::parse("[[64],[128]]"));
  EXPECT_EQ(table["row_count"], 2);
  EXPECT_EQ(table["left_out"], 5);
}

// Series on a grid

TEST(Grid, HasBucketsThatBeginAtMultiplesOfTheirWidth) {
  const Grid grid = Grid::over(1'234, 5'000, 100, 16);
  EXPECT_EQ(grid.width, 400);
  EXPECT_EQ(grid.start, 1'200);
  EXPECT_EQ(grid.buckets, 10U);
  EXPECT_EQ(grid.at(1'234), 0U);
  EXPECT_EQ(grid.at(1'600), 1U);
  EXPECT_EQ(grid.at(0), 0U);
  EXPECT_EQ(grid.at(99'999), 9U);
}

TEST(Grid, EndsForTimesThatAreFarApart) {
  const Grid grid = Grid::over(INT64_MIN, INT64_MAX, 1, 512);
  EXPECT_LE(grid.buckets, 600U);
  EXPECT_EQ(grid.at(INT64_MAX), grid.buckets - 1);
}

TEST(Grid, KeepsTheSumOfWhatItSpreads) {
  RateSeries rates;
  for (std::int64_t time = 0; time < 100'000; time += 700) rates.add(time, {.wire_bytes = 1'001}, 1'000, 16);
  for (const std::size_t most : {4U, 16U, 1'000U}) {
    const Grid grid = Grid::over(0, 99'999, 100, most);
    GridSeries series;
    add_rates(rates, &Sent::wire_bytes, grid, series);
    EXPECT_EQ(std::accumulate(series.begin(), series.end(), std::uint64_t{0}), rates.total().wire_bytes) << most;
  }
}

TEST(GridSeries, IsWrittenWithoutTheZerosAtItsEnds) {
  const json written = parsed([](JsonWriter& writer) {
    write_series("some", std::vector<std::uint64_t>{0, 0, 7, 0, 9, 0}, writer);
    write_series("none", std::vector<std::uint64_t>{0, 0}, writer);
  });
  EXPECT_EQ(written["some"], json::parse(R"({"first":2,"values":[7,0,9]})"));
  EXPECT_TRUE(written["none"].is_null());
}

// Steps

TEST(StepSeries, KeepsEveryChangeWhileTheyAreFew) {
  StepSeries series(0, 1'000, 10);
  for (const std::int64_t value : {1, 1, 2, 2, 3}) series.add({value * 10, value, 0});
  EXPECT_THAT(series.steps(),
              ElementsAre(StepSeries::Step{10, 1, 0}, StepSeries::Step{20, 2, 0}, StepSeries::Step{30, 3, 0}));
  EXPECT_FALSE(series.is_thinned());
}

TEST(StepSeries, KeepsTheLeastTheMostAndTheLastOfEachColumn) {
  constexpr std::size_t kColumns = 10;
  constexpr std::int64_t kEnd = 100'000;
  StepSeries series(0, kEnd, kColumns);
  const auto value_at = [](std::int64_t time) {
    return time == 44'440 ? 1'000'000 : time == 55'550 ? -5 : time * 7'919 % 1'000;
  };
  for (std::int64_t time = 0; time <= kEnd; time += 10) series.add({time, value_at(time), 0});
  const std::vector<StepSeries::Step> steps = series.steps();
  EXPECT_TRUE(series.is_thinned());
  EXPECT_LE(steps.size(), 4 * kColumns + 4);
  EXPECT_TRUE(std::ranges::is_sorted(steps, {}, &StepSeries::Step::time));
  const auto has = [&](std::int64_t time) {
    return std::ranges::count(steps, StepSeries::Step{time, value_at(time), 0}) == 1;
  };
  EXPECT_TRUE(has(44'440) && has(55'550) && has(0) && has(kEnd));
}

// Packets

TEST(PsnLine, GoesOnBehindTheWrap) {
  PsnLine line;
  EXPECT_EQ(line.packet(Psn(0xFFFFFE)), (1 << 24) + 0xFFFFFE);
  EXPECT_EQ(line.packet(Psn(3)), (2 << 24) + 3);
  EXPECT_EQ(line.near(Psn(0xFFFFFF)), (1 << 24) + 0xFFFFFF);
  EXPECT_EQ(line.packet(Psn(0xFFFFFF)), (1 << 24) + 0xFFFFFF);
}

class Points : public ::testing::Test {
 protected:
  void add(std::uint64_t frame, std::uint32_t psn, VerdictKind kind = VerdictKind::kInOrder) {
    packet_.frame.number = frame;
    packet_.frame.timestamp = static_cast<std::int64_t>(frame) * 100;
    packet_.roce.opcode = &opcode_info(0x07);  // RC RDMA WRITE Middle
    packet_.roce.psn = Psn(psn);
    PacketRecord record{.packet = &packet_};
    record.verdict.kind = kind;
    points_.add(record, class_of(record, 0), psn, 1);
  }
  [[nodiscard]] json written() const {
    return parsed([&](JsonWriter& writer) { points_.write(0, writer); });
  }

  static constexpr std::size_t kMost = 100;
  static constexpr std::size_t kColumns = 10;
  Packet packet_;
  PacketPoints points_{0, 100'000, {.points = kMost, .columns = kColumns}};
};

TEST_F(Points, AreAllThereWhileTheyAreFew) {
  for (std::uint32_t i = 1; i <= kMost; ++i) add(i, 2 * i);
  const json data = written();
  EXPECT_THAT(sums(data["points"]["frame"]), SizeIs(kMost));
  EXPECT_EQ(sums(data["points"]["psn"]).back(), 200);
  EXPECT_EQ(sums(data["points"]["t"]).back(), 10'000);
  EXPECT_TRUE(data["thinned"]["columns"].is_null());
  EXPECT_TRUE(points_.is_complete());
}

TEST_F(Points, AreTheExtremesOfColumnsAndAllAnomaliesWhereThereAreMany) {
  for (std::uint32_t i = 1; i <= 1'000; ++i)
    add(i, i, i % 100 == 50 ? VerdictKind::kRetransmission : VerdictKind::kInOrder);
  const json data = written();
  const std::vector<std::int64_t> frames = sums(data["points"]["frame"]);
  EXPECT_LE(frames.size(), 2 * kColumns + 10);
  EXPECT_TRUE(std::ranges::is_sorted(frames));
  for (const std::int64_t frame : {1, 50, 150, 950, 1'000}) EXPECT_EQ(std::ranges::count(frames, frame), 1) << frame;
  EXPECT_EQ(data["thinned"]["packets"], 1'000);
  EXPECT_EQ(data["thinned"]["points"], frames.size());
  EXPECT_EQ(data["thinned"]["columns"], kColumns);
  EXPECT_EQ(data["points_left_out"], 0);
  EXPECT_FALSE(points_.is_complete());
}

TEST_F(Points, AreBoundedWhereAllAreAnomalies) {
  for (std::uint32_t i = 1; i <= 1'000; ++i) add(i, i, VerdictKind::kRetransmission);
  const json data = written();
  EXPECT_THAT(sums(data["points"]["frame"]), SizeIs(kMost));
  EXPECT_EQ(data["points_left_out"], 1'000 - kMost);
}

// Messages

ListedMessage message(std::uint64_t number, std::int64_t time, bool resent = false) {
  ListedMessage listed;
  listed.message.number = number;
  listed.message.first_frame = number;
  listed.message.first_time = static_cast<std::int64_t>(number) * 1'000;
  listed.message.last_time = listed.message.first_time;
  listed.message.last_frame = number;
  listed.message.completion_frame = number + 1;
  listed.message.completion_time = listed.message.first_time + time;
  listed.message.outcome = MessageOutcome::kCompleted;
  listed.message.has_first = listed.message.has_last = true;
  listed.message.resent = resent;
  return listed;
}

TEST(MessageList, KeepsTheSlowestAndThoseSentAgain) {
  constexpr std::size_t kLimit = 40;
  constexpr std::uint64_t kMessages = 5'000;
  MessageList list(0, 5'000'000, kLimit);
  for (std::uint64_t i = 1; i <= kMessages; ++i) list.add(message(i, i == 2'345 ? 99'999 : 100, i == 777));
  const json data = parsed([&](JsonWriter& writer) { list.write(0, writer); });
  const std::vector<std::uint64_t> numbers = data["messages"]["number"];
  EXPECT_LE(numbers.size(), 2 * kLimit);
  EXPECT_EQ(data["messages_left_out"], kMessages - numbers.size());
  for (const std::uint64_t number : {1U, 777U, 2'345U, 5'000U})
    EXPECT_EQ(std::ranges::count(numbers, number), 1) << number;
}

TEST(MessageList, HasAddressesFromTheBaseOfTheirRegion) {
  MessageList list(0, 5'000, 10);
  for (const std::uint64_t number : {1U, 2U}) {
    ListedMessage listed = message(number, 10);
    listed.side = 1;
    listed.message.r_key = 7;
    listed.message.address = 0xFFFF'FFFF'FFFF'F000U + (number == 1 ? 0x800U : 0U);
    listed.message.bytes = 0x1000;
    list.add(listed);
  }
  list.add(message(3, 10));
  const json data = parsed([&](JsonWriter& writer) { list.write(0, writer); });
  const json region =
      json::parse(R"({"side":0,"r_key":7,"base":"0xfffffffffffff000","end":"0xffffffffffffffff","messages":2})");
  EXPECT_EQ(data["regions"], json::array({region}));
  EXPECT_EQ(data["messages"]["region"], json::parse("[0,0,-1]"));
  EXPECT_EQ(data["messages"]["offset"], json::parse("[2048,0,null]"));
}

}  // namespace
}  // namespace rocescope::render
