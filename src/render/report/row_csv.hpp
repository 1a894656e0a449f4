// Rows of a report as comma-separated values (RFC 4180; lines end with LF), by their tables.
#pragma once

#include <string>

#include "schema/column.hpp"

namespace rocescope::render {

/// A line of column names. Objects in the row stand behind its own values, with a prefix before the names of theirs.
void append_csv_header(const schema::Table& table, std::string& out);

/// A line of values; what is absent is empty.
void append_csv_row(const schema::Table& table, const void* row, std::string& out);
template <class Row>
void append_csv_row(const schema::Rows<Row>& rows, const Row& row, std::string& out) {
  append_csv_row(static_cast<const schema::Table&>(rows), &row, out);
}

}  // namespace rocescope::render
