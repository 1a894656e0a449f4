// The tables of rows as text for the manual.
#pragma once

#include <string>

#include "schema/column.hpp"

namespace rocescope::render {

/// Appends the columns of the table and of all tables in it: a heading for each, below it a line a column.
void append_documentation(const schema::Table& table, std::string& out);

}  // namespace rocescope::render
