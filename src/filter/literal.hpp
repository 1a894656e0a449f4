// From a value as the filter writes it to constants of a field's type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "filter/token.hpp"
#include "filter/value.hpp"
#include "rocescope/field.hpp"

namespace rocescope::filter {

/// The constants that `literal` (kWord, kString or kCharacter) stands for where a value of `field` is expected: one, or
/// several when the name of a value stands for several of them. `partial` allows a MAC address to be a piece of one. On an
/// error, the vector is empty and `error` says what the field wants, which it calls `name`.
[[nodiscard]] std::vector<Constant> parse_literal(const Token& literal, const Field& field, std::string_view name,
                                                  bool partial, std::string& error);

/// The bytes that `word` writes in hex: pairs of digits with `:`, `-` or `.` between them, digits without anything between,
/// or one byte with 0x. False when it is not that.
[[nodiscard]] bool parse_hex_bytes(std::string_view word, std::string& bytes);

}  // namespace rocescope::filter
