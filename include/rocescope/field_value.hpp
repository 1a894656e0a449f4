// Reading fields out of a dissected packet by their tables: what printers, filters and JSON share.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rocescope/header.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// One field as a packet has it. The bytes belong to the frame.
struct FieldValue {
  const Field* field = nullptr;
  std::uint64_t number = 0;  ///< of kUnsigned, kBoolean, kTime and kDuration, multiplier and addend applied
  Bytes bytes;               ///< the field's bytes; those that hold it when it does not start or end at a byte
  std::uint32_t offset = 0;  ///< of `bytes` from the start of the frame

  /// What the value is called, or an empty view.
  [[nodiscard]] std::string_view meaning() const noexcept {
    return name_of(field->names, (number - field->addend) / field->multiplier);
  }
};

/// Reads `field` of `header`. False when the field is not in this header: its condition says so, or not all of its bytes are
/// here.
inline bool read_field(const Field& field, Bytes frame, const Layer& header, FieldValue& value) noexcept {
  const std::uint8_t* bytes = frame.data() + header.offset;
  const std::uint32_t first = field.bit_offset / 8;
  const std::uint32_t last =
      field.bit_width == kRestOfLayer ? header.length : (field.bit_offset + field.bit_width + 7) / 8;
  if (last > header.length || first > last) return false;
  if (field.present != nullptr) {
    // The condition may lie in the part that is missing.
    if (header.length < header_info(header.kind).size || !field.present(bytes)) return false;
  }
  value.field = &field;
  value.offset = header.offset + first;
  value.bytes = {bytes + first, last - first};
  value.number = 0;
  if (field.type == FieldType::kUnsigned || field.type == FieldType::kBoolean) {
    value.number = field.byte_order == ByteOrder::kLittleEndian ? load_little_endian(bytes + first, field.bit_width / 8)
                                                                : load_bits(bytes, field.bit_offset, field.bit_width);
    value.number = masked(value.number, field.mask) * field.multiplier + field.addend;
  }
  return true;
}

/// Calls `visit(const Layer& header)` for each header that `layer` holds: several where its kind repeats, else one. A
/// visitor that returns true ends the walk, and so does the function.
template <class Visit>
bool any_header(const Layer& layer, Visit&& visit) {
  const HeaderInfo& info = header_info(layer.kind);
  if (!info.repeats) return layer.length > 0 && visit(layer);
  const auto size = static_cast<std::uint32_t>(info.size);
  for (std::uint32_t at = 0; at < layer.length; at += size) {
    if (visit(Layer{layer.kind, layer.in_message, layer.offset + at, std::min(size, layer.length - at)})) return true;
  }
  return false;
}

/// The same for all layers of the packet, and for the header that is here only in part.
template <class Visit>
bool any_header(const Packet& packet, Visit&& visit) {
  for (const Layer& layer : packet.layers()) {
    if (any_header(layer, visit)) return true;
  }
  return packet.partial.kind != HeaderKind::kNone && any_header(packet.partial, visit);
}

/// Calls `visit(const Layer& header, const FieldValue& value)` for every field of `where` in wire order: of a Layer, or of
/// all headers of the packet. Where a layer holds several headers, `header` is each of them in turn.
template <class Where, class Visit>
void for_each_field(const Packet& packet, const Where& where, Visit&& visit) {
  any_header(where, [&](const Layer& header) {
    FieldValue value;
    for (const Field& field : header_info(header.kind).fields) {
      if (read_field(field, packet.bytes_with(header), header, value)) visit(header, value);
    }
    return false;
  });
}
template <class Visit>
void for_each_field(const Packet& packet, Visit&& visit) {
  for_each_field(packet, packet, visit);
}

}  // namespace rocescope
