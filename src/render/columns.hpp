// The fields that -e names, and their values in a packet.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fields/catalog.hpp"
#include "rocescope/result.hpp"

namespace rocescope::render {

/// One `-e`.
struct Column {
  std::string name;                    ///< as the user wrote it
  std::vector<fields::FieldRef> refs;  ///< all fields that answer to the name
  std::vector<HeaderKind> headers;     ///< where the name is a header's: its value is the header's bytes
  std::bitset<kHeaderKinds> kinds;     ///< of headers that have values for it, by HeaderKind
};

/// A column for each of `names`; fails for the first that is neither a field nor a header, with the name that looks most
/// like it.
[[nodiscard]] Result<std::vector<Column>> make_columns(std::span<const std::string> names);

/// What must be known of a packet to fill the columns.
[[nodiscard]] RecordParts parts_of(std::span<const Column> columns) noexcept;

namespace detail {

inline constexpr Field kHeaderBytes = field::bytes("header", "Bytes of a header", 0);

/// The values that one header has for the column. True when `visit` returned true.
template <class Visit>
bool visit_header(const Column& column, Bytes frame, const Layer& header, Visit& visit) {
  FieldValue value;
  for (const HeaderKind kind : column.headers) {
    if (kind == header.kind && read_field(kHeaderBytes, frame, header, value) && visit(value)) {
      return true;
    }
  }
  for (const fields::FieldRef& ref : column.refs) {
    if (ref.header == header.kind && read_field(*ref.field, frame, header, value) && visit(value)) {
      return true;
    }
  }
  return false;
}

}  // namespace detail

/// Calls `visit(const FieldValue&)` for each value that the packet has for the column: first those of the packet as a
/// whole, then those of its headers in wire order. A visitor that returns true ends the walk.
template <class Visit>
void for_each_value(const PacketRecord& record, const Column& column, Visit&& visit) {
  for (const fields::FieldRef& ref : column.refs) {
    if (ref.packet_field != nullptr && fields::any_value(record, ref, visit)) return;
  }
  if (column.kinds.none()) return;
  const Packet& packet = *record.packet;
  const auto visit_layer = [&](const Layer& layer) {
    return column.kinds[static_cast<std::size_t>(layer.kind)] && any_header(layer, [&](const Layer& header) {
             return detail::visit_header(column, packet.bytes_with(header), header, visit);
           });
  };
  for (const Layer& layer : packet.layers()) {
    if (visit_layer(layer)) return;
  }
  visit_layer(packet.partial);
}

}  // namespace rocescope::render
