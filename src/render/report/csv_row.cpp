#include "render/report/csv_row.hpp"

#include <fmt/format.h>

namespace rocescope::render {

void CsvRow::start() {
  if (!first_) out_ += ',';
  first_ = false;
}

void CsvRow::cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out_ += text;
    return;
  }
  out_ += '"';
  for (const char c : text) {
    if (c == '"') out_ += '"';
    out_ += c;
  }
  out_ += '"';
}

void CsvRow::text(std::string_view name, std::string_view value) {
  start();
  if (show_ == Show::kNames) {
    out_ += prefix_;
    out_ += name;
  } else {
    cell(value);
  }
}

void CsvRow::address(std::string_view name, const std::optional<std::uint64_t>& value) {
  text(name, value ? fmt::format("0x{:016x}", *value) : std::string());
}

void CsvRow::signed_number(std::string_view name, std::int64_t value) { text(name, fmt::format_int(value).c_str()); }

void CsvRow::unsigned_number(std::string_view name, std::uint64_t value) { text(name, fmt::format_int(value).c_str()); }

void CsvRow::end() { out_ += '\n'; }

}  // namespace rocescope::render
