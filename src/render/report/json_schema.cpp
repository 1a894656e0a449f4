#include "render/report/json_schema.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "render/json_writer.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

using schema::Column;
using schema::Table;
using schema::Type;

std::string_view json_type(Type type) {
  switch (type) {
    case Type::kBoolean:
      return "boolean";
    case Type::kText:
    case Type::kAddress:
    case Type::kMac:
    case Type::kId:
    case Type::kHex:
      return "string";
    default:
      return "integer";
  }
}

void write_single(Type type, JsonWriter& json) {
  json.string("type", json_type(type));
  if (type == Type::kId) json.string("pattern", "^0x[0-9a-f]{16}$");
  if (type == Type::kHex) json.string("pattern", "^([0-9a-f]{2})*$");
}

void write_reference(const Table& table, JsonWriter& json) {
  json.string("$ref", fmt::format("#/$defs/{}", table.name));
}

/// The members of an object that has one of the same kind under each of the column's names.
template <class Write>
void write_named(const Column& column, JsonWriter& json, Write write) {
  for (std::size_t i = 0; !column.name_at(i).empty(); ++i) {
    json.open_object(column.name_at(i));
    write();
    json.close_object();
  }
}

void write_numbers(const Column& column, JsonWriter& json) {
  write_named(column, json, [&] { json.string("type", "integer"); });
}

void write_several(const Column& column, JsonWriter& json) {
  const bool is_array = column.type == Type::kArray || column.type == Type::kList;
  json.string("type", is_array ? "array" : "object");
  json.open_object(is_array ? "items" : "properties");
  if (column.type == Type::kArray) write_reference(*column.table, json);
  if (column.type == Type::kList) write_single(column.element, json);
  if (column.type == Type::kCounts) write_numbers(column, json);
  if (column.type == Type::kNamed) write_named(column, json, [&] { write_reference(*column.table, json); });
  json.close_object();
}

void write_columns(const Table& table, std::string_view prefix, bool totals, JsonWriter& json) {
  for (const Column& column : table.columns) {
    if (totals && !is_total(column)) continue;
    if (column.type == Type::kMembers) {
      write_columns(*column.table, column.name, column.totals_only, json);
      continue;
    }
    if (column.type == Type::kSeries) {
      for (const Column& each : column.table->columns) {
        json.open_object(each.name);
        json.string("type", "array");
        json.open_object("items");
        write_single(each.type, json);
        json.close_object();
        json.close_object();
      }
      continue;
    }
    if (column.name.empty()) {
      write_numbers(column, json);
      continue;
    }
    json.open_object(fmt::format("{}{}", prefix, column.name));
    json.string("description", column.help);
    if (is_single(column.type)) {
      write_single(column.type, json);
    } else if (column.type == Type::kObject) {
      write_reference(*column.table, json);
    } else {
      write_several(column, json);
    }
    json.close_object();
  }
}

void write_table(const Table& table, JsonWriter& json) {
  json.string("description", table.help);
  json.string("type", "object");
  json.open_object("properties");
  write_columns(table, {}, false, json);
  json.close_object();
}

void write_definitions(const Table& table, std::set<const Table*>& written, JsonWriter& json);

/// A table and those of the rows in its rows, unless it is there already.
void write_definition(const Table& table, std::set<const Table*>& written, JsonWriter& json) {
  if (!written.insert(&table).second) return;
  json.open_object(table.name);
  write_table(table, json);
  json.close_object();
  write_definitions(table, written, json);
}

/// The tables of rows in the row, each once.
void write_definitions(const Table& table, std::set<const Table*>& written, JsonWriter& json) {
  for (const Column& column : table.columns) {
    if (column.table == nullptr || column.type == Type::kSeries) continue;
    if (column.type == Type::kMembers) {
      write_definitions(*column.table, written, json);
    } else {
      write_definition(*column.table, written, json);
    }
  }
}

}  // namespace

void append_report_schema(std::string& out) {
  JsonWriter json(out, JsonSpace::kIndented);
  json.open_object();
  json.string("$schema", "https://json-schema.org/draft/2020-12/schema");
  json.string("title", "rocescope report");
  write_table(schema::kReport, json);
  json.open_object("$defs");
  std::set<const Table*> written;
  write_definitions(schema::kReport, written, json);
  write_definition(schema::kInterval, written, json);  // of `live`; nothing in a report refers to it
  json.close_object();
  json.close_object();
  out += '\n';
}

}  // namespace rocescope::render
