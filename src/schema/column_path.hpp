// The way from a row to one of its values: "payload_bytes", "requests.messages", "sides.requests.verdicts.in_order".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "schema/column.hpp"

namespace rocescope::schema {

class ColumnPath {
 public:
  /// Names of columns of `table` and of the tables that they lead to, with dots between them; a kCounts column is followed
  /// by the name of a number. Throws std::logic_error where there is no such column.
  ColumnPath(const Table& table, std::string_view names);

  /// The last column.
  [[nodiscard]] const Column& column() const noexcept { return *steps_.back(); }

  /// The value of a row of the table, absent where the row has none; the sum of the numbers where the way goes through an
  /// array or ends at a number of a kCounts column.
  void read(const void* row, Value& value) const;

 private:
  void read_from(std::size_t step, const void* row, Value& value) const;

  std::vector<const Column*> steps_;
  std::string_view count_;  ///< of a kCounts column
  bool is_sum_ = false;
};

}  // namespace rocescope::schema
