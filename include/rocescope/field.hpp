// A protocol header is a table of fields. Everything that reads, prints, filters or documents a header reads its table.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rocescope/bytes.hpp"

namespace rocescope {

enum class FieldType : std::uint8_t {
  kUnsigned,  ///< a number of up to 64 bits
  kBoolean,   ///< one bit
  kIpv4,      ///< 4 bytes
  kIpv6,      ///< 16 bytes: an IPv6 address or a GID
  kMac,       ///< 6 bytes
  kBytes,     ///< any number of bytes, shown in hex
  kText,      ///< ASCII, ends at a NUL or at the field's end
  kTime,      ///< nanoseconds since 1970-01-01 UTC, as a two's complement number
  kDuration,  ///< nanoseconds, as a two's complement number
};

enum class Display : std::uint8_t { kDecimal, kHex };
enum class ByteOrder : std::uint8_t { kBigEndian, kLittleEndian };

/// What a value, or a range of values, is called.
struct ValueName {
  std::uint64_t first;
  std::uint64_t last;
  std::string_view name;
};

/// Width of a field that takes all that its layer has left.
inline constexpr std::uint32_t kRestOfLayer = 0;

/// One field of a header. A field with depth 1 is a part of the depth-0 field before it, and so on.
struct Field {
  std::string_view name;     ///< Wireshark's own name where Wireshark has the field
  std::string_view label;    ///< a few words for people
  std::uint32_t bit_offset;  ///< from the first bit of the header
  std::uint32_t bit_width;   ///< or kRestOfLayer; numbers have at most 64 bits
  FieldType type = FieldType::kUnsigned;
  Display display = Display::kDecimal;
  std::uint8_t hex_digits = 0;  ///< 0: as many as the width needs
  std::uint8_t depth = 0;
  std::uint32_t multiplier = 1;  ///< what the number on the wire counts, so that `value` is in units (ip.hdr_len: 4)
  std::uint32_t addend = 0;      ///< added after that: units that the number on the wire leaves out
  ByteOrder byte_order = ByteOrder::kBigEndian;
  std::uint64_t mask =
      0;  ///< the bits of the number that are the field; 0: all. Fields with masks may share their bytes
  std::span<const ValueName> names = {};  ///< sorted by value
  std::string_view alias = {};            ///< a second name that filters know (`ip.addr` for ip.src and ip.dst)
  /// Whether the field is there, given the first byte of its header; null: always. The header's fixed size is readable.
  bool (*present)(const std::uint8_t* header) = nullptr;
  bool conditional = false;  ///< whether `present` is set; with -fsanitize=undefined its address is no constant

  /// The rest of a row in a table: `number("ip.hdr_len", "Header length", 4, 4).times(4)`.
  [[nodiscard]] constexpr Field named(std::span<const ValueName> values) const {
    Field changed = *this;
    changed.names = values;
    return changed;
  }
  [[nodiscard]] constexpr Field also(std::string_view other_name) const {
    Field changed = *this;
    changed.alias = other_name;
    return changed;
  }
  [[nodiscard]] constexpr Field part(std::uint8_t level = 1) const {
    Field changed = *this;
    changed.depth = level;
    return changed;
  }
  [[nodiscard]] constexpr Field times(std::uint32_t factor) const {
    Field changed = *this;
    changed.multiplier = factor;
    return changed;
  }
  /// `number("geneve.option.length", "Length", 27, 5).times(4).plus(4)`: in bytes, the option's own header counted.
  [[nodiscard]] constexpr Field plus(std::uint32_t more) const {
    Field changed = *this;
    changed.addend = more;
    return changed;
  }
  [[nodiscard]] constexpr Field digits(std::uint8_t count) const {
    Field changed = *this;
    changed.hex_digits = count;
    return changed;
  }
  [[nodiscard]] constexpr Field little_endian() const {
    Field changed = *this;
    changed.byte_order = ByteOrder::kLittleEndian;
    return changed;
  }
  /// Bits of a little-endian number that do not stand together on the wire: `number(...).little_endian().masked(0x1fe)`.
  [[nodiscard]] constexpr Field masked(std::uint64_t bits) const {
    Field changed = *this;
    changed.mask = bits;
    return changed;
  }
  [[nodiscard]] constexpr Field when(bool (*condition)(const std::uint8_t*)) const {
    Field changed = *this;
    changed.present = condition;
    changed.conditional = true;
    return changed;
  }
};

/// The bits of `number` that `mask` leaves, moved down; all for a mask of 0.
[[nodiscard]] constexpr std::uint64_t masked(std::uint64_t number, std::uint64_t mask) noexcept {
  return mask == 0 ? number : (number & mask) >> static_cast<unsigned>(std::countr_zero(mask));
}

/// The rows of a header's table. Offsets and widths are in bits.
namespace field {

using Text = std::string_view;

[[nodiscard]] constexpr Field number(Text name, Text label, std::uint32_t offset, std::uint32_t width) {
  return {name, label, offset, width};
}
[[nodiscard]] constexpr Field hex(Text name, Text label, std::uint32_t offset, std::uint32_t width) {
  return {name, label, offset, width, FieldType::kUnsigned, Display::kHex};
}
[[nodiscard]] constexpr Field flag(Text name, Text label, std::uint32_t offset) {
  return {name, label, offset, 1, FieldType::kBoolean};
}
[[nodiscard]] constexpr Field ipv4(Text name, Text label, std::uint32_t offset) {
  return {name, label, offset, 32, FieldType::kIpv4};
}
[[nodiscard]] constexpr Field ipv6(Text name, Text label, std::uint32_t offset) {
  return {name, label, offset, 128, FieldType::kIpv6};
}
[[nodiscard]] constexpr Field mac(Text name, Text label, std::uint32_t offset) {
  return {name, label, offset, 48, FieldType::kMac};
}
[[nodiscard]] constexpr Field bytes(Text name, Text label, std::uint32_t offset, std::uint32_t width = kRestOfLayer) {
  return {name, label, offset, width, FieldType::kBytes};
}
[[nodiscard]] constexpr Field text(Text name, Text label, std::uint32_t offset, std::uint32_t width = kRestOfLayer) {
  return {name, label, offset, width, FieldType::kText};
}

}  // namespace field

/// The name of `value` in `names`, or an empty view.
[[nodiscard]] constexpr std::string_view name_of(std::span<const ValueName> names, std::uint64_t value) noexcept {
  // Most lists have no gaps up to most of their values: then their place is known.
  const std::uint64_t place = names.empty() ? 0 : value - names[0].first;
  if (place < names.size() && names[place].first == value) return names[place].name;
  std::size_t low = 0;
  std::size_t high = names.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (names[middle].last < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < names.size() && names[low].first <= value) return names[low].name;
  return {};
}

namespace detail {

/// The fields, all of one depth or deeper, cover [begin, end) bit by bit, in order. Alternatives, of which `present`
/// picks one, follow each other: fields of the same bits, or runs of fields that start and end at the same bits. Fields with
/// masks may have the same bits as well.
constexpr bool tiles_range(std::span<const Field> fields, std::size_t begin, std::size_t end, std::uint8_t depth) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t cursor = begin;
  std::size_t run_start = kNone;  // of the first conditional field since the last unconditional one
  std::size_t run_end = kNone;    // of the runs before this one
  std::size_t i = 0;
  std::size_t previous = kNone;  // where the field before this one starts, if it is conditional or has a mask
  while (i < fields.size()) {
    const Field& field = fields[i];
    if (field.depth != depth) return false;
    const bool rest = field.bit_width == kRestOfLayer;
    if (field.bit_offset > end) return false;
    const std::size_t width = rest ? end - field.bit_offset : field.bit_width;
    const std::size_t field_end = field.bit_offset + width;
    if (field_end > end || (width == 0 && !rest)) return false;
    const bool alternative = (field.conditional || field.mask != 0) && field.bit_offset == previous;
    const bool next_run = field.conditional && !alternative && field.bit_offset == run_start && cursor > run_start;
    if (!alternative && !next_run && field.bit_offset != cursor) return false;
    if (next_run) {
      if (run_end != kNone && cursor != run_end) return false;
      run_end = cursor;
    } else if (!field.conditional) {
      if (run_end != kNone && cursor != run_end) return false;
      run_start = run_end = kNone;
    } else if (run_start == kNone || (!alternative && cursor == run_end)) {
      run_start = field.bit_offset;
      run_end = kNone;
    }
    cursor = field_end;
    std::size_t children_end = i + 1;
    while (children_end < fields.size() && fields[children_end].depth > depth) ++children_end;
    if (children_end > i + 1 && !tiles_range(fields.subspan(i + 1, children_end - i - 1), field.bit_offset, field_end,
                                             static_cast<std::uint8_t>(depth + 1))) {
      return false;
    }
    previous = field.conditional || field.mask != 0 ? field.bit_offset : kNone;
    i = children_end;
  }
  return cursor == end && (run_end == kNone || cursor == run_end);
}

constexpr bool sane(const Field& field) {
  const bool number = field.type == FieldType::kUnsigned || field.type == FieldType::kBoolean;
  if (number && (field.bit_width == 0 || field.bit_width > 64)) return false;
  if (!number && (field.bit_width % 8 != 0 || field.bit_offset % 8 != 0)) return false;
  if (field.byte_order == ByteOrder::kLittleEndian && (field.bit_width % 8 != 0 || field.bit_offset % 8 != 0))
    return false;
  for (std::size_t i = 0; i < field.names.size(); ++i) {
    if (field.names[i].first > field.names[i].last) return false;
    if (i > 0 && field.names[i].first <= field.names[i - 1].last) return false;
  }
  return !field.name.empty() && !field.label.empty();
}

}  // namespace detail

/// Whether `fields`, in wire order, cover a header of `size` bytes with no hole and no overlap, each part inside its
/// whole. Every header checks its own table with a static_assert.
[[nodiscard]] constexpr bool tiles(std::span<const Field> fields, std::size_t size) {
  for (const Field& field : fields) {
    if (!detail::sane(field)) return false;
  }
  return detail::tiles_range(fields, 0, size * 8, 0);
}

}  // namespace rocescope
