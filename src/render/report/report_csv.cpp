// Which table of a report goes to which file.
#include "render/report/report_csv.hpp"

#include "render/report/row_csv.hpp"
#include "rocescope/host.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

template <const auto& table, auto member>
void append_table(const Report& report, std::string& out) {
  append_csv_header(table, out);
  for (const auto& row : report.*member) append_csv_row(table, row, out);
}

void append_counter_table(const Report& report, std::string& out) {
  append_csv_header(schema::kHostCounter, out);
  for (const Host& host : report.hosts) {
    const auto numbers = nic_counters(host);
    for (const NicCounterInfo& info : nic_counter_infos()) {
      const std::uint64_t number = numbers[static_cast<std::size_t>(info.counter)];
      append_csv_row(schema::kHostCounter, {host, info, number}, out);
    }
  }
}

void append_carried_table(const Report& report, std::string& out) {
  append_csv_header(schema::kCarried, out);
  for (const CarriedProtocol& carried : report.commands.carried) append_csv_row(schema::kCarried, carried, out);
}

void append_depth_table(const Report& report, std::string& out) {
  append_csv_header(schema::kDepthBucket, out);
  for (const CarriedProtocol& carried : report.commands.carried) {
    const DepthSeries& series = carried.outstanding;
    std::int64_t start = series.start;
    for (const Depth& depth : series.buckets) {
      append_csv_row(schema::kDepthBucket, {carried, start, series.width, depth}, out);
      start += series.width;
    }
  }
}

void append_command_table(const Report& report, std::string& out) {
  append_csv_header(schema::kCommand, out);
  for (const Command& command : report.commands.commands) append_csv_row(schema::kCommand, command, out);
}

constexpr CsvTable kTables[] = {
    {"findings.csv", &schema::kFinding, append_table<schema::kFinding, &Report::findings>},
    {"connections.csv", &schema::kConnection, append_table<schema::kConnection, &Report::connections>},
    {"flows.csv", &schema::kFlow, append_table<schema::kFlow, &Report::flows>},
    {"datagrams.csv", &schema::kUdFlow, append_table<schema::kUdFlow, &Report::ud_flows>},
    {"cm.csv", &schema::kCmMessage, append_table<schema::kCmMessage, &Report::cm_events>},
    {"regions.csv", &schema::kRegion, append_table<schema::kRegion, &Report::memory_regions>},
    {"carried.csv", &schema::kCarried, append_carried_table},
    {"outstanding.csv", &schema::kDepthBucket, append_depth_table},
    {"commands.csv", &schema::kCommand, append_command_table},
    {"counters.csv", &schema::kHostCounter, append_counter_table},
};

}  // namespace

std::span<const CsvTable> csv_tables() noexcept { return kTables; }

void append_message_header(std::string& out) { append_csv_header(schema::kMessage, out); }

void append_message_row(const Connection& connection, std::size_t side, const Message& message, std::string& out) {
  append_csv_row(schema::kMessage, {connection, side, message}, out);
}

}  // namespace rocescope::render
