// The tables of the report, from their schemas.
#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "render/html/page_sections.hpp"
#include "render/html/page_table.hpp"
#include "schema/tables.hpp"
#include "sorting/sort.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kMostRows = 5'000;
constexpr std::size_t kMostTableBytes = 4'000'000;  ///< of the rows of a table
constexpr std::size_t kSpared = 4'000'000;          ///< bytes that tables leave for the packets of connections

class TableWriter {
 public:
  TableWriter(std::int64_t start, PageDocument& page) : start_(start), page_(page) {}

  /// Writes at most `most` of the rows. `all`: how many rows there are.
  template <class Row, class Rows>
  void write(std::string_view name, const schema::Rows<Row>& table, const Rows& rows, std::size_t most = kMostRows,
             std::uint64_t all = 0) {
    std::vector<const void*> shown;
    for (const Row& row : rows) {
      if (shown.size() == most) break;
      shown.push_back(&row);
    }
    const std::uint64_t number = std::max<std::uint64_t>(all, std::size(rows));
    const std::size_t room = page_.room() - std::min(page_.room(), kSpared);
    std::size_t written = 0;
    const auto write_rows = [&](JsonWriter& json) {
      const PageRows some{
          .rows = shown, .left_out = number - shown.size(), .most_bytes = std::min(room, kMostTableBytes)};
      written = write_page_table(name, table, some, start_, json);
    };
    if (!page_.add_object("table-" + std::string(name), write_rows)) written = 0;
    sizes_.push_back({name, written, number - written});
  }

  [[nodiscard]] std::vector<TableSize>& sizes() noexcept { return sizes_; }

 private:
  std::int64_t start_;
  PageDocument& page_;
  std::vector<TableSize> sizes_;
};

std::deque<schema::HostCounter> counters_of(const Report& report) {
  std::deque<schema::HostCounter> counters;
  const auto add = [&](const schema::HostCounter& row) {
    if (row.number != 0) counters.push_back(row);
  };
  for (const Host& host : report.hosts) schema::each_counter(host, add);
  return counters;
}

std::deque<schema::DepthBucket> depths_of(const CommandReport& report) {
  std::deque<schema::DepthBucket> depths;
  for (const CarriedProtocol& carried : report.carried) {
    schema::each_depth(carried, [&](const schema::DepthBucket& row) { depths.push_back(row); });
    if (depths.size() > kMostRows) break;  // no more are shown
  }
  return depths;
}

/// A message with what its columns show of its connection.
struct MessageRows {
  std::deque<Connection> connections;
  std::deque<schema::MessageOf> rows;
};

MessageRows messages_of(TraceRecorder& messages) {
  MessageRows result;
  std::vector<const TracedMessage*> order;
  for (const TracedMessage& traced : messages.messages()) order.push_back(&traced);
  sorting::sort(order, {}, [](const TracedMessage* traced) { return traced->message.number; });
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

std::deque<Command> first_commands(const CommandReport& report) {
  std::deque<Command> first;
  for (const Command& command : report.commands) {
    if (first.size() == kMostRows) break;
    first.push_back(command);
  }
  return first;
}

}  // namespace

std::vector<TableSize> write_tables(const PageSource& source, PageDocument& page) {
  constexpr std::size_t kMostConnections = 20'000;
  constexpr std::size_t kMostCmMessages = 3'000;
  const Report& report = source.report;
  // In the order in which the page has them; but messages are last, since they take the room that is left.
  TableWriter tables(source.start(), page);
  tables.write("connections", schema::kConnection, report.connections, kMostConnections);
  tables.write("findings", schema::kFinding, report.findings);
  tables.write("handshakes", schema::kHandshake, report.handshakes);
  tables.write("carried", schema::kCarried, report.commands.carried);
  tables.write("outstanding", schema::kDepthBucket, depths_of(report.commands));
  tables.write("command_totals", schema::kCommandTotals, report.commands.totals);
  tables.write("command_failures", schema::kCommandFailures, report.commands.failures);
  tables.write("commands", schema::kCommand, first_commands(report.commands), kMostRows,
               report.commands.commands.size() + report.commands.unlisted);
  tables.write("slowest_commands", schema::kCommand, report.commands.slowest);
  tables.write("regions", schema::kRegion, report.memory_regions);
  tables.write("hosts", schema::kHost, report.hosts);
  tables.write("counters", schema::kHostCounter, counters_of(report));
  tables.write("flows", schema::kFlow, report.flows);
  tables.write("datagrams", schema::kUdFlow, report.ud_flows);
  tables.write("cm", schema::kCmMessage, report.cm_events, kMostCmMessages);
  tables.write("points", schema::kCapturePoint, report.capture_points);
  tables.write("captures", schema::kCapture, report.captures);
  tables.write("comparisons", schema::kComparison, report.comparisons);
  std::deque<CaptureInterface> interfaces;
  for (const CaptureReport& capture : report.captures) {
    interfaces.insert(interfaces.end(), capture.info.interfaces.begin(), capture.info.interfaces.end());
  }
  tables.write("interfaces", schema::kInterface, interfaces);
  tables.write("classes", schema::kClass, report.congestion.classes);
  tables.write("pauses", schema::kPause, report.pauses);
  source.messages().forget(report.damaged_connections);
  const MessageRows messages = messages_of(source.messages());
  const bool was_shown_all = source.details == nullptr || source.has_all_details();
  const std::uint64_t all_messages =
      was_shown_all ? messages.rows.size() + source.messages().messages_left_out() : source.all_messages();
  tables.write("messages", schema::kMessage, messages.rows, OverviewRecorder::kMostMessages, all_messages);
  return std::move(tables.sizes());
}

}  // namespace rocescope::render
