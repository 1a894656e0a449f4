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

/// Where values of a name come from: a field of a header, or one of the packet as a whole.
struct FieldRef {
  const Field* field = nullptr;
  HeaderKind header = HeaderKind::kNone;  ///< kNone: `packet_field` is set
  const PacketField* packet_field = nullptr;
};

/// All that answer to `name`: fields of that name, fields with that alias (`ip.addr`), none when nobody does.
[[nodiscard]] std::vector<FieldRef> find_fields(std::string_view name);

/// What must be known of a packet to read them.
[[nodiscard]] RecordParts parts_of(std::span<const FieldRef> refs) noexcept;

/// Header kinds that answer to `name`: `infiniband.bth` its own, `infiniband` or `ip` whoever's name starts with it and a dot.
[[nodiscard]] std::vector<HeaderKind> find_headers(std::string_view name);

/// The known name that looks most like `name`, or an empty view when none is near.
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
