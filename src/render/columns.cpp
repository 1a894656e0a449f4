// The fields that -e names.
#include "render/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rocescope::render {
namespace {

/// The headers called exactly `name`, or else those below it.
std::vector<HeaderKind> headers_named(std::string_view name) {
  std::vector<HeaderKind> kinds = fields::find_headers(name);
  const auto exact = [&](HeaderKind kind) { return header_info(kind).name == name; };
  if (std::ranges::any_of(kinds, exact)) std::erase_if(kinds, [&](HeaderKind kind) { return !exact(kind); });
  return kinds;
}

Error unknown(std::string_view name) {
  const std::string_view nearest = fields::nearest_name(name);
  return {nearest.empty() ? fmt::format("unknown field '{}'. To list the fields: rocescope fields", name)
                          : fmt::format("unknown field '{}'. Did you mean '{}'?", name, nearest)};
}

}  // namespace

Result<std::vector<Column>> make_columns(std::span<const std::string> names) {
  std::vector<Column> columns;
  columns.reserve(names.size());
  for (const std::string& name : names) {
    Column column{name, fields::find_fields(name), {}, {}};
    if (column.refs.empty()) column.headers = headers_named(name);
    if (column.refs.empty() && column.headers.empty()) return unknown(name);
    for (const HeaderKind kind : column.headers) column.kinds.set(static_cast<std::size_t>(kind));
    for (const fields::FieldRef& ref : column.refs) {
      if (ref.packet_field == nullptr) column.kinds.set(static_cast<std::size_t>(ref.header));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

RecordParts parts_of(std::span<const Column> columns) noexcept {
  RecordParts parts;
  for (const Column& column : columns) {
    parts = parts | fields::parts_of(column.refs);
    for (const HeaderKind kind : column.headers) parts = parts | fields::parts_of(kind);
  }
  return parts;
}

}  // namespace rocescope::render
