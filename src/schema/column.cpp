#include "schema/column.hpp"

namespace rocescope::schema {

void merge(const Table& table, void* into, const void* from) {
  for (const Column& column : table.columns) {
    if (column.add != nullptr) column.add(into, from);
  }
}

}  // namespace rocescope::schema
