// Rows of a report as JSON, by their tables.
#pragma once

#include <string_view>

#include "render/json_writer.hpp"
#include "schema/column.hpp"

namespace rocescope::render {

/// What the row has in each column, as members of the object that is open.
void write_members(const schema::Table& table, const void* row, JsonWriter& json);
template <class Row>
void write_members(const schema::Rows<Row>& rows, const Row& row, JsonWriter& json) {
  write_members(static_cast<const schema::Table&>(rows), &row, json);
}

/// One value, which is of the column's type; an absent one not at all. `name` is empty in an array.
void write_value(schema::Type type, std::string_view name, const schema::Value& value, JsonWriter& json);

}  // namespace rocescope::render
