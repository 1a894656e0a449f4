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

/// Writes the members name, help, columns, rows and left_out. A column with the same value in all rows stands there once. Times are
/// nanoseconds since `start`; `left_out`: rows beside those here.
void write_page_table(std::string_view name, const schema::Table& table, std::span<const void* const> rows,
                      std::uint64_t left_out, std::int64_t start, JsonWriter& json);

}  // namespace rocescope::render
