// Tables of comma-separated values, of reports made by hand.
#include "render/report/report_csv.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "rocescope/host.hpp"

namespace rocescope {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string table(std::string_view file, const Report& report) {
  const auto tables = render::csv_tables();
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const render::CsvTable& each) { return each.file == file; });
  std::string text;
  if (found != tables.end()) found->append(report, text);
  return text;
}

TEST(ReportCsv, NamesCountersAsBothDriversDo) {
  Report report;
  Host& host = report.hosts.emplace_back();
  host.address = IpAddress::v4(ByteArray<4>{10, 0, 0, 1});
  host.overlay_id = 7;
  host.sent.packets = 12;
  host.sent.sequence_naks = 3;
  host.received.operational_naks = 1;
  const std::string text = table("counters.csv", report);
  EXPECT_THAT(text, StartsWith("address,overlay_id,counter,mlx5,rxe,value\n"));
  EXPECT_THAT(text, HasSubstr("\n10.0.0.1,7,sent_pkts,,sent_pkts,12\n"));
  EXPECT_THAT(text, HasSubstr("\n10.0.0.1,7,out_of_sequence,out_of_sequence,out_of_seq_request,3\n"));
  EXPECT_THAT(text, HasSubstr("\n10.0.0.1,7,remote_operational_errors,,,1\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(1 + kNicCounters));
}

TEST(ReportCsv, HasAHeaderWithoutHosts) {
  EXPECT_EQ(table("counters.csv", Report()), "address,overlay_id,counter,mlx5,rxe,value\n");
}

}  // namespace
}  // namespace rocescope
