// The values of fields as text.
#include "render/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "rocescope/text.hpp"
#include "text/append.hpp"
#include "text/number_text.hpp"

namespace rocescope::render {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
/// Whole numbers up to this many bits are exact in every JSON reader (IEEE 754 double).
constexpr std::uint32_t kJsonNumberBits = 53;
/// Bytes of a value that people get to see.
constexpr std::size_t kBytesForPeople = 16;

/// Whether a code point of 2 to 4 bytes in `bytes` is shortest form, no surrogate and not above U+10FFFF.
bool valid_code_point(Bytes bytes) {
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t code = bytes[0] & (0x7FU >> bytes.size());
  for (const std::uint8_t byte : bytes.subspan(1)) {
    if ((byte & 0xC0U) != 0x80) return false;
    code = (code << 6) | (byte & 0x3FU);
  }
  return code >= kSmallest[bytes.size()] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

/// Bytes of the UTF-8 character that `text` starts with; 0 when it starts with none.
std::size_t character_length(Bytes text) {
  const std::uint8_t lead = text[0];
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC0 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF8 ? 4
                                           : 0;
  if (length <= 1) return length;
  return length <= text.size() && valid_code_point(text.first(length)) ? length : 0;
}

void append_bytes(Bytes bytes, std::string& out) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// ASCII that a JSON string shows as it is.
constexpr auto is_plain = [](std::uint8_t byte) { return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\'; };

/// Calls `ascii(byte)` and `other(character)` for each character; U+FFFD takes the place of bytes that are none.
template <class Ascii, class Other>
void for_each_character(Bytes text, std::string& out, Ascii ascii, Other other) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) {
      out += kReplacement;
    } else if (length == 1) {
      ascii(text[0]);
    } else {
      other(text.first(length));
    }
    text = text.subspan(std::max<std::size_t>(length, 1));
  }
}

/// What a backslash makes of a control character that has a letter of its own; 0 for all others.
char escape_letter(std::uint8_t byte) {
  switch (byte) {
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    default:
      return 0;
  }
}

bool is_control(std::uint8_t byte) { return byte < 0x20 || byte == 0x7F; }

/// U+0080 to U+009F, which terminals obey like the control characters below U+0020.
bool is_second_control(Bytes character) { return character.size() == 2 && character[0] == 0xC2 && character[1] < 0xA0; }

Bytes until_nul(Bytes text) { return text.first(static_cast<std::size_t>(std::ranges::find(text, 0) - text.begin())); }

Bytes bytes_of(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void append_unsigned(const FieldValue& value, std::string& out) {
  const Field& field = *value.field;
  if (field.display == Display::kDecimal) return append_number(value.number, out);
  append_hex_number(value.number, field.hex_digits != 0 ? field.hex_digits : (field.bit_width + 3) / 4, out);
}

/// Hex numbers of up to this many bits (ports, PSNs) are as often written in decimal.
constexpr std::uint32_t kBitsToCountIn = 24;

void append_meaning(const FieldValue& value, std::string& out) {
  const Field& field = *value.field;
  std::string_view meaning = value.meaning();
  if (meaning.empty() && field.type == FieldType::kBoolean) meaning = value.number != 0 ? "yes" : "no";
  if (!meaning.empty()) {
    out += "  ";
    out += meaning;
  } else if (field.type == FieldType::kUnsigned && field.display == Display::kHex && value.number > 9 &&
             field.bit_width <= kBitsToCountIn) {
    text::append(out, "  {}", value.number);
  }
}

std::int64_t nanoseconds_of(const FieldValue& value) { return static_cast<std::int64_t>(value.number); }

void append_safe(Bytes text, std::string& out) {
  const auto ascii = [&](std::uint8_t byte) {
    if (!is_control(byte)) {
      out += static_cast<char>(byte);
    } else if (const char letter = escape_letter(byte)) {
      out += '\\';
      out += letter;
    } else {
      text::append(out, "\\x{:02x}", byte);
    }
  };
  const auto other = [&](Bytes character) {
    if (is_second_control(character)) {
      text::append(out, "\\x{:02x}", character[1]);
    } else {
      append_bytes(character, out);
    }
  };
  for_each_character(text, out, ascii, other);
}

}  // namespace

void append_text(Bytes text, std::string& out) { append_safe(until_nul(text), out); }

void append_lines(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    append_safe(bytes_of(text.substr(0, end)), out);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void append_json_string(Bytes text, std::string& out) {
  const auto ascii = [&](std::uint8_t byte) {
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += static_cast<char>(byte);
    } else if (!is_control(byte)) {
      out += static_cast<char>(byte);
    } else if (const char letter = escape_letter(byte)) {
      out += '\\';
      out += letter;
    } else {
      text::append(out, "\\u{:04x}", byte);
    }
  };
  const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
  out += '"';
  append_bytes(text.first(plain), out);  // most texts are plain to their end
  for_each_character(text.subspan(plain), out, ascii, [&](Bytes character) { append_bytes(character, out); });
  out += '"';
}

void append_json_string(std::string_view text, std::string& out) { append_json_string(bytes_of(text), out); }

void append_value(const FieldValue& value, std::string& out) {
  switch (value.field->type) {
    case FieldType::kUnsigned:
      return append_unsigned(value, out);
    case FieldType::kBoolean:
      out += value.number != 0 ? '1' : '0';
      return;
    case FieldType::kIpv4:
      return append_ipv4(value.bytes.first<4>(), out);
    case FieldType::kIpv6:
      return append_ipv6(value.bytes.first<16>(), out);
    case FieldType::kMac:
      return append_mac(value.bytes.first<6>(), out);
    case FieldType::kBytes:
      return append_hex(value.bytes, out);
    case FieldType::kText:
      return append_text(value.bytes, out);
    case FieldType::kTime:
      return append_wireshark_time(nanoseconds_of(value), out);
    case FieldType::kDuration:
      return append_seconds(nanoseconds_of(value), 9, out);
  }
}

void append_value_and_meaning(const FieldValue& value, std::string& out) {
  switch (value.field->type) {
    case FieldType::kBytes:
      append_hex(value.bytes.first(std::min(value.bytes.size(), kBytesForPeople)), out);
      if (value.bytes.size() > kBytesForPeople) {
        text::append(out, "... ({} bytes)", value.bytes.size());
      }
      return;
    case FieldType::kTime:
      append_date_and_time(nanoseconds_of(value), Zone::kUtc, 9, out);
      out += " UTC";
      return;
    case FieldType::kDuration:
      append_seconds(nanoseconds_of(value), 9, out);
      out += " s";
      return;
    default:
      append_value(value, out);
  }
  append_meaning(value, out);
}

void append_json_value(const FieldValue& value, std::string& out) {
  const FieldType type = value.field->type;
  const bool number = type == FieldType::kUnsigned && value.field->bit_width <= kJsonNumberBits;
  if (number || type == FieldType::kTime || type == FieldType::kDuration) {
    const bool negative = !number && nanoseconds_of(value) < 0;
    if (negative) out += '-';
    append_number(negative ? 0 - value.number : value.number, out);
  } else if (type == FieldType::kBoolean) {
    out += value.number != 0 ? "true" : "false";
  } else if (type == FieldType::kText) {
    append_json_string(until_nul(value.bytes), out);
  } else {
    out += '"';
    append_value(value, out);
    out += '"';
  }
}

}  // namespace rocescope::render
