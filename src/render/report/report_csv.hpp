// A report as tables of comma-separated values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"
#include "rocescope/report.hpp"
#include "schema/column.hpp"

namespace rocescope::render {

/// A table of the report, in a file of its own.
struct CsvTable {
  std::string_view file;       ///< `connections.csv`
  const schema::Table* table;  ///< of its rows
  std::string_view help;       ///< for the manual
  bool in_json;                ///< the JSON document has such rows too
  /// Appends the header, then a row for each row of the report's table; null: the rows are written while they pass.
  void (*append)(const Report& report, std::string& out);
};

/// All tables but the one of messages.
[[nodiscard]] std::span<const CsvTable> csv_tables() noexcept;
/// The table of messages, without append().
[[nodiscard]] const CsvTable& csv_messages() noexcept;

inline constexpr std::string_view kMessagesCsv = "messages.csv";
void append_message_header(std::string& out);
/// `side` of `connection` requested it.
void append_message_row(const Connection& connection, std::size_t side, const Message& message, std::string& out);

/// Every column, as text for the manual.
[[nodiscard]] const std::string& report_csv_documentation();

}  // namespace rocescope::render
