#include "schema/column.hpp"

namespace rocescope::schema {

const Column* find(const Table& table, std::string_view name) noexcept {
  for (const Column& column : table.columns) {
    if (column.type == Type::kMembers) {
      if (!name.starts_with(column.name)) continue;
      if (const Column* const member = find(*column.table, name.substr(column.name.size()))) return member;
    } else if (column.name == name) {
      return &column;
    }
  }
  return nullptr;
}

void merge(const Table& table, void* into, const void* from) {
  for (const Column& column : table.columns) {
    if (column.merge != Merge::kNever) column.add(into, from);
  }
}

}  // namespace rocescope::schema
