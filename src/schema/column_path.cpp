#include "schema/column_path.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rocescope::schema {
namespace {

/// Appends the column of this name and, before it, the kMembers columns on the way to it.
bool append_column(const Table& table, std::string_view name, std::vector<const Column*>& steps) {
  for (const Column& column : table.columns) {
    if (column.type != Type::kMembers) {
      if (column.name != name) continue;
      steps.push_back(&column);
      return true;
    }
    if (!name.starts_with(column.name)) continue;
    steps.push_back(&column);
    if (append_column(*column.table, name.substr(column.name.size()), steps)) return true;
    steps.pop_back();
  }
  return false;
}

bool has_count(const Column& column, std::string_view name) {
  for (std::size_t i = 0; !column.name_at(i).empty(); ++i) {
    if (column.name_at(i) == name) return true;
  }
  return false;
}

}  // namespace

ColumnPath::ColumnPath(const Table& table, std::string_view names) {
  const auto fail = [&] {
    throw std::logic_error("no column " + std::string(names) + " of " + std::string(table.name));
  };
  const Table* at = &table;
  std::string_view rest = names;
  while (at != nullptr) {
    const std::string_view name = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (!append_column(*at, name, steps_)) fail();
    const Column& column = *steps_.back();
    is_sum_ = is_sum_ || column.type == Type::kArray;
    at = column.type == Type::kObject || column.type == Type::kArray ? column.table : nullptr;
  }
  if (column().type == Type::kCounts) {
    if (!has_count(column(), rest)) fail();
    count_ = rest;
    is_sum_ = true;
  } else if (!rest.empty() || !is_single(column().type)) {
    fail();
  }
}

void ColumnPath::read_from(std::size_t step, const void* row, Value& value) const {
  const Column& column = *steps_[step];
  if (column.present != nullptr && !column.present(row)) return;
  if (is_single(column.type)) {
    if (!is_sum_) return schema::read(column, row, value);
    Value part;
    schema::read(column, row, part);
    return value.set(value.number() + part.number());
  }
  const bool counts = column.type == Type::kCounts;
  auto visit = [&](const void* part) {
    if (!counts) return read_from(step + 1, part, value);
    const auto& [name, number] = *static_cast<const Count*>(part);
    if (name == count_) value.set(value.number() + number);
  };
  column.each(row, Visitor(visit));
}

void ColumnPath::read(const void* row, Value& value) const {
  value.clear();
  if (is_sum_) value.set(0U);
  read_from(0, row, value);
}

}  // namespace rocescope::schema
