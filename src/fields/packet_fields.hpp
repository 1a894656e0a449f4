// Fields that belong to a packet as a whole rather than to one of its headers: `frame.number`, `rocescope.icrc.status`.
#pragma once

#include <span>

#include "rocescope/field_value.hpp"
#include "rocescope/record.hpp"

namespace rocescope::fields {

/// A field and how to read it from a record. `read` returns false where the packet has none; value.bytes of a kText field
/// point to memory that lasts as long as the record. Several may share a name, one for each type that the value may have
/// (`rocescope.src` is an IPv4 address, an IPv6 address or a LID): at most one of them has a value in a packet.
struct PacketField {
  Field field;  ///< bit_offset and bit_width mean nothing, except that the width gives the digits of hex numbers
  bool (*read)(const PacketRecord& record, FieldValue& value);
  RecordParts parts = {};  ///< that it reads
};

/// All of them, grouped by area, in the order in which people expect them.
[[nodiscard]] std::span<const PacketField> packet_fields() noexcept;

}  // namespace rocescope::fields
