// The tables of the report, from their schemas.
#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "render/html/page_sections.hpp"
#include "render/html/page_table.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kMostRows = 20'000;

class TableWriter {
 public:
  TableWriter(std::int64_t start, PageDocument& page) : start_(start), page_(page) {}

  /// `more`: rows that were left out before.
  template <class Row, class Rows>
  void write(std::string_view name, const schema::Rows<Row>& table, const Rows& rows, std::uint64_t more = 0) {
    std::vector<const void*> shown;
    for (const Row& row : rows) {
      if (shown.size() == kMostRows) break;
      shown.push_back(&row);
    }
    const std::uint64_t left_out = more + (std::size(rows) - shown.size());
    page_.add_object("table-" + std::string(name), [&](JsonWriter& json) {
      write_page_table(name, table, shown, left_out, start_, json);
    });
  }

 private:
  std::int64_t start_;
  PageDocument& page_;
};

std::deque<schema::HostCounter> counters_of(const Report& report) {
  std::deque<schema::HostCounter> counters;
  for (const Host& host : report.hosts) {
    const auto numbers = nic_counters(host);
    for (const NicCounterInfo& info : nic_counter_infos()) {
      const std::uint64_t number = numbers[static_cast<std::size_t>(info.counter)];
      if (number != 0) counters.push_back({host, info, number});
    }
  }
  return counters;
}

/// A message with what its columns show of its connection.
struct MessageRows {
  std::deque<Connection> connections;
  std::deque<schema::MessageOf> rows;
};

MessageRows messages_of(OverviewRecorder& overview) {
  MessageRows result;
  std::vector<const TracedMessage*> order;
  for (const TracedMessage& traced : overview.messages().messages()) order.push_back(&traced);
  std::ranges::sort(order, {}, [](const TracedMessage* traced) { return traced->message.number; });
  for (const TracedMessage* const traced : order) {
    Connection& connection = result.connections.emplace_back();
    connection.number = traced->connection;
    for (std::size_t side = 0; side < 2; ++side) {
      connection.sides[side].address = traced->addresses[side];
      connection.sides[side].qpn = traced->qpns[side];
    }
    result.rows.push_back({connection, traced->side, traced->message});
  }
  return result;
}

}  // namespace

void write_tables(const Report& report, OverviewRecorder& overview, PageDocument& page) {
  TableWriter tables(report.start.value_or(0), page);
  tables.write("connections", schema::kConnection, report.connections);
  tables.write("findings", schema::kFinding, report.findings);
  tables.write("handshakes", schema::kHandshake, report.handshakes);
  tables.write("regions", schema::kRegion, report.memory_regions);
  tables.write("hosts", schema::kHost, report.hosts);
  tables.write("counters", schema::kHostCounter, counters_of(report));
  tables.write("flows", schema::kFlow, report.flows);
  tables.write("datagrams", schema::kUdFlow, report.ud_flows);
  tables.write("points", schema::kCapturePoint, report.capture_points);
  tables.write("comparisons", schema::kComparison, report.comparisons);
  tables.write("captures", schema::kCapture, report.captures);
  std::deque<CaptureInterface> interfaces;
  for (const CaptureReport& capture : report.captures) {
    interfaces.insert(interfaces.end(), capture.info.interfaces.begin(), capture.info.interfaces.end());
  }
  tables.write("interfaces", schema::kInterface, interfaces);
  tables.write("classes", schema::kClass, report.congestion.classes);
  tables.write("pauses", schema::kPause, report.pauses);
  tables.write("cm", schema::kCmMessage, report.cm_events);
  tables.write("messages", schema::kMessage, messages_of(overview).rows, overview.messages().messages_left_out());
}

}  // namespace rocescope::render
