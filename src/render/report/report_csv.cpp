// Which table of a report goes to which file.
#include "render/report/report_csv.hpp"

#include <functional>

#include "render/report/row_csv.hpp"
#include "rocescope/host.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

/// A table whose rows are a member of the report, or a function of it, and in the JSON document if `in_json`.
template <const auto& table, auto rows>
constexpr CsvTable csv_table(std::string_view file, std::string_view help, bool in_json = true) {
  return {file, &table, help, in_json, [](const Report& report, std::string& out) {
            append_csv_header(table, out);
            for (const auto& row : std::invoke(rows, report)) append_csv_row(table, row, out);
          }};
}

void append_counter_table(const Report& report, std::string& out) {
  append_csv_header(schema::kHostCounter, out);
  const auto append = [&](const schema::HostCounter& row) { append_csv_row(schema::kHostCounter, row, out); };
  for (const Host& host : report.hosts) schema::each_counter(host, append);
}

void append_depth_table(const Report& report, std::string& out) {
  append_csv_header(schema::kDepthBucket, out);
  const auto append = [&](const schema::DepthBucket& row) { append_csv_row(schema::kDepthBucket, row, out); };
  for (const CarriedProtocol& carried : report.commands.carried) schema::each_depth(carried, append);
}

const auto& carried_of(const Report& report) { return report.commands.carried; }
const auto& commands_of(const Report& report) { return report.commands.commands; }

constexpr CsvTable kTables[] = {
    csv_table<schema::kConnection, &Report::connections>(
        "connections.csv",
        "the connections of the JSON document; the members of both sides as side0_ and side1_, those of `requests` among "
        "them, with verdict_ and retransmission_ before the names of verdicts and causes"),
    csv_table<schema::kFlow, &Report::flows>("flows.csv",
                                             "flows, with requests_ and responses_ before the names of the PSNs"),
    csv_table<schema::kFinding, &Report::findings>("findings.csv", "findings; packets are separated by blanks"),
    csv_table<schema::kUdFlow, &Report::ud_flows>("datagrams.csv", "ud_flows"),
    csv_table<schema::kCmMessage, &Report::cm_events>("cm.csv", "cm_messages"),
    csv_table<schema::kRegion, &Report::memory_regions>("regions.csv",
                                                        "memory_regions; connections are separated by blanks"),
    {"counters.csv", &schema::kHostCounter, "nic_counters, a line a host and counter", false, append_counter_table},
    csv_table<schema::kCarried, &carried_of>("carried.csv", "carried: what connections carry"),
    {"outstanding.csv", &schema::kDepthBucket,
     "a line a bucket of `outstanding` in carried: how many commands were outstanding over time", false,
     append_depth_table},
    csv_table<schema::kCommand, &commands_of>(
        "commands.csv",
        "commands of protocols above RoCE, in the order in which they were over, then those that were not; 65,536 at most",
        false),
};

constexpr CsvTable kMessages{kMessagesCsv, &schema::kMessage,
                             "a line a message, in the order of their ends, then those that did not end", false,
                             nullptr};

}  // namespace

std::span<const CsvTable> csv_tables() noexcept { return kTables; }

const CsvTable& csv_messages() noexcept { return kMessages; }

void append_message_header(std::string& out) { append_csv_header(schema::kMessage, out); }

void append_message_row(const Connection& connection, std::size_t side, const Message& message, std::string& out) {
  append_csv_row(schema::kMessage, {connection, side, message}, out);
}

}  // namespace rocescope::render
