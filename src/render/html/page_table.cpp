#include "render/html/page_table.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <variant>

#include "render/report/flat_row.hpp"
#include "render/value_text.hpp"
#include "rocescope/text.hpp"
#include "tracking/elapsed.hpp"

namespace rocescope::render {
namespace {

/// Appends a value as JSON.
class CellText {
 public:
  CellText(schema::Type type, std::int64_t start, std::string& out) : type_(type), start_(start), out_(out) {}

  void operator()(std::monostate) const { out_ += "null"; }
  void operator()(bool value) const { out_ += value ? "true" : "false"; }
  void operator()(std::int64_t value) const {
    const bool is_time = type_ == schema::Type::kTime;
    const fmt::format_int digits(is_time ? elapsed(start_, value) : value);
    out_.append(digits.data(), digits.size());
  }
  void operator()(std::uint64_t value) const {
    if (type_ == schema::Type::kId) {
      fmt::format_to(std::back_inserter(out_), "\"0x{:016x}\"", value);
    } else {
      const fmt::format_int digits(value);
      out_.append(digits.data(), digits.size());
    }
  }
  void operator()(std::string_view value) const { append_json_string(value, out_); }
  void operator()(const IpAddress& value) const { append_json_string(to_text(value), out_); }
  void operator()(const ByteArray<6>& value) const {
    out_ += '"';
    append_mac(value, out_);
    out_ += '"';
  }
  void operator()(Bytes value) const {
    out_ += '"';
    append_hex(value, out_);
    out_ += '"';
  }

 private:
  schema::Type type_;
  std::int64_t start_;
  std::string& out_;
};

/// Makes the text of each cell, and passes it on.
template <class Take>
class CellTexts final : public FlatCells {
 public:
  CellTexts(std::int64_t start, Take take) : start_(start), take_(take) {}

  void value(const schema::Column& column, const schema::Value& value) override {
    text_.clear();
    std::visit(CellText(column.type, start_, text_), value.content());
    take_(text_);
  }
  void list(const schema::Column& column, const void* row) override {
    text_ = '[';
    auto append = [&](const void* part) {
      if (text_.size() > 1) text_ += ',';
      std::visit(CellText(column.element, start_, text_), static_cast<const schema::Value*>(part)->content());
    };
    column.each(row, schema::Visitor(append));
    text_ += ']';
    take_(text_);
  }
  void count(const schema::Column& /*column*/, std::uint64_t number) override {
    const fmt::format_int digits(number);
    text_.assign(digits.data(), digits.size());
    take_(text_);
  }

 private:
  std::int64_t start_;
  Take take_;
  std::string text_;
};

struct Constant {
  bool holds = true;
  std::string text;
};

/// Which columns have one value in all rows; none where there are no rows.
std::vector<Constant> constants_of(const schema::Table& table, std::span<const void* const> rows, std::size_t columns,
                                   std::int64_t start) {
  std::vector<Constant> constants(columns, {.holds = !rows.empty(), .text = {}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t column = 0;
    const auto compare = [&](const std::string& text) {
      Constant& constant = constants[column++];
      if (i == 0) constant.text = text;
      if (constant.holds && constant.text != text) constant.holds = false;
    };
    CellTexts cells(start, compare);
    visit_cells(table, rows[i], cells);
  }
  return constants;
}

std::string_view unit_name(schema::Unit unit) {
  constexpr std::string_view kNames[] = {"", "packets", "bytes", "messages"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::string_view type_name(schema::Type type) {
  constexpr std::string_view kNames[] = {"number", "boolean", "text", "time", "duration", "address",
                                         "mac",    "qpn",     "psn",  "key",  "id",       "hex"};
  if (type == schema::Type::kCounts) return "number";
  return is_single(type) ? kNames[static_cast<std::size_t>(type)] : "list";
}

void write_head(const FlatColumn& column, const Constant& constant, JsonWriter& json) {
  json.open_object();
  json.string("name", column.name);
  json.string("help", column.column->help);
  json.string("type", type_name(column.column->type));
  json.string("unit", unit_name(column.column->unit));
  json.string("heading", column.column->heading);
  if (constant.holds) json.raw("constant", constant.text);
  json.close_object();
}

}  // namespace

void write_page_table(std::string_view name, const schema::Table& table, std::span<const void* const> rows,
                      std::uint64_t left_out, std::int64_t start, JsonWriter& json) {
  const std::vector<FlatColumn> columns = flat_columns(table);
  const std::vector<Constant> constants = constants_of(table, rows, columns.size(), start);
  json.string("name", name);
  json.string("help", table.help);
  json.open_array("columns");
  for (std::size_t i = 0; i < columns.size(); ++i) write_head(columns[i], constants[i], json);
  json.close_array();
  json.number("row_count", rows.size());
  json.open_array("rows");
  std::string line;
  for (const void* const row : rows) {
    line = '[';
    std::size_t column = 0;
    const auto append = [&](const std::string& text) {
      if (constants[column++].holds) return;
      if (line.size() > 1) line += ',';
      line += text;
    };
    CellTexts cells(start, append);
    visit_cells(table, row, cells);
    line += ']';
    json.raw({}, line);
  }
  json.close_array();
  json.number("left_out", left_out);
}

}  // namespace rocescope::render
