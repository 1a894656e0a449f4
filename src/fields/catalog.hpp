// Every field by name: what -e, -Y, `rocescope fields` and shell completion know.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "fields/packet_fields.hpp"
#include "rocescope/field_value.hpp"
#include "rocescope/header.hpp"
#include "rocescope/record.hpp"

namespace rocescope::fields {

/// The source of the values of a name: a field of a header, or a field of the whole packet.
struct FieldRef {
  const Field* field = nullptr;
  HeaderKind header = HeaderKind::kNone;  ///< kNone: `packet_field` is set
  const PacketField* packet_field = nullptr;
};

/// All fields with the name or the alias `name` (`ip.addr`); may be none.
[[nodiscard]] std::vector<FieldRef> find_fields(std::string_view name);

/// The parts of a record that reading them needs.
[[nodiscard]] RecordParts parts_of(std::span<const FieldRef> refs) noexcept;

[[nodiscard]] RecordParts parts_of(HeaderKind kind) noexcept;

/// The header kinds of `name`: `infiniband.bth` is one header; `infiniband` and `ip` are all whose name starts with it and a dot.
[[nodiscard]] std::vector<HeaderKind> find_headers(std::string_view name);

/// The known name most similar to `name`; empty if none is similar.
[[nodiscard]] std::string_view nearest_name(std::string_view name);

/// Calls `visit(const FieldValue&)` for each value of `ref` in the packet, in wire order. A visitor that returns true ends
/// the walk, and so does the function.
template <class Visit>
bool any_value(const PacketRecord& record, const FieldRef& ref, Visit&& visit) {
  FieldValue value;
  if (ref.packet_field != nullptr) {
    value.field = ref.field;
    return ref.packet_field->read(record, value) && visit(value);
  }
  return any_header(*record.packet, [&](const Layer& header) {
    return header.kind == ref.header && read_field(*ref.field, record.packet->bytes_with(header), header, value) &&
           visit(value);
  });
}

}  // namespace rocescope::fields
