#include "render/html/page_table.hpp"

#include <optional>
#include <string>
#include <variant>

#include "render/report/row_json.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "schema/flat_row.hpp"

namespace rocescope::render {
namespace {

/// Makes the text of each cell that `take` wants, and passes it on.
template <class Take>
class CellTexts final : public schema::FlatCells {
 public:
  CellTexts(std::int64_t start, Take& take) : start_(start), take_(take) {}

  void value(const schema::Column& column, const schema::Value& value) override {
    make([&](JsonWriter& json) { write(column.type, value, json); });
  }
  void list(const schema::Column& column, const void* row) override {
    make([&](JsonWriter& json) {
      json.open_array();
      auto append = [&](const void* part) { write(column.element, *static_cast<const schema::Value*>(part), json); };
      column.each(row, schema::Visitor(append));
      json.close_array();
    });
  }
  void count(const schema::Column& /*column*/, std::uint64_t number) override {
    make([&](JsonWriter& json) { json.number({}, number); });
  }

 private:
  template <class Write>
  void make(Write write) {
    if (!take_.wants_next()) return;
    text_.clear();
    JsonWriter json(text_, JsonSpace::kCompact);
    write(json);
    take_.take(text_);
  }
  void write(schema::Type type, const schema::Value& value, JsonWriter& json) const {
    const auto* const number = std::get_if<std::int64_t>(&value.content());
    if (value.absent()) {
      json.null({});
    } else if (number != nullptr && type == schema::Type::kTime) {
      json.number({}, elapsed(start_, *number));
    } else {
      write_value(type, {}, value, json);
    }
  }

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
    text_.clear();
    json_.emplace(text_, JsonSpace::kCompact).open_array();
  }
  bool wants_next() { return !constants_[column_++].holds; }
  void take(const std::string& text) { json_->raw({}, text); }
  [[nodiscard]] const std::string& end_row() {
    json_->close_array();
    return text_;
  }

 private:
  const std::vector<Constant>& constants_;
  std::size_t column_ = 0;
  std::string text_;
  std::optional<JsonWriter> json_;
};

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
  json.string("unit", to_string(column.column->unit));
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
