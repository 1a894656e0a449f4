// From a value as the filter writes it to constants of a field's type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "filter/token.hpp"
#include "filter/value.hpp"
#include "rocescope/field.hpp"

namespace rocescope::filter {

/// The constants of `literal` (kWord, kString or kCharacter) as values of `field`: one, or several if the name of a value
/// stands for several values. `partial` allows a piece of a MAC address. On an error the vector is empty and `error` says
/// what the field, called `name`, accepts.
[[nodiscard]] std::vector<Constant> parse_literal(const Token& literal, const Field& field, std::string_view name,
                                                  bool partial, std::string& error);

/// The bytes that `word` writes in hex: pairs of digits with `:`, `-` or `.` between them, digits without anything between,
/// or one byte with 0x. False for any other text.
[[nodiscard]] bool parse_hex_bytes(std::string_view word, std::string& bytes);

}  // namespace rocescope::filter
