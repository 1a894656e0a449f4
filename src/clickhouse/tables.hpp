// The tables of a report in ClickHouse: what they are called, and their columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/report.hpp"
#include "schema/column.hpp"

namespace rocescope::clickhouse {

/// How a value is stored.
enum class Form : std::uint8_t { kUInt8, kUInt32, kUInt64, kInt64, kString, kNumbers, kStrings };

struct Column {
  std::string name;
  Form form = Form::kUInt64;
  bool flagged = false;  ///< a UInt8 behind it, NAME_known, is 0 where a row has no value
  std::string_view help;
};

struct Table {
  std::string_view name;
  const schema::Table* rows;
  std::string_view order;  ///< the sort key
  /// Shows each row of the report; null: rows come one by one.
  void (*each)(const Report& report, schema::Visitor visit);
};

/// All tables of a report: the messages, the tables that show their rows, and the packets.
[[nodiscard]] std::span<const Table> tables() noexcept;
inline constexpr std::size_t kTables = 9;
// Whose rows come one by one.
inline constexpr std::size_t kMessages = 0;
inline constexpr std::size_t kPackets = 8;

/// A row of the ledger: a step of loading a capture. The last row of a capture has the highest sequence.
struct LoadRow {
  std::string_view name;
  std::string_view state;
  std::uint64_t sequence = 0;
  std::int64_t changed = 0;  ///< nanoseconds since 1970
  std::string_view program;
  bool has_messages = true;
  std::string_view packets_filter;  ///< empty: there are none
  CaptureTotals totals;
  std::uint64_t evicted = 0;                  ///< connections without a row
  std::array<std::uint64_t, kTables> rows{};  ///< of each of tables()
};
[[nodiscard]] const Table& ledger() noexcept;

/// The first column of all tables: the number of the capture, computed from its name.
inline constexpr std::string_view kCaptureId = "capture_id";

/// Behind kCaptureId.
[[nodiscard]] std::vector<Column> columns_of(const Table& table);
/// The name of the flag of a column that has one.
[[nodiscard]] std::string flag_of(const Column& column);
/// `UInt64`
[[nodiscard]] std::string_view type_name(Form form) noexcept;

/// Statements that make the database and its tables if they do not exist, with the meaning of each column.
[[nodiscard]] std::string create_database(std::string_view database);
[[nodiscard]] std::string create_table(const Table& table, std::string_view database);

/// All of them, each with a semicolon.
[[nodiscard]] std::string ddl(std::string_view database);

}  // namespace rocescope::clickhouse
