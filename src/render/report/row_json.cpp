#include "render/report/row_json.hpp"

#include <string>
#include <string_view>

#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using schema::Column;
using schema::Table;
using schema::Type;
using schema::Value;

/// Writes a value under a name; an absent one not at all.
class ValueWriter {
 public:
  ValueWriter(Type type, std::string_view name, JsonWriter& json) : type_(type), name_(name), json_(json) {}

  void operator()(std::monostate) const {}
  void operator()(bool value) const { json_.boolean(name_, value); }
  void operator()(std::int64_t value) const { json_.number(name_, value); }
  void operator()(std::uint64_t value) const {
    if (type_ == Type::kId) {
      json_.hex_id(name_, value);
    } else {
      json_.number(name_, value);
    }
  }
  void operator()(std::string_view value) const { json_.string(name_, value); }
  void operator()(const IpAddress& value) const { json_.string(name_, to_text(value)); }
  void operator()(const ByteArray<6>& value) const {
    std::string text;
    append_mac(value, text);
    json_.string(name_, text);
  }
  void operator()(Bytes value) const {
    std::string text;
    append_hex(value, text);
    json_.string(name_, text);
  }

 private:
  Type type_;
  std::string_view name_;
  JsonWriter& json_;
};

enum class Which : bool { kAll, kTotals };

/// `prefix` stands before the names.
void write_columns(const Table& table, const void* row, std::string_view prefix, Which which, JsonWriter& json);

void write_object(std::string_view name, const Table& table, const void* row, JsonWriter& json) {
  json.open_object(name);
  write_columns(table, row, {}, Which::kAll, json);
  json.close_object();
}

/// Shows `function` each part of the column as a T.
template <class T, class Function>
void each(const Column& column, const void* row, Function function) {
  auto shown = [&](const void* part) { function(*static_cast<const T*>(part)); };
  column.each(row, schema::Visitor(shown));
}
template <class Function>
void each_row(const Column& column, const void* row, Function function) {
  column.each(row, schema::Visitor(function));
}

void write_counts(const Column& column, const void* row, JsonWriter& json) {
  if (!column.name.empty()) json.open_object(column.name);
  each<schema::Count>(column, row, [&](const schema::Count& count) {
    if (count.number > 0 || !column.skips_zeros) json.number(count.name, count.number);
  });
  if (!column.name.empty()) json.close_object();
}

void write_list(const Column& column, const void* row, JsonWriter& json) {
  json.open_array(column.name);
  each<Value>(column, row, [&](const Value& value) { write_value(column.element, {}, value, json); });
  json.close_array();
}

void write_named(const Column& column, const void* row, JsonWriter& json) {
  json.open_object(column.name);
  each<schema::Named>(column, row,
                      [&](const schema::Named& named) { write_object(named.name, *column.table, named.row, json); });
  json.close_object();
}

void write_array(const Column& column, const void* row, JsonWriter& json) {
  json.open_array(column.name);
  each_row(column, row, [&](const void* part) { write_object({}, *column.table, part, json); });
  json.close_array();
}

void write_series(const Column& column, const void* row, JsonWriter& json) {
  Value value;
  for (const Column& part : column.table->columns) {
    json.open_array(part.name);
    each_row(column, row, [&](const void* element) {
      read(part, element, value);
      write_value(part.type, {}, value, json);
    });
    json.close_array();
  }
}

void write_column(const Column& column, const void* row, std::string_view prefix, JsonWriter& json) {
  if (column.present != nullptr && !column.present(row)) return;
  switch (column.type) {
    case Type::kObject:
      return each_row(column, row, [&](const void* part) { write_object(column.name, *column.table, part, json); });
    case Type::kArray:
      return write_array(column, row, json);
    case Type::kMembers:
      return each_row(column, row, [&](const void* part) {
        write_columns(*column.table, part, column.name, column.totals_only ? Which::kTotals : Which::kAll, json);
      });
    case Type::kNamed:
      return write_named(column, row, json);
    case Type::kCounts:
      return write_counts(column, row, json);
    case Type::kList:
      return write_list(column, row, json);
    case Type::kSeries:
      return write_series(column, row, json);
    default:
      break;
  }
  Value value;
  read(column, row, value);
  if (prefix.empty()) return write_value(column.type, column.name, value, json);
  write_value(column.type, std::string(prefix) + std::string(column.name), value, json);
}

void write_columns(const Table& table, const void* row, std::string_view prefix, Which which, JsonWriter& json) {
  for (const Column& column : table.columns) {
    if (which == Which::kAll || is_total(column)) write_column(column, row, prefix, json);
  }
}

}  // namespace

void write_value(Type type, std::string_view name, const Value& value, JsonWriter& json) {
  std::visit(ValueWriter(type, name, json), value.content());
}

void write_members(const Table& table, const void* row, JsonWriter& json) {
  write_columns(table, row, {}, Which::kAll, json);
}

}  // namespace rocescope::render
