// From characters to tokens.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "filter/number.hpp"
#include "filter/token.hpp"

namespace rocescope::filter {
namespace {

struct Spelling {
  std::string_view text;
  TokenKind kind;
};

/// Longer ones first, where one starts with another.
constexpr Spelling kOperators[] = {
    {"===", TokenKind::kAllEqual},    {"!==", TokenKind::kAnyNotEqual}, {"==", TokenKind::kEqual},
    {"!=", TokenKind::kNotEqual},     {"~=", TokenKind::kAnyNotEqual},  {"<=", TokenKind::kLessEqual},
    {">=", TokenKind::kGreaterEqual}, {"&&", TokenKind::kAnd},          {"||", TokenKind::kOr},
    {"^^", TokenKind::kXor},          {"..", TokenKind::kRange},        {"<", TokenKind::kLess},
    {">", TokenKind::kGreater},       {"~", TokenKind::kMatches},       {"!", TokenKind::kNot},
    {"&", TokenKind::kMask},          {"(", TokenKind::kOpen},          {")", TokenKind::kClose},
    {"{", TokenKind::kOpenSet},       {"}", TokenKind::kCloseSet},      {",", TokenKind::kComma},
};

constexpr Spelling kKeywords[] = {
    {"eq", TokenKind::kEqual},        {"any_eq", TokenKind::kEqual},      {"ne", TokenKind::kNotEqual},
    {"all_ne", TokenKind::kNotEqual}, {"all_eq", TokenKind::kAllEqual},   {"any_ne", TokenKind::kAnyNotEqual},
    {"lt", TokenKind::kLess},         {"le", TokenKind::kLessEqual},      {"gt", TokenKind::kGreater},
    {"ge", TokenKind::kGreaterEqual}, {"contains", TokenKind::kContains}, {"matches", TokenKind::kMatches},
    {"in", TokenKind::kIn},           {"and", TokenKind::kAnd},           {"or", TokenKind::kOr},
    {"xor", TokenKind::kXor},         {"not", TokenKind::kNot},           {"bitwise_and", TokenKind::kMask},
    {"bitand", TokenKind::kMask},     {"any", TokenKind::kAny},           {"all", TokenKind::kAll},
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The characters of names and of values without quotes.
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == ':' ||
         c == '/' || c == '-';
}

/// The value of a digit, or 255.
unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 255;
}

class Lexer {
 public:
  Lexer(std::string_view text, FilterError& error) : text_(text), error_(error) {}

  std::vector<Token> run() {
    while (skip_space() && next()) {
    }
    tokens_.push_back({TokenKind::kEnd, text_.size(), 0, {}});
    return std::move(tokens_);
  }

 private:
  bool skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ < text_.size();
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  bool fail(std::size_t from, std::string message) {
    error_ = {std::move(message), from, at_ > from ? at_ - from : 1};
    return false;
  }

  bool push(TokenKind kind, std::size_t from, std::string text) {
    tokens_.push_back({kind, from, at_ - from, std::move(text)});
    return true;
  }

  bool next() {
    const char c = peek();
    if (c == '"') return quoted(at_, false);
    if ((c == 'r' || c == 'R') && peek(1) == '"') {
      const std::size_t from = at_++;
      return quoted(from, true);
    }
    if (c == '\'') return character();
    if (c == '[') return slice();
    // `..` is the range operator, not the start of a word; `+5` is a number.
    const bool range = text_.substr(at_, 2) == "..";
    if (!range && (is_word(c) || (c == '+' && is_digit(peek(1))))) return word();
    return symbol();
  }

  bool word() {
    const std::size_t from = at_++;
    while (is_word(peek()) && text_.substr(at_, 2) != "..") ++at_;
    const std::string_view word = text_.substr(from, at_ - from);
    for (const auto& keyword : kKeywords) {
      if (keyword.text == word) return push(keyword.kind, from, std::string(word));
    }
    return push(TokenKind::kWord, from, std::string(word));
  }

  bool symbol() {
    const std::size_t from = at_;
    for (const auto& symbol : kOperators) {
      if (text_.substr(at_, symbol.text.size()) != symbol.text) continue;
      at_ += symbol.text.size();
      return push(symbol.kind, from, std::string(symbol.text));
    }
    ++at_;
    if (text_[from] == '=') return fail(from, "`=` is no operator; equality is `==`");
    if (text_[from] == '+' || text_[from] == '*' || text_[from] == '%') {
      return fail(from, fmt::format("`{}`: there is no arithmetic but `&`", text_[from]));
    }
    if (text_[from] == '|') return fail(from, "`|` is no operator; the logical or is `||`");
    // A character of UTF-8 is shown whole.
    while ((static_cast<unsigned char>(peek()) & 0xC0U) == 0x80U) ++at_;
    const bool printable = static_cast<unsigned char>(text_[from]) > 0x20 && text_[from] != 0x7F;
    return fail(from, printable ? fmt::format("`{}` means nothing here", text_.substr(from, at_ - from))
                                : std::string("this character means nothing here"));
  }

  bool slice() {
    const std::size_t from = at_++;
    while (at_ < text_.size() && peek() != ']') ++at_;
    if (at_ == text_.size()) {
      at_ = from + 1;
      return fail(from, "`[` without `]`");
    }
    const std::string inside(text_.substr(from + 1, at_ - from - 1));
    ++at_;
    return push(TokenKind::kSlice, from, inside);
  }

  /// At the opening quote; `from` is where the token starts.
  bool quoted(std::size_t from, bool raw) {
    ++at_;
    std::string value;
    while (at_ < text_.size() && peek() != '"') {
      if (peek() != '\\') {
        value += text_[at_++];
      } else if (raw) {
        // Only a quote can be escaped, and the backslash stays.
        value += text_[at_++];
        if (peek() == '"') value += text_[at_++];
      } else if (!escape(value)) {
        return false;
      }
    }
    if (at_ == text_.size()) {
      at_ = from + 1;
      return fail(from, "the closing quote is missing");
    }
    ++at_;
    return push(TokenKind::kString, from, std::move(value));
  }

  bool character() {
    const std::size_t from = at_++;
    std::string value;
    while (at_ < text_.size() && peek() != '\'') {
      if (peek() != '\\') {
        value += text_[at_++];
      } else if (!escape(value)) {
        return false;
      }
    }
    if (at_ == text_.size()) {
      at_ = from + 1;
      return fail(from, "the closing quote is missing");
    }
    ++at_;
    if (value.size() != 1) return fail(from, "a character constant is one byte; strings stand in double quotes");
    return push(TokenKind::kCharacter, from, std::move(value));
  }

  /// At a backslash; appends the character of the escape sequence.
  bool escape(std::string& value) {
    const std::size_t from = at_++;
    static constexpr std::pair<char, char> kSimple[] = {{'\'', '\''}, {'"', '"'},  {'\\', '\\'}, {'a', '\a'},
                                                        {'b', '\b'},  {'f', '\f'}, {'n', '\n'},  {'r', '\r'},
                                                        {'t', '\t'},  {'v', '\v'}};
    for (const auto& [name, meaning] : kSimple) {
      if (peek() != name) continue;
      value += meaning;
      ++at_;
      return true;
    }
    switch (peek()) {
      case 'x':
        ++at_;
        return number(from, 16, 1, 2, value);
      case 'u':
        ++at_;
        return number(from, 16, 4, 4, value);
      case 'U':
        ++at_;
        return number(from, 16, 8, 8, value);
      default:
        break;
    }
    if (digit_value(peek()) < 8) return number(from, 8, 1, 3, value);
    if (at_ < text_.size()) ++at_;
    return bad_escape(from);
  }

  bool bad_escape(std::size_t from) {
    return fail(from, fmt::format("`{}` is no escape sequence; a backslash is written `\\\\`, or the string r\"...\"",
                                  text_.substr(from, at_ - from)));
  }

  /// The digits of an escape sequence: a byte, or from four digits on a character of Unicode.
  bool number(std::size_t from, unsigned base, std::size_t least, std::size_t most, std::string& value) {
    std::uint32_t code = 0;
    std::size_t digits = 0;
    for (; digits < most && digit_value(peek()) < base; ++digits) code = code * base + digit_value(text_[at_++]);
    if (digits < least) return bad_escape(from);
    if (least == 1) {
      if (code > 0xFF) return fail(from, "an octal escape is at most \\377");
      value += static_cast<char>(code);
      return true;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return bad_escape(from);
    append_utf8(value, code);
    return true;
  }

  static void append_utf8(std::string& value, std::uint32_t code) {
    if (code < 0x80) {
      value += static_cast<char>(code);
      return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static constexpr std::array<std::uint32_t, 4> kLead = {0, 0xC0, 0xE0, 0xF0};
    value += static_cast<char>(kLead[static_cast<std::size_t>(more)] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) value += static_cast<char>(0x80U | ((code >> (6 * i)) & 0x3FU));
  }

  std::string_view text_;
  FilterError& error_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_shouted_keyword(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (small == word) return false;
  return std::any_of(std::begin(kKeywords), std::end(kKeywords),
                     [&](const Spelling& keyword) { return keyword.text == small; });
}

std::vector<Token> tokenize(std::string_view text, FilterError& error) { return Lexer(text, error).run(); }

}  // namespace rocescope::filter
