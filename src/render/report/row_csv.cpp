#include "render/report/row_csv.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string_view>

#include "rocescope/text.hpp"

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

  void cell(std::string_view text) {
    if (!first_) out_ += ',';
    first_ = false;
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
  void operator()(std::int64_t value) const { fmt::format_to(std::back_inserter(out_), "{}", value); }
  void operator()(std::uint64_t value) const {
    if (type_ == Type::kId) {
      fmt::format_to(std::back_inserter(out_), "0x{:016x}", value);
    } else {
      fmt::format_to(std::back_inserter(out_), "{}", value);
    }
  }
  void operator()(std::string_view value) const { out_ += value; }
  void operator()(const IpAddress& value) const { append_address(value, out_); }
  void operator()(const ByteArray<6>& value) const { append_mac(value, out_); }
  void operator()(Bytes value) const { append_hex(value, out_); }

 private:
  Type type_;
  std::string& out_;
};

bool is_own(const Column& column) { return is_single(column.type) || column.type == Type::kList; }

void names(const Table& table, std::string_view prefix, Line& line);
void values(const Table& table, const void* row, Line& line);

/// `side0_`, `side1_`: the only arrays that rows of CSV have in them are those of the sides of a connection.
constexpr std::size_t kSides = 2;

void names_in(const Column& column, const std::string& prefix, Line& line) {
  switch (column.type) {
    case Type::kObject:
      return names(*column.table, prefix + std::string(column.csv_prefix), line);
    case Type::kArray:
      for (std::size_t i = 0; i < kSides; ++i) names(*column.table, fmt::format("{}{}_", column.csv_prefix, i), line);
      return;
    case Type::kCounts:
      for (std::size_t i = 0; !column.name_at(i).empty(); ++i) {
        line.cell(fmt::format("{}{}{}", prefix, column.csv_prefix, column.name_at(i)));
      }
      return;
    default:
      return;
  }
}

void names(const Table& table, std::string_view prefix, Line& line) {
  for (const Column& column : table.columns) {
    if (!column.in_csv) continue;
    if (is_own(column)) line.cell(fmt::format("{}{}", prefix, column.name));
    if (column.type == Type::kMembers) names(*column.table, fmt::format("{}{}", prefix, column.name), line);
  }
  for (const Column& column : table.columns) {
    if (column.in_csv) names_in(column, std::string(prefix), line);
  }
}

void own_value(const Column& column, const void* row, Line& line) {
  std::string text;
  if (column.type == Type::kList) {
    auto append = [&](const void* part) {
      if (!text.empty()) text += ' ';
      std::visit(ValueText(column.element, text), static_cast<const Value*>(part)->content());
    };
    column.each(row, schema::Visitor(append));
  } else {
    Value value;
    read(column, row, value);
    std::visit(ValueText(column.type, text), value.content());
  }
  line.cell(text);
}

void empty_values(const Table& table, Line& line) {
  for (const Column& column : table.columns) {
    if (!column.in_csv) continue;
    if (is_own(column)) line.cell({});
    if (column.type == Type::kMembers) empty_values(*column.table, line);
  }
}

/// The rows in a row; empty cells where it has none.
void values_in(const Column& column, const void* row, Line& line) {
  bool any = false;
  auto show = [&](const void* part) {
    any = true;
    if (column.type == Type::kCounts) {
      line.cell(fmt::format_int(static_cast<const schema::Count*>(part)->number).c_str());
    } else {
      values(*column.table, part, line);
    }
  };
  column.each(row, schema::Visitor(show));
  if (!any && column.table != nullptr) empty_values(*column.table, line);
}

void values(const Table& table, const void* row, Line& line) {
  for (const Column& column : table.columns) {
    if (!column.in_csv) continue;
    if (is_own(column)) own_value(column, row, line);
    if (column.type == Type::kMembers) values_in(column, row, line);
  }
  for (const Column& column : table.columns) {
    if (column.in_csv && !is_own(column) && column.type != Type::kMembers) values_in(column, row, line);
  }
}

}  // namespace

void append_csv_header(const Table& table, std::string& out) {
  Line line(out);
  names(table, {}, line);
  line.end();
}

void append_csv_row(const Table& table, const void* row, std::string& out) {
  Line line(out);
  values(table, row, line);
  line.end();
}

}  // namespace rocescope::render
