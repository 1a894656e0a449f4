// Values as filters compare them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "filter/token.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"

namespace rocescope::filter {

/// One value of a packet. The bytes belong to the packet or to the operand that made them.
struct Value {
  FieldType type = FieldType::kUnsigned;
  std::uint64_t number = 0;  ///< of kUnsigned, kBoolean, and as a two's complement number kTime and kDuration
  Bytes bytes;               ///< of all other types; kText without the NUL that ends it
};

/// One value that a filter names.
struct Constant {
  FieldType type = FieldType::kUnsigned;
  std::uint64_t number = 0;
  std::uint64_t last = 0;           ///< a value's name may stand for a range, from `number` to this
  std::string bytes;                ///< of the types that Value keeps in its bytes
  std::uint32_t prefix_bits = ~0U;  ///< of an address: how many bits count (10.0.0.0/8)
};

enum class Relation : std::uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual, kContains };

/// The relation that a comparison's token stands for; kEqual for kAllEqual, kNotEqual for kAnyNotEqual.
[[nodiscard]] Relation relation_of(TokenKind kind) noexcept;

[[nodiscard]] inline bool is_numeric(FieldType type) noexcept {
  return type == FieldType::kUnsigned || type == FieldType::kBoolean || type == FieldType::kTime ||
         type == FieldType::kDuration;
}

/// Whether values of the two types can be compared: numbers of one type, or types that are made of bytes.
[[nodiscard]] bool comparable(FieldType a, FieldType b) noexcept;

/// Values of types that cannot be compared are neither equal nor less.
[[nodiscard]] bool holds(const Value& left, Relation relation, const Value& right) noexcept;
[[nodiscard]] bool holds(const Value& left, Relation relation, const Constant& right) noexcept;

/// The name of a type in messages, with its article: "an IPv4 address".
[[nodiscard]] std::string_view describe(FieldType type) noexcept;

[[nodiscard]] inline Bytes as_bytes(std::string_view text) noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace rocescope::filter
