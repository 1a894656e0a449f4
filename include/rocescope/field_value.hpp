// Reading fields out of a dissected packet by their tables: what printers, filters and JSON share.
#pragma once

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

/// Reads `field` of a header that starts at `offset` of `frame` and has `length` bytes there. False when the field is
/// not in this header (`present` says so, or the captured header is shorter).
inline bool read_field(const Field& field, Bytes frame, std::uint32_t offset, std::uint32_t length,
                       FieldValue& value) noexcept {
  const std::uint8_t* header = frame.data() + offset;
  const std::uint32_t first = field.bit_offset / 8;
  const std::uint32_t last = field.bit_width == kRestOfLayer ? length : (field.bit_offset + field.bit_width + 7) / 8;
  if (last > length || first > last) return false;
  if (field.present != nullptr && !field.present(header)) return false;
  value.field = &field;
  value.offset = offset + first;
  value.bytes = {header + first, last - first};
  value.number = 0;
  if (field.type == FieldType::kUnsigned || field.type == FieldType::kBoolean) {
    value.number = field.byte_order == ByteOrder::kLittleEndian
                       ? load_little_endian(header + first, field.bit_width / 8)
                       : load_bits(header, field.bit_offset, field.bit_width);
    value.number = value.number * field.multiplier + field.addend;
  }
  return true;
}

/// Calls `visit(const Layer& header, const FieldValue& value)` for every field of `layer` in wire order. Where a layer
/// holds several headers, `header` is each of them in turn.
template <class Visit>
void for_each_field(const Packet& packet, const Layer& layer, Visit&& visit) {
  const HeaderInfo& info = header_info(layer.kind);
  const std::uint32_t step = info.repeats ? static_cast<std::uint32_t>(info.size) : layer.length;
  for (std::uint32_t at = 0; at + step <= layer.length && step > 0; at += step) {
    const Layer header{layer.kind, layer.offset + at, step};
    FieldValue value;
    for (const Field& field : info.fields) {
      if (read_field(field, packet.frame.data, header.offset, header.length, value)) visit(header, value);
    }
  }
}

/// The same for every layer of the packet.
template <class Visit>
void for_each_field(const Packet& packet, Visit&& visit) {
  for (const Layer& layer : packet.layers()) for_each_field(packet, layer, visit);
}

}  // namespace rocescope
