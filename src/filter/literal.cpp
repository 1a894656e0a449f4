// One reader for each type of field.
#include "filter/literal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "filter/absolute_time.hpp"
#include "filter/number.hpp"
#include "rocescope/text.hpp"

namespace rocescope::filter {
namespace {

using Constants = std::vector<Constant>;

Constants one(Constant constant) {
  Constants constants;
  constants.push_back(std::move(constant));
  return constants;
}

Constant number_of(FieldType type, std::uint64_t number) { return {type, number, number, {}, ~0U}; }
Constant bytes_of(FieldType type, std::string bytes) { return {type, 0, 0, std::move(bytes), ~0U}; }

/// As it stands in the filter, for messages.
std::string shown(const Token& literal) {
  if (literal.kind == TokenKind::kString) return fmt::format("\"{}\"", literal.text);
  if (literal.kind == TokenKind::kCharacter) return fmt::format("'{}'", literal.text);
  return fmt::format("`{}`", literal.text);
}

Constants fail(const Token& literal, const Field& field, std::string_view name, std::string& error,
               std::string_view hint = {}) {
  error = fmt::format("{} is {}; {} is not one{}", name, describe(field.type), shown(literal), hint);
  return {};
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// All values of `field` that are called `name`.
Constants values_called(std::string_view name, const Field& field) {
  Constants constants;
  for (const ValueName& value : field.names) {
    if (!same_ignoring_case(value.name, name)) continue;
    Constant constant = number_of(field.type, value.first * field.multiplier + field.addend);
    constant.last = value.last * field.multiplier + field.addend;
    constants.push_back(constant);
  }
  return constants;
}

/// The largest value that Wireshark's type for a number of this width can hold: whole bytes, and as many as the multiplied
/// value needs.
std::uint64_t largest(const Field& field) {
  if (field.bit_width >= 64) return UINT64_MAX;
  const std::uint64_t most = ((std::uint64_t{1} << field.bit_width) - 1) * field.multiplier + field.addend;
  const unsigned bits = (static_cast<unsigned>(std::bit_width(most)) + 7) / 8 * 8;
  return bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
}

Constants parse_unsigned(const Token& literal, const Field& field, std::string_view name, std::string& error) {
  if (literal.kind == TokenKind::kCharacter) {
    return one(number_of(field.type, static_cast<unsigned char>(literal.text[0])));
  }
  if (literal.kind == TokenKind::kWord && is_number(literal.text)) {
    if (literal.text[0] == '-') {
      error = fmt::format("{} is never negative", name);
      return {};
    }
    const auto number = parse_number(std::string_view(literal.text).substr(literal.text[0] == '+' ? 1 : 0));
    if (!number || *number > largest(field)) {
      error = fmt::format("{} is at most {}; {} is larger", name, largest(field), shown(literal));
      return {};
    }
    return one(number_of(field.type, *number));
  }
  Constants called = values_called(literal.text, field);
  if (!called.empty()) return called;
  return fail(literal, field, name, error, field.names.empty() ? "" : " and names none of its values");
}

Constants parse_boolean(const Token& literal, const Field& field, std::string_view name, std::string& error) {
  if (literal.kind != TokenKind::kCharacter) {
    if (same_ignoring_case(literal.text, "true")) return one(number_of(field.type, 1));
    if (same_ignoring_case(literal.text, "false")) return one(number_of(field.type, 0));
    if (Constants called = values_called(literal.text, field); !called.empty()) return called;
  }
  if (literal.kind == TokenKind::kWord) {
    if (const auto number = parse_number(literal.text)) return one(number_of(field.type, *number != 0 ? 1 : 0));
  }
  return fail(literal, field, name, error, ": it is 1 or 0, true or false");
}

Constants parse_address(const Token& literal, const Field& field, std::string_view name, std::string& error) {
  if (literal.kind != TokenKind::kWord) {
    return fail(literal, field, name, error,
                literal.kind == TokenKind::kString ? "; addresses stand without quotes" : "");
  }
  const bool v4 = field.type == FieldType::kIpv4;
  const std::size_t slash = literal.text.find('/');
  const std::string text = literal.text.substr(0, slash);
  const std::optional<IpAddress> address = parse_ip_address(text);
  const bool written_as_v4 = text.find(':') == std::string::npos;  // ::ffff:10.0.0.1 is not
  if (!address || written_as_v4 != v4) return fail(literal, field, name, error);
  const ByteArray<16>& bytes = address->bytes;
  Constant constant = bytes_of(field.type, std::string(bytes.begin() + (v4 ? 12 : 0), bytes.end()));
  if (slash != std::string::npos) {
    const std::uint64_t most = constant.bytes.size() * 8;
    const auto bits = parse_number(std::string_view(literal.text).substr(slash + 1));
    if (!bits || *bits > most) {
      error = fmt::format("{} has a prefix of 0 to {} bits, not `{}`", describe(field.type), most,
                          literal.text.substr(slash));
      return {};
    }
    constant.prefix_bits = static_cast<std::uint32_t>(*bits);
  }
  return one(std::move(constant));
}

Constants parse_mac(const Token& literal, const Field& field, std::string_view name, bool partial, std::string& error) {
  constexpr std::size_t kMacSize = 6;
  std::string bytes;
  if (literal.kind != TokenKind::kWord || !parse_hex_bytes(literal.text, bytes) || bytes.size() > kMacSize ||
      (bytes.size() < kMacSize && !partial)) {
    return fail(literal, field, name, error, partial ? ", nor a part of one" : "");
  }
  return one(bytes_of(field.type, std::move(bytes)));
}

Constants parse_bytes(const Token& literal, const Field& field, std::string_view name, std::string& error) {
  if (literal.kind != TokenKind::kWord) return one(bytes_of(field.type, literal.text));
  std::string bytes;
  if (!parse_hex_bytes(literal.text, bytes)) return fail(literal, field, name, error, ": aa:bb:cc or \"text\"");
  return one(bytes_of(field.type, std::move(bytes)));
}

Constants parse_time(const Token& literal, const Field& field, std::string_view name, std::string& error) {
  if (literal.kind != TokenKind::kCharacter) {
    const auto time = parse_absolute_time(literal.text);
    if (time) return one(number_of(field.type, static_cast<std::uint64_t>(*time)));
  }
  return fail(literal, field, name, error, ": \"2026-11-20 18:15:44.5\" or \"Nov 20, 2026 18:15:44.5\"");
}

Constants parse_duration(const Token& literal, const Field& field, std::string_view name, std::string& error) {
  if (literal.kind == TokenKind::kWord) {
    const auto time = parse_seconds(literal.text);
    if (time) return one(number_of(field.type, static_cast<std::uint64_t>(*time)));
  }
  return fail(literal, field, name, error, ": 1 or 0.000250, up to nine decimals");
}

/// The value of a hex digit, or -1.
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// A run of hex digits: an even number of them, or a single one where that may stand for a byte.
bool append_hex(std::string_view digits, std::string& bytes) {
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return hex_value(c) >= 0; })) {
    return false;
  }
  if (digits.size() == 1) {
    bytes += static_cast<char>(hex_value(digits[0]));
    return true;
  }
  if (digits.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(hex_value(digits[i]) * 16 + hex_value(digits[i + 1]));
  }
  return true;
}

}  // namespace

bool parse_hex_bytes(std::string_view word, std::string& bytes) {
  bytes.clear();
  if (word.starts_with("0x") || word.starts_with("0X")) return word.size() <= 4 && append_hex(word.substr(2), bytes);
  const std::size_t first = word.find_first_of(":-.");
  if (first == std::string_view::npos) return append_hex(word, bytes);
  const char separator = word[first];
  while (true) {
    const std::size_t end = word.find(separator);
    const std::string_view group = word.substr(0, end);
    // Cisco's notation groups by dots: 00b2.0037.c52c.
    if (group.size() > (separator == '.' ? 4U : 2U) || !append_hex(group, bytes)) return false;
    if (end == std::string_view::npos) return true;
    word.remove_prefix(end + 1);
  }
}

Constants parse_literal(const Token& literal, const Field& field, std::string_view name, bool partial,
                        std::string& error) {
  switch (field.type) {
    case FieldType::kUnsigned:
      return parse_unsigned(literal, field, name, error);
    case FieldType::kBoolean:
      return parse_boolean(literal, field, name, error);
    case FieldType::kIpv4:
    case FieldType::kIpv6:
      return parse_address(literal, field, name, error);
    case FieldType::kMac:
      return parse_mac(literal, field, name, partial, error);
    case FieldType::kBytes:
      return parse_bytes(literal, field, name, error);
    case FieldType::kText:
      return one(bytes_of(field.type, literal.text));
    case FieldType::kTime:
      return parse_time(literal, field, name, error);
    case FieldType::kDuration:
      return parse_duration(literal, field, name, error);
  }
  return {};
}

}  // namespace rocescope::filter
