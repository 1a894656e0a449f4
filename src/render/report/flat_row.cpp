#include "render/report/flat_row.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace rocescope::render {
namespace {

using schema::Table;
using schema::Type;
using schema::Value;

bool is_own_cell(const schema::Column& column) { return is_single(column.type) || column.type == Type::kList; }

/// `side0_`, `side1_`: the only arrays that lines have in them are those of the sides of a connection.
constexpr std::size_t kSides = 2;

void add_columns(const Table& table, const std::string& prefix, std::vector<FlatColumn>& columns);

void add_columns_in(const schema::Column& column, const std::string& prefix, std::vector<FlatColumn>& columns) {
  if (column.type == Type::kObject) {
    add_columns(*column.table, prefix + std::string(column.csv_prefix), columns);
  } else if (column.type == Type::kArray && !column.csv_prefix.empty()) {
    for (std::size_t i = 0; i < kSides; ++i) {
      add_columns(*column.table, fmt::format("{}{}{}_", prefix, column.csv_prefix, i), columns);
    }
  } else if (column.type == Type::kCounts) {
    for (std::size_t i = 0; !column.name_at(i).empty(); ++i) {
      columns.push_back({fmt::format("{}{}{}", prefix, column.csv_prefix, column.name_at(i)), &column});
    }
  }
}

void add_columns(const Table& table, const std::string& prefix, std::vector<FlatColumn>& columns) {
  for (const schema::Column& column : table.columns) {
    if (!column.in_csv) continue;
    if (is_own_cell(column)) columns.push_back({fmt::format("{}{}", prefix, column.name), &column});
    if (column.type == Type::kMembers) {
      add_columns(*column.table, fmt::format("{}{}", prefix, column.name), columns);
    }
  }
  for (const schema::Column& column : table.columns) {
    if (column.in_csv) add_columns_in(column, prefix, columns);
  }
}

void visit_own(const schema::Column& column, const void* row, FlatCells& cells) {
  Value value;
  if (row == nullptr) return cells.value(column, value);
  if (column.type == Type::kList) return cells.list(column, row);
  read(column, row, value);
  cells.value(column, value);
}

/// Shows the rows in a row, or so many absent ones.
void visit_rows(const schema::Column& column, const void* row, std::size_t number, FlatCells& cells) {
  std::size_t shown = 0;
  auto show = [&](const void* part) {
    if (shown == number) return;
    visit_cells(*column.table, part, cells);
    ++shown;
  };
  if (row != nullptr) column.each(row, schema::Visitor(show));
  for (; shown < number; ++shown) visit_cells(*column.table, nullptr, cells);
}

void visit_in(const schema::Column& column, const void* row, FlatCells& cells) {
  if (column.present != nullptr && row != nullptr && !column.present(row)) row = nullptr;
  if (column.type == Type::kObject) return visit_rows(column, row, 1, cells);
  if (column.type == Type::kArray && !column.csv_prefix.empty()) return visit_rows(column, row, kSides, cells);
  if (column.type != Type::kCounts) return;
  if (row == nullptr) {
    for (std::size_t i = 0; !column.name_at(i).empty(); ++i) cells.value(column, Value());
    return;
  }
  auto show = [&](const void* part) { cells.count(column, static_cast<const schema::Count*>(part)->number); };
  column.each(row, schema::Visitor(show));
}

}  // namespace

std::vector<FlatColumn> flat_columns(const Table& table) {
  std::vector<FlatColumn> columns;
  add_columns(table, {}, columns);
  return columns;
}

void visit_cells(const Table& table, const void* row, FlatCells& cells) {
  for (const schema::Column& column : table.columns) {
    if (!column.in_csv) continue;
    if (is_own_cell(column)) visit_own(column, row, cells);
    if (column.type == Type::kMembers) visit_rows(column, row, 1, cells);
  }
  for (const schema::Column& column : table.columns) {
    if (column.in_csv && !is_own_cell(column) && column.type != Type::kMembers) visit_in(column, row, cells);
  }
}

}  // namespace rocescope::render
