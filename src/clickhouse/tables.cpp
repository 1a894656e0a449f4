#include "clickhouse/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "schema/flat_row.hpp"
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::clickhouse {
namespace {

using schema::Type;
using schema::Visitor;

/// A table whose rows are a member of the report.
template <auto member, class Row>
constexpr Table table_of(std::string_view name, const schema::Rows<Row>& rows, std::string_view order) {
  return {name, &rows, order, [](const Report& report, Visitor visit) {
            for (const Row& row : report.*member) visit(&row);
          }};
}

/// Buckets in which something was sent; `make(start, sent)` makes a row of one.
template <class Make>
void each_bucket(const RateSeries& rates, Visitor visit, Make make) {
  auto start = static_cast<std::uint64_t>(rates.start());
  for (const Sent& sent : rates.buckets()) {
    if (sent.packets > 0 || sent.messages > 0) {
      const auto row = make(static_cast<std::int64_t>(start), sent);
      visit(&row);
    }
    start += static_cast<std::uint64_t>(rates.width());
  }
}

void each_side_bucket(const Report& report, Visitor visit) {
  for (const Connection& connection : report.connections) {
    for (std::size_t side = 0; side < 2; ++side) {
      const RateSeries& rates = connection.sides[side].rates;
      each_bucket(rates, visit, [&](std::int64_t start, const Sent& sent) {
        return schema::SideBucket{connection, side, start, rates.width(), sent};
      });
    }
  }
}

void each_host_bucket(const Report& report, Visitor visit) {
  for (const HostRates& hosts : report.host_rates) {
    each_bucket(hosts.rates, visit, [&](std::int64_t start, const Sent& sent) {
      return schema::HostBucket{hosts, start, hosts.rates.width(), sent};
    });
  }
}

constexpr Table kAll[] = {
    {"messages", &schema::kMessage, "requester, responder, first_time", nullptr},
    table_of<&Report::captures>("captures", schema::kCapture, "path"),
    table_of<&Report::connections>("connections", schema::kConnection, "number"),
    table_of<&Report::findings>("findings", schema::kFinding, "id, connection"),
    table_of<&Report::handshakes>("handshakes", schema::kHandshake, "number"),
    table_of<&Report::hosts>("hosts", schema::kHost, "address"),
    {"rates", &schema::kSideBucket, "source, destination, start", each_side_bucket},
    {"host_rates", &schema::kHostBucket, "source, destination, start", each_host_bucket},
    {"packets", &schema::kPacket, "connection, number", nullptr},
};
static_assert(std::size(kAll) == kTables && kAll[kMessages].each == nullptr && kAll[kPackets].each == nullptr);

void show_row_counts(const void* row, Visitor visit) {
  const auto& numbers = static_cast<const LoadRow*>(row)->rows;
  for (std::size_t i = 0; i < kTables; ++i) {
    const schema::Count count{kAll[i].name, numbers[i]};
    visit(&count);
  }
}

std::string_view table_at(std::size_t index) { return index < kTables ? kAll[index].name : std::string_view(); }

constexpr auto row_counts() {
  schema::ColumnOf<LoadRow> column;
  column.name = "rows";
  column.help = "rows of the table, once it is done";
  column.type = Type::kCounts;
  column.each = &show_row_counts;
  column.name_at = &table_at;
  column.csv_prefix = "rows_";
  return column;
}

constexpr auto kLoadColumns = schema::columns<LoadRow>(
    schema::text<&LoadRow::name>("name", "of the capture: --name, else where its files are"),
    schema::text<&LoadRow::state>(
        "state",
        "planned: it is being loaded, or that was interrupted: until it is repeated, its rows may be those of "
        "two loads, in different tables; done; moved: to another server"),
    schema::number<&LoadRow::sequence>("sequence", "the row of a capture with the highest one is true"),
    schema::time<&LoadRow::changed>("changed", "when this was written"),
    schema::text<&LoadRow::program>("program", "the version of rocescope"),
    schema::boolean<&LoadRow::has_messages>("has_messages", "false with --no-messages"),
    schema::text<&LoadRow::packets_filter>("packets_filter", "of --packets: which packets have rows; empty: none"),
    schema::members<&LoadRow::totals>(schema::kCaptureTotals),
    schema::number<&LoadRow::evicted>("evicted_connections",
                                      "connections that were evicted: they have no row in connections and rates"),
    row_counts());
constinit const schema::Rows<LoadRow> kLoad{{"load", "what became of loading a capture", kLoadColumns}};
constinit const Table kLedger{"loads", &kLoad, "capture_id, sequence", nullptr};

Form form_of(const schema::FlatColumn& column) {
  switch (column.column->type) {
    case Type::kBoolean:
      return Form::kUInt8;
    case Type::kQpn:
    case Type::kPsn:
    case Type::kKey:
      return Form::kUInt32;
    case Type::kTime:
    case Type::kDuration:
      return Form::kInt64;
    case Type::kText:
    case Type::kAddress:
    case Type::kMac:
    case Type::kHex:
      return Form::kString;
    case Type::kList:
      return column.column->element == Type::kText ? Form::kStrings : Form::kNumbers;
    default:
      return Form::kUInt64;
  }
}

bool is_plain_number(Form form) { return form < Form::kString; }

}  // namespace

std::span<const Table> tables() noexcept { return kAll; }
const Table& ledger() noexcept { return kLedger; }

std::string_view type_name(Form form) noexcept {
  constexpr std::string_view kNames[] = {"UInt8",  "UInt32",        "UInt64",       "Int64",
                                         "String", "Array(UInt64)", "Array(String)"};
  return kNames[static_cast<std::size_t>(form)];
}

std::vector<Column> columns_of(const Table& table) {
  std::vector<Column> columns;
  for (schema::FlatColumn& flat : schema::flat_columns(*table.rows)) {
    const Form form = form_of(flat);
    columns.push_back({.name = std::move(flat.name),
                       .form = form,
                       .flagged = flat.optional && is_plain_number(form),
                       .help = flat.column->help});
  }
  return columns;
}

std::string flag_of(const Column& column) { return column.name + "_known"; }

std::string create_database(std::string_view database) {
  return fmt::format("CREATE DATABASE IF NOT EXISTS `{}`", database);
}

std::string create_table(const Table& table, std::string_view database) {
  std::string text = fmt::format("-- {}\nCREATE TABLE IF NOT EXISTS `{}`.`{}` (\n  `{}` UInt64", table.rows->help,
                                 database, table.name, kCaptureId);
  std::string_view help = "a number for the name of the capture, as in loads";
  const auto add = [&](std::string_view name, std::string_view type) {
    text += fmt::format(",  -- {}\n  `{}` {}", help, name, type);
  };
  for (const Column& column : columns_of(table)) {
    add(column.name, type_name(column.form));
    help = column.help;
    if (!column.flagged) continue;
    add(flag_of(column), type_name(Form::kUInt8));
    help = "0: there is none";
  }
  const bool is_ledger = &table == &kLedger;
  return fmt::format("{}  -- {}\n) ENGINE = MergeTree{} ORDER BY ({})", text, help,
                     is_ledger ? "" : fmt::format(" PARTITION BY {}", kCaptureId), table.order);
}

std::string ddl(std::string_view database) {
  std::string text = create_database(database) + ";\n";
  for (const Table& table : kAll) text += "\n" + create_table(table, database) + ";\n";
  return text + "\n" + create_table(kLedger, database) + ";\n";
}

}  // namespace rocescope::clickhouse
