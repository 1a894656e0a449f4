#include "render/html/page_table.hpp"

#include <fmt/format.h>

#include <string>
#include <variant>

#include "render/value_text.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "schema/flat_row.hpp"
#include "text/append.hpp"

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
      text::append(out_, "\"0x{:016x}\"", value);
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

/// Makes the text of each cell that `take` wants, and passes it on.
template <class Take>
class CellTexts final : public schema::FlatCells {
 public:
  CellTexts(std::int64_t start, Take& take) : start_(start), take_(take) {}

  void value(const schema::Column& column, const schema::Value& value) override {
    if (!take_.wants_next()) return;
    text_.clear();
    std::visit(CellText(column.type, start_, text_), value.content());
    take_.take(text_);
  }
  void list(const schema::Column& column, const void* row) override {
    if (!take_.wants_next()) return;
    text_ = '[';
    auto append = [&](const void* part) {
      if (text_.size() > 1) text_ += ',';
      std::visit(CellText(column.element, start_, text_), static_cast<const schema::Value*>(part)->content());
    };
    column.each(row, schema::Visitor(append));
    text_ += ']';
    take_.take(text_);
  }
  void count(const schema::Column& /*column*/, std::uint64_t number) override {
    if (!take_.wants_next()) return;
    const fmt::format_int digits(number);
    text_.assign(digits.data(), digits.size());
    take_.take(text_);
  }

 private:
  std::int64_t start_;
  Take& take_;
  std::string text_;
};

/// A column that has one value in all rows, until one differs.
struct Constant {
  bool holds = true;
  std::string text;
};

/// Compares each row with the first, as far as it was like all before it.
class Comparison {
 public:
  explicit Comparison(std::vector<Constant>& constants) : constants_(constants) {}

  void start_row(bool is_first) {
    column_ = 0;
    is_first_ = is_first;
  }
  bool wants_next() { return constants_[column_++].holds; }
  void take(const std::string& text) {
    Constant& constant = constants_[column_ - 1];
    if (is_first_) constant.text = text;
    if (constant.text != text) constant = {.holds = false, .text = {}};
  }

 private:
  std::vector<Constant>& constants_;
  std::size_t column_ = 0;
  bool is_first_ = false;
};

/// Which columns have one value in all rows; none where there are no rows.
std::vector<Constant> constants_of(const schema::Table& table, std::span<const void* const> rows, std::size_t columns,
                                   std::int64_t start) {
  std::vector<Constant> constants(columns, {.holds = !rows.empty(), .text = {}});
  Comparison comparison(constants);
  CellTexts cells(start, comparison);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    comparison.start_row(i == 0);
    schema::visit_cells(table, rows[i], cells);
  }
  return constants;
}

/// A row of the columns that differ.
class Line {
 public:
  explicit Line(const std::vector<Constant>& constants) : constants_(constants) {}

  void start_row() {
    column_ = 0;
    text_ = '[';
  }
  bool wants_next() { return !constants_[column_++].holds; }
  void take(const std::string& text) {
    if (text_.size() > 1) text_ += ',';
    text_ += text;
  }
  [[nodiscard]] const std::string& end_row() { return text_ += ']'; }

 private:
  const std::vector<Constant>& constants_;
  std::size_t column_ = 0;
  std::string text_;
};

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

void write_head(const schema::FlatColumn& column, const Constant& constant, JsonWriter& json) {
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

std::size_t write_page_table(std::string_view name, const schema::Table& table, const PageRows& rows,
                             std::int64_t start, JsonWriter& json) {
  const std::vector<schema::FlatColumn> columns = schema::flat_columns(table);
  const std::vector<Constant> constants = constants_of(table, rows.rows, columns.size(), start);
  json.string("name", name);
  json.string("help", table.help);
  json.open_array("columns");
  for (std::size_t i = 0; i < columns.size(); ++i) write_head(columns[i], constants[i], json);
  json.close_array();
  json.open_array("rows");
  Line line(constants);
  CellTexts cells(start, line);
  std::size_t written = 0;
  std::size_t bytes = 0;
  for (const void* const row : rows.rows) {
    line.start_row();
    schema::visit_cells(table, row, cells);
    const std::string& text = line.end_row();
    bytes += text.size() + 1;
    if (bytes > rows.most_bytes) break;
    json.raw({}, text);
    ++written;
  }
  json.close_array();
  json.number("row_count", written);
  json.number("left_out", rows.left_out + rows.rows.size() - written);
  return written;
}

}  // namespace rocescope::render
