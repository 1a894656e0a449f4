// Quantities as people read them.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>

#include "rocescope/text.hpp"
#include "text/append.hpp"

namespace rocescope::text {
namespace {

constexpr double kKilo = 1000.0;

/// Three significant digits of 0 <= value < 1000; a whole number that needs no more has no decimals.
void append_digits(double value, bool whole, std::string& out) {
  // 9.995 would print as 10.00: the digits follow the value as it is printed.
  const int decimals = whole || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  append(out, "{:.{}f}", value, decimals);
}

/// `amount` of a small unit, in it or in one of the larger ones, each 1000 times the one before.
template <std::size_t N>
void append_scaled(double amount, const std::array<std::string_view, N>& units, std::string_view suffix,
                   std::string& out) {
  std::size_t unit = 0;
  bool whole = amount == std::floor(amount);
  while (unit + 1 < N && amount >= 999.5) {
    amount /= kKilo;
    ++unit;
    whole = false;
  }
  append_digits(amount, whole, out);
  out += ' ';
  out += units[unit];
  out += suffix;
}

}  // namespace

void append_quantity(double value, std::string_view unit, std::string& out) {
  constexpr std::array<std::string_view, 7> kPrefixes = {"", "k", "M", "G", "T", "P", "E"};
  append_scaled(value, kPrefixes, unit, out);
}

std::string quantity(double value, std::string_view unit) {
  std::string text;
  append_quantity(value, unit, text);
  return text;
}

void append_count(std::uint64_t value, std::string& out) {
  const fmt::format_int digits(value);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits.data()[i];
  }
}

std::string count(std::uint64_t value) {
  std::string text;
  append_count(value, text);
  return text;
}

std::string count(std::uint64_t value, std::string_view noun) {
  std::string text = count(value);
  text += ' ';
  text += noun;
  text += plural(value, "", "s");
  return text;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = part == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.3g} %", share);
}

std::string status(std::string_view words, std::uint64_t number) {
  return words.empty() ? fmt::format("status 0x{:x}", number) : std::string(words);
}

void append_duration(std::int64_t nanoseconds, std::string& out) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  constexpr std::uint64_t kMinute = 60;
  constexpr std::uint64_t kHour = 60 * kMinute;
  constexpr std::uint64_t kDay = 24 * kHour;
  if (nanoseconds < 0) out += '-';
  // The smallest number has no positive counterpart of its own type.
  const std::uint64_t size =
      nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
  const std::uint64_t seconds = (size + kSecond / 2) / kSecond;
  const auto pair = [&](std::uint64_t large, std::string_view large_unit, std::uint64_t small,
                        std::string_view small_unit) {
    append(out, "{} {} {:02} {}", seconds / large, large_unit, seconds % large / small, small_unit);
  };
  if (size == 0) {
    out += "0 s";
  } else if (seconds < kMinute) {
    constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
    append_scaled(static_cast<double>(size), kUnits, "", out);
  } else if (seconds < kHour) {
    pair(kMinute, "min", 1, "s");
  } else if (seconds < kDay) {
    pair(kHour, "h", kMinute, "min");
  } else {
    pair(kDay, "d", kHour, "h");
  }
}

std::string duration(std::int64_t nanoseconds) {
  std::string text;
  append_duration(nanoseconds, text);
  return text;
}

}  // namespace rocescope::text
