// Rows as ClickHouse's RowBinary: the values of a row one after the other, in the order of its columns.
// https://clickhouse.com/docs/interfaces/formats/RowBinary
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clickhouse/tables.hpp"

namespace rocescope::clickhouse {

class RowWriter {
 public:
  RowWriter(const Table& table, std::uint64_t capture_id);
  /// `row` is one of the table's.
  void append(const void* row, std::string& out) const;

 private:
  const schema::Table* rows_;
  std::uint64_t capture_id_;
  std::vector<Column> columns_;
};

}  // namespace rocescope::clickhouse
