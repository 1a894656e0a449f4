// The words of a filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "filter/filter.hpp"

namespace rocescope::filter {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWord,       ///< a name or a value without quotes: `ip.src`, `10.0.0.0/8`, `-1.5`, `aa:bb:cc`
  kString,     ///< "..." or r"..."; `text` is its value
  kCharacter,  ///< 'x'; `text` is the one byte
  kSlice,      ///< [...]; `text` is the text between the brackets
  kOpen,       ///< (
  kClose,      ///< )
  kOpenSet,    ///< {
  kCloseSet,   ///< }
  kComma,
  kRange,  ///< ..
  kEqual,
  kNotEqual,
  kAllEqual,
  kAnyNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kContains,
  kMatches,
  kIn,
  kAnd,
  kOr,
  kXor,
  kNot,
  kMask,  ///< &
  kAny,
  kAll,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::size_t offset = 0;  ///< in the filter's text, in bytes
  std::size_t length = 0;
  std::string text;
};

/// Whether the token stands for a comparison that may be chained: a < b < c.
[[nodiscard]] constexpr bool is_comparison(TokenKind kind) noexcept {
  return kind >= TokenKind::kEqual && kind <= TokenKind::kGreaterEqual;
}

/// Whether it is a name or a value.
[[nodiscard]] constexpr bool is_value(TokenKind kind) noexcept {
  return kind == TokenKind::kWord || kind == TokenKind::kString || kind == TokenKind::kCharacter;
}

/// Whether `word` would be an operator in small letters: `AND`.
[[nodiscard]] bool is_shouted_keyword(std::string_view word);

/// Splits `text` into tokens, the last of which is kEnd. On an error, fills `error` and returns the tokens before it.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text, FilterError& error);

}  // namespace rocescope::filter
