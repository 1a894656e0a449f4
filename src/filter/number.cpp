// Numbers and seconds.
#include "filter/number.hpp"

#include <algorithm>
#include <charconv>

namespace rocescope::filter {
namespace {

/// Takes the prefix of the base off `text`.
int take_base(std::string_view& text) noexcept {
  if (text.size() < 2 || text[0] != '0') return 10;
  const char mark = text[1];
  if (mark == 'x' || mark == 'X' || mark == 'b' || mark == 'B') {
    text.remove_prefix(2);
    return mark == 'x' || mark == 'X' ? 16 : 2;
  }
  text.remove_prefix(1);
  return 8;
}

/// Decimal digits and nothing else.
std::optional<std::int64_t> parse_digits(std::string_view text) noexcept {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
  const int base = take_base(text);
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool is_number(std::string_view text) noexcept {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const int base = take_base(text);
  return !text.empty() && std::all_of(text.begin(), text.end(), [base](char c) {
    if (base == 16) return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    return c >= '0' && c < '0' + base;
  });
}

std::optional<std::int64_t> parse_seconds(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const auto seconds = parse_digits(text.substr(0, point));
  if (!seconds || *seconds >= INT64_MAX / kNanoseconds) return std::nullopt;
  std::int64_t nanoseconds = *seconds * kNanoseconds;
  if (point != std::string_view::npos) {
    const std::string_view decimals = text.substr(point + 1);
    const auto fraction = parse_digits(decimals);
    if (!fraction || decimals.size() > 9) return std::nullopt;
    std::int64_t unit = kNanoseconds;
    for (std::size_t i = 0; i < decimals.size(); ++i) unit /= 10;
    nanoseconds += *fraction * unit;
  }
  return negative ? -nanoseconds : nanoseconds;
}

}  // namespace rocescope::filter
