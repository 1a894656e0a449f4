#include "render/report/row_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <variant>

#include "rocescope/text.hpp"
#include "schema/flat_row.hpp"
#include "text/append.hpp"

namespace rocescope::render {
namespace {

using schema::Column;
using schema::Table;
using schema::Type;
using schema::Value;

/// One line, cell by cell.
class Line {
 public:
  explicit Line(std::string& out) : out_(out) {}

  /// Begins a cell, which the caller appends.
  [[nodiscard]] std::string& cell() {
    if (!first_) out_ += ',';
    first_ = false;
    return out_;
  }
  void cell(std::string_view text) {
    static_cast<void>(cell());
    if (std::ranges::none_of(text, [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; })) {
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
  void end() { out_ += '\n'; }

 private:
  std::string& out_;
  bool first_ = true;
};

/// Appends a value as a document has it.
class ValueText {
 public:
  ValueText(Type type, std::string& out) : type_(type), out_(out) {}

  void operator()(std::monostate) const {}
  void operator()(bool value) const { out_ += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { append_number(value); }
  void operator()(std::uint64_t value) const {
    if (type_ == Type::kId) {
      text::append(out_, "0x{:016x}", value);
    } else {
      append_number(value);
    }
  }
  void operator()(std::string_view value) const { out_ += value; }
  void operator()(const IpAddress& value) const { append_address(value, out_); }
  void operator()(const ByteArray<6>& value) const { append_mac(value, out_); }
  void operator()(Bytes value) const { append_hex(value, out_); }

 private:
  template <class Number>
  void append_number(Number value) const {
    const fmt::format_int digits(value);
    out_.append(digits.data(), digits.size());
  }

  Type type_;
  std::string& out_;
};

class CsvCells final : public schema::FlatCells {
 public:
  explicit CsvCells(Line& line) : line_(line) {}

  void value(const Column& column, const Value& value) override {
    if (const auto* const text = std::get_if<std::string_view>(&value.content())) return line_.cell(*text);
    std::visit(ValueText(column.type, line_.cell()), value.content());
  }
  void list(const Column& column, const void* row) override {
    text_.clear();
    auto append = [&](const void* part) {
      if (!text_.empty()) text_ += ' ';
      std::visit(ValueText(column.element, text_), static_cast<const Value*>(part)->content());
    };
    column.each(row, schema::Visitor(append));
    line_.cell(text_);
  }
  void count(const Column& column, std::uint64_t number) override { ValueText(column.type, line_.cell())(number); }

 private:
  Line& line_;
  std::string text_;
};

}  // namespace

void append_csv_header(const Table& table, std::string& out) {
  Line line(out);
  for (const schema::FlatColumn& column : schema::flat_columns(table)) line.cell(column.name);
  line.end();
}

void append_csv_row(const Table& table, const void* row, std::string& out) {
  Line line(out);
  CsvCells cells(line);
  schema::visit_cells(table, row, cells);
  line.end();
}

}  // namespace rocescope::render
