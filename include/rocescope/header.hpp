// The base of every header view: one length check, then accessors that cannot fail.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/header_kind.hpp"

namespace rocescope {

/// A string literal as a template argument: `get<"infiniband.bth.psn">()`.
template <std::size_t N>
struct FieldName {
  char text[N]{};
  // NOLINTNEXTLINE(google-explicit-constructor): a literal must convert by itself
  constexpr FieldName(const char (&literal)[N]) { std::copy_n(literal, N, text); }
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
};

namespace detail {

/// Tables of fields, one behind the other.
template <std::size_t... N>
[[nodiscard]] constexpr auto join(const std::array<Field, N>&... tables) {
  std::array<Field, (N + ...)> all{};
  std::size_t at = 0;
  const auto add = [&](const auto& table) {
    for (const Field& each : table) all[at++] = each;
  };
  (add(tables), ...);
  return all;
}

template <std::size_t Width>
using UnsignedFor = std::conditional_t<
    (Width <= 8), std::uint8_t,
    std::conditional_t<(Width <= 16), std::uint16_t, std::conditional_t<(Width <= 32), std::uint32_t, std::uint64_t>>>;

template <class Header, FieldName Name>
consteval std::size_t index_of() {
  std::size_t i = 0;
  for (const Field& field : Header::kFields) {
    if (field.name == Name.view()) return i;
    ++i;
  }
  throw "the header has no field of that name";
}

}  // namespace detail

/// A view of header `Derived` over bytes that the frame owns. Derived gives kKind, kSize (bytes) and kFields.
template <class Derived>
class HeaderView {
 public:
  /// The caller has checked that kSize bytes are there; `parse` does it for you.
  constexpr explicit HeaderView(const std::uint8_t* first) noexcept : first_(first) {}

  /// A view over the first bytes of `bytes`, or nothing when they are fewer than kSize.
  [[nodiscard]] static constexpr std::optional<Derived> parse(Bytes bytes) noexcept {
    if (bytes.size() < Derived::kSize) return std::nullopt;
    return Derived(bytes.data());
  }

  /// The field called `Name`, as it is on the wire (multiplier and addend are not applied). The type follows from the
  /// table: bool, the smallest unsigned type that holds the width, or the bytes.
  template <FieldName Name>
  [[nodiscard]] constexpr auto get() const noexcept {
    static_assert(tiles(Derived::kFields, Derived::kSize), "the field table does not tile its header");
    constexpr Field field = Derived::kFields[detail::index_of<Derived, Name>()];
    if constexpr (field.mask != 0) {
      static_assert(field.byte_order == ByteOrder::kLittleEndian);
      const std::uint64_t value =
          masked(load_little_endian(first_ + field.bit_offset / 8, field.bit_width / 8), field.mask);
      using Value = std::conditional_t<field.type == FieldType::kBoolean, bool, detail::UnsignedFor<field.bit_width>>;
      return static_cast<Value>(value);
    } else if constexpr (field.type == FieldType::kBoolean) {
      return load_bits(first_, field.bit_offset, 1) != 0;
    } else if constexpr (field.type != FieldType::kUnsigned) {
      constexpr std::size_t kBits =
          field.bit_width == kRestOfLayer ? Derived::kSize * 8 - field.bit_offset : field.bit_width;
      return std::span<const std::uint8_t, kBits / 8>(first_ + field.bit_offset / 8, kBits / 8);
    } else if constexpr (field.byte_order == ByteOrder::kLittleEndian) {
      return static_cast<detail::UnsignedFor<field.bit_width>>(
          load_little_endian(first_ + field.bit_offset / 8, field.bit_width / 8));
    } else {
      return static_cast<detail::UnsignedFor<field.bit_width>>(load_bits(first_, field.bit_offset, field.bit_width));
    }
  }

  /// The header's bytes, kSize of them.
  [[nodiscard]] constexpr Bytes bytes() const noexcept { return {first_, Derived::kSize}; }

 private:
  const std::uint8_t* first_;
};

/// What everyone who prints, filters or documents headers needs of one.
struct HeaderInfo {
  HeaderKind kind;
  std::string_view name;       ///< what a filter calls it, Wireshark's name where there is one: `infiniband.bth`
  std::string_view title;      ///< `Base Transport Header`
  std::string_view reference;  ///< `IBTA 9.2`
  std::size_t size;            ///< bytes of one; 0 when it has no fixed size
  std::span<const Field> fields;
  bool repeats = false;    ///< one layer may hold several, one after the other (VLAN tags, MPLS labels)
  bool continues = false;  ///< shown as a part of the header before it (options, optional words)
};

/// The description of a header kind. Defined for every kind but kNone.
[[nodiscard]] const HeaderInfo& header_info(HeaderKind kind) noexcept;

/// All headers in the order of HeaderKind.
[[nodiscard]] std::span<const HeaderInfo> all_headers() noexcept;

}  // namespace rocescope
