// Comparing values.
#include "filter/value.hpp"

#include <algorithm>
#include <compare>

namespace rocescope::filter {
namespace {

std::strong_ordering order_numbers(FieldType type, std::uint64_t left, std::uint64_t right) noexcept {
  if (type == FieldType::kTime || type == FieldType::kDuration) {
    return static_cast<std::int64_t>(left) <=> static_cast<std::int64_t>(right);
  }
  return left <=> right;
}

/// Text compares as in a dictionary; of other bytes the longer sequence is greater, as in Wireshark.
std::strong_ordering order_bytes(FieldType type, Bytes left, Bytes right) noexcept {
  if (type != FieldType::kText && left.size() != right.size()) return left.size() <=> right.size();
  return std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(), right.end());
}

/// The first `bits` of two addresses of one length.
std::strong_ordering order_prefixes(Bytes left, Bytes right, std::uint32_t bits) noexcept {
  const std::size_t whole = bits / 8;
  const std::strong_ordering order = order_bytes(FieldType::kBytes, left.first(whole), right.first(whole));
  const unsigned rest = bits % 8;
  if (order != std::strong_ordering::equal || rest == 0) return order;
  return (left[whole] >> (8 - rest)) <=> (right[whole] >> (8 - rest));
}

bool satisfies(std::strong_ordering order, Relation relation) noexcept {
  switch (relation) {
    case Relation::kEqual:
      return order == std::strong_ordering::equal;
    case Relation::kNotEqual:
      return order != std::strong_ordering::equal;
    case Relation::kLess:
      return order == std::strong_ordering::less;
    case Relation::kLessEqual:
      return order != std::strong_ordering::greater;
    case Relation::kGreater:
      return order == std::strong_ordering::greater;
    case Relation::kGreaterEqual:
      return order != std::strong_ordering::less;
    case Relation::kContains:
      break;
  }
  return false;
}

std::string_view as_text(Bytes bytes) noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// An empty needle is nowhere, as in Wireshark.
bool contains(Bytes haystack, Bytes needle) noexcept {
  return !needle.empty() && as_text(haystack).find(as_text(needle)) != std::string_view::npos;
}

}  // namespace

Relation relation_of(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::kNotEqual:
    case TokenKind::kAnyNotEqual:
      return Relation::kNotEqual;
    case TokenKind::kLess:
      return Relation::kLess;
    case TokenKind::kLessEqual:
      return Relation::kLessEqual;
    case TokenKind::kGreater:
      return Relation::kGreater;
    case TokenKind::kGreaterEqual:
      return Relation::kGreaterEqual;
    case TokenKind::kContains:
      return Relation::kContains;
    default:
      return Relation::kEqual;
  }
}

bool comparable(FieldType a, FieldType b) noexcept {
  if (a == b) return true;
  // A MAC address is a byte sequence, and so is every slice; an IPv4 address never equals an IPv6 address.
  return !is_numeric(a) && !is_numeric(b) && (a == FieldType::kBytes || b == FieldType::kBytes);
}

bool holds(const Value& left, Relation relation, const Value& right) noexcept {
  if (!comparable(left.type, right.type)) return relation == Relation::kNotEqual;
  if (relation == Relation::kContains) return contains(left.bytes, right.bytes);
  if (is_numeric(left.type)) return satisfies(order_numbers(left.type, left.number, right.number), relation);
  return satisfies(order_bytes(left.type, left.bytes, right.bytes), relation);
}

bool holds(const Value& left, Relation relation, const Constant& right) noexcept {
  if (!comparable(left.type, right.type)) return relation == Relation::kNotEqual;
  if (is_numeric(left.type)) {
    if (right.last != right.number) {
      const bool inside = left.number >= right.number && left.number <= right.last;
      return inside == (relation == Relation::kEqual);
    }
    return satisfies(order_numbers(left.type, left.number, right.number), relation);
  }
  const Bytes bytes = as_bytes(right.bytes);
  if (relation == Relation::kContains) return contains(left.bytes, bytes);
  if (right.prefix_bits < bytes.size() * 8 && left.bytes.size() == bytes.size()) {
    return satisfies(order_prefixes(left.bytes, bytes, right.prefix_bits), relation);
  }
  return satisfies(order_bytes(left.type, left.bytes, bytes), relation);
}

std::string_view describe(FieldType type) noexcept {
  switch (type) {
    case FieldType::kUnsigned:
      return "an unsigned number";
    case FieldType::kBoolean:
      return "a Boolean";
    case FieldType::kIpv4:
      return "an IPv4 address";
    case FieldType::kIpv6:
      return "an IPv6 address";
    case FieldType::kMac:
      return "a MAC address";
    case FieldType::kBytes:
      return "a byte sequence";
    case FieldType::kText:
      return "a text";
    case FieldType::kTime:
      return "a date and time";
    case FieldType::kDuration:
      return "a time in seconds";
  }
  return "a value";
}

}  // namespace rocescope::filter
