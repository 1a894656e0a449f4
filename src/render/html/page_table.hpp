// A table of rows for a page: as few bytes as its columns allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "render/json_writer.hpp"
#include "schema/column.hpp"

namespace rocescope::render {

/// Which rows a table of the page has.
struct PageRows {
  std::span<const void* const> rows;
  std::uint64_t left_out = 0;  ///< beside them
  std::size_t most_bytes = 0;  ///< of rows as JSON: the first ones that fit are written
};

/// Writes the members name, help, columns, row_count, rows and left_out. A column with the same value in all rows stands there once.
/// Times are nanoseconds since `start`. Returns how many rows it wrote.
std::size_t write_page_table(std::string_view name, const schema::Table& table, const PageRows& rows,
                             std::int64_t start, JsonWriter& json);

}  // namespace rocescope::render
