// A row and the rows in it as cells of one line, for tables that have lines and columns only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schema/column.hpp"

namespace rocescope::schema {

/// A column of such a line.
struct FlatColumn {
  std::string name;  ///< with a prefix where it is one of a row in the row: `side0_requests`
  const Column* column = nullptr;
  bool optional = false;  ///< a row may have no value, beside the 0 of Column::absent_if_zero
};

/// Is shown the cells of a line, from the first column to the last.
class FlatCells {
 public:
  virtual ~FlatCells() = default;
  /// `value` is absent where the row has none.
  virtual void value(const Column& column, const Value& value) = 0;
  /// The values of a kList column of `row`.
  virtual void list(const Column& column, const void* row) = 0;
  virtual void count(const Column& column, std::uint64_t number) = 0;
};

/// A row's own values come first, then those of objects in it. Of arrays there are the two sides alone, those with
/// Column::csv_prefix: others, series, and rows under names do not fit in a line.
[[nodiscard]] std::vector<FlatColumn> flat_columns(const Table& table);
/// The cells of a row; null: of one that is absent.
void visit_cells(const Table& table, const void* row, FlatCells& cells);

}  // namespace rocescope::schema
