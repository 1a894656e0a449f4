#include "schema/flat_row.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace rocescope::schema {
namespace {

bool is_own_cell(const Column& column) { return is_single(column.type) || column.type == Type::kList; }

/// `side0_`, `side1_`: the only arrays that lines have in them are those of the sides of a connection.
constexpr std::size_t kSides = 2;

/// Where columns stand: what is before their names, and whether a row may lack all of them.
struct Place {
  std::string prefix;
  bool optional = false;
};

void add_columns(const Table& table, const Place& place, std::vector<FlatColumn>& columns);

void add_columns_in(const Column& column, const Place& place, std::vector<FlatColumn>& columns) {
  const bool optional = place.optional || column.optional || column.present != nullptr;
  if (column.type == Type::kObject) {
    add_columns(*column.table, {place.prefix + std::string(column.csv_prefix), optional}, columns);
  } else if (column.type == Type::kArray && !column.csv_prefix.empty()) {
    for (std::size_t i = 0; i < kSides; ++i) {
      add_columns(*column.table, {fmt::format("{}{}{}_", place.prefix, column.csv_prefix, i), optional}, columns);
    }
  } else if (column.type == Type::kCounts) {
    for (std::size_t i = 0; !column.name_at(i).empty(); ++i) {
      const std::string name = fmt::format("{}{}{}", place.prefix, column.csv_prefix, column.name_at(i));
      columns.push_back({.name = name, .column = &column, .optional = optional});
    }
  }
}

void add_columns(const Table& table, const Place& place, std::vector<FlatColumn>& columns) {
  for (const Column& column : table.columns) {
    if (!column.in_csv) continue;
    const std::string name = fmt::format("{}{}", place.prefix, column.name);
    const bool optional = place.optional || column.optional;
    if (is_own_cell(column)) columns.push_back({.name = name, .column = &column, .optional = optional});
    if (column.type == Type::kMembers) add_columns(*column.table, {name, optional}, columns);
  }
  for (const Column& column : table.columns) {
    if (column.in_csv) add_columns_in(column, place, columns);
  }
}

void visit_own(const Column& column, const void* row, FlatCells& cells) {
  Value value;
  if (row == nullptr) return cells.value(column, value);
  if (column.type == Type::kList) return cells.list(column, row);
  read(column, row, value);
  cells.value(column, value);
}

/// Shows the rows in a row, or so many absent ones.
void visit_rows(const Column& column, const void* row, std::size_t number, FlatCells& cells) {
  std::size_t shown = 0;
  auto show = [&](const void* part) {
    if (shown == number) return;
    visit_cells(*column.table, part, cells);
    ++shown;
  };
  if (row != nullptr) column.each(row, Visitor(show));
  for (; shown < number; ++shown) visit_cells(*column.table, nullptr, cells);
}

void visit_in(const Column& column, const void* row, FlatCells& cells) {
  if (column.present != nullptr && row != nullptr && !column.present(row)) row = nullptr;
  if (column.type == Type::kObject) return visit_rows(column, row, 1, cells);
  if (column.type == Type::kArray && !column.csv_prefix.empty()) return visit_rows(column, row, kSides, cells);
  if (column.type != Type::kCounts) return;
  if (row == nullptr) {
    for (std::size_t i = 0; !column.name_at(i).empty(); ++i) cells.value(column, Value());
    return;
  }
  auto show = [&](const void* part) { cells.count(column, static_cast<const Count*>(part)->number); };
  column.each(row, Visitor(show));
}

}  // namespace

std::vector<FlatColumn> flat_columns(const Table& table) {
  std::vector<FlatColumn> columns;
  add_columns(table, Place(), columns);
  return columns;
}

void visit_cells(const Table& table, const void* row, FlatCells& cells) {
  for (const Column& column : table.columns) {
    if (!column.in_csv) continue;
    if (is_own_cell(column)) visit_own(column, row, cells);
    if (column.type == Type::kMembers) visit_rows(column, row, 1, cells);
  }
  for (const Column& column : table.columns) {
    if (column.in_csv && !is_own_cell(column) && column.type != Type::kMembers) visit_in(column, row, cells);
  }
}

}  // namespace rocescope::schema
