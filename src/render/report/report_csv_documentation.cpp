// What `analyze --csv` writes, for the manual.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "render/report/report_csv.hpp"
#include "render/report/row_documentation.hpp"
#include "text/wrap.hpp"

namespace rocescope::render {
namespace {

void append_file(const CsvTable& table, std::string& out) {
  constexpr std::size_t kWidth = 53;
  std::string_view name = table.file;
  for (const std::string& line : text::wrap(table.help, kWidth)) {
    out += fmt::format("  {:<16}  {}\n", name, line);
    name = {};
  }
}

}  // namespace

const std::string& report_csv_documentation() {
  static const std::string kText = [] {
    std::string text =
        R"(--csv DIR writes one file a table: a line of column names, then a line a row, with quotes where RFC 4180 asks for them and LF at the end of lines. Numbers are raw, times integer nanoseconds since 1970-01-01 UTC, addresses of memory 0x and 16 hex digits; what does not apply is empty. DIR is made where it does not exist. Files are never overwritten: where one of them is there already, nothing is read or written.

)";
    std::vector<CsvTable> tables(csv_tables().begin(), csv_tables().end());
    tables.push_back(csv_messages());
    for (const CsvTable& table : tables) append_file(table, text);
    text +=
        R"(
Where options leave only some packets, messages.csv has the messages that ended with one of them, and those that did not end of the connections in the report.
)";
    for (const CsvTable& table : tables) {
      if (table.in_json) continue;
      text += '\n';
      append_documentation(*table.table, text);
    }
    return text;
  }();
  return kText;
}

}  // namespace rocescope::render
