// Parses values that users write.
#include "cli/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <limits>
#include <string>

#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Parses a text from its front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Exactly `count` digits.
  [[nodiscard]] std::optional<int> digits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  /// The digits after a decimal point, as nanoseconds; none: nothing.
  [[nodiscard]] std::optional<std::int64_t> fraction() {
    const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (count == 0) return std::nullopt;
    std::int64_t value = 0;
    for (std::size_t i = 0; i < 9; ++i) value = value * 10 + (i < count ? rest_[i] - '0' : 0);
    rest_.remove_prefix(count);
    return value;
  }

 private:
  std::string_view rest_;
};

/// Seconds since 1970. `2027` is refused, since it most likely means the year; `2027.0` is not.
std::optional<std::int64_t> parse_epoch(std::string_view text) {
  if (text.size() == 4 && parse_number(text, 2261) >= 1900U) return std::nullopt;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  // 292 years before and after 1970 fit into nanoseconds.
  const std::optional<std::uint64_t> seconds = parse_number(text.substr(0, point), 9'223'372'035);
  if (!seconds || text.starts_with("0x")) return std::nullopt;
  std::int64_t nanoseconds = static_cast<std::int64_t>(*seconds) * kSecond;
  if (point < text.size()) {
    Scanner scanner(text.substr(point + 1));
    const std::optional<std::int64_t> fraction = scanner.fraction();
    if (!fraction || !scanner.done()) return std::nullopt;
    nanoseconds += *fraction;
  }
  return negative ? -nanoseconds : nanoseconds;
}

/// Hours and minutes east of Greenwich, in seconds: what follows a `+`.
std::optional<std::int64_t> parse_zone(Scanner& scanner) {
  const std::optional<int> hours = scanner.digits(2);
  if (!hours || *hours > 14) return std::nullopt;
  const bool colon = scanner.take(':');
  if (!colon && scanner.done()) return *hours * 3600;
  const std::optional<int> minutes = scanner.digits(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return *hours * 3600 + *minutes * 60;
}

bool parse_date(Scanner& scanner, std::tm& time) {
  const std::optional<int> year = scanner.digits(4);
  if (!year || !scanner.take('-')) return false;
  const std::optional<int> month = scanner.digits(2);
  if (!month || *month < 1 || *month > 12 || !scanner.take('-')) return false;
  const std::optional<int> day = scanner.digits(2);
  if (!day || *day < 1) return false;
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (*year % 4 == 0 && *year % 100 != 0) || *year % 400 == 0;
  if (*day > kDays[static_cast<std::size_t>(*month - 1)] + (leap && *month == 2 ? 1 : 0)) return false;
  // Outside these years a time does not fit into nanoseconds.
  if (*year < 1678 || *year > 2261) return false;
  time.tm_year = *year - 1900;
  time.tm_mon = *month - 1;
  time.tm_mday = *day;
  return true;
}

/// `hh:mm`, `hh:mm:ss`, `hh:mm:ss.fraction`.
bool parse_clock(Scanner& scanner, std::tm& time, std::int64_t& nanoseconds) {
  const std::optional<int> hour = scanner.digits(2);
  if (!hour || *hour > 23 || !scanner.take(':')) return false;
  const std::optional<int> minute = scanner.digits(2);
  if (!minute || *minute > 59) return false;
  time.tm_hour = *hour;
  time.tm_min = *minute;
  if (!scanner.take(':')) return true;
  const std::optional<int> second = scanner.digits(2);
  if (!second || *second > 60) return false;
  time.tm_sec = *second;
  if (!scanner.take('.') && !scanner.take(',')) return true;
  const std::optional<std::int64_t> fraction = scanner.fraction();
  if (fraction) nanoseconds = *fraction;
  return fraction.has_value();
}

std::optional<std::int64_t> parse_iso(std::string_view text) {
  Scanner scanner(text);
  std::tm time{};
  std::int64_t nanoseconds = 0;
  if (!parse_date(scanner, time)) return std::nullopt;
  if (scanner.take('T') || scanner.take(' ')) {
    if (!parse_clock(scanner, time, nanoseconds)) return std::nullopt;
  }
  std::int64_t seconds = 0;
  if (scanner.done()) {
    time.tm_isdst = -1;
    seconds = std::mktime(&time);
  } else {
    std::optional<std::int64_t> east;
    if (scanner.take('Z')) {
      east = 0;
    } else if (scanner.take('+')) {
      east = parse_zone(scanner);
    } else if (scanner.take('-')) {
      east = parse_zone(scanner);
      if (east) east = -*east;
    }
    if (!east || !scanner.done()) return std::nullopt;
    seconds = ::timegm(&time) - *east;
  }
  return seconds * kSecond + nanoseconds;
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t max) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc() || end != text.data() + text.size() || value > max) return std::nullopt;
  return value;
}

namespace {

/// `text`, digits with at most one point, times `unit`, rounded down.
std::optional<std::uint64_t> parse_decimal(std::string_view text, std::uint64_t unit, std::uint64_t max) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::optional<std::uint64_t> number = whole.empty() ? 0 : parse_number(whole, max / unit);
  if (!number || whole.starts_with("0x") || whole.starts_with("0X")) return std::nullopt;
  std::uint64_t value = *number * unit;
  if (point + 1 >= text.size())
    return whole.size() == text.size() && !whole.empty() ? std::optional(value) : std::nullopt;
  std::uint64_t place = unit;
  for (const char digit : text.substr(point + 1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    place /= 10;
    value += static_cast<std::uint64_t>(digit - '0') * place;
  }
  return value <= max ? std::optional(value) : std::nullopt;
}

/// Cuts `ending` off, and blanks before it.
bool take_ending(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  while (text.ends_with(' ')) text.remove_suffix(1);
  return true;
}

}  // namespace

namespace {

/// Nanoseconds, at most `max`.
std::optional<std::uint64_t> parse_nanoseconds(std::string_view text, std::uint64_t max) {
  std::uint64_t unit = 1'000'000'000;
  if (take_ending(text, "ns")) {
    unit = 1;
  } else if (take_ending(text, "us")) {
    unit = 1'000;
  } else if (take_ending(text, "ms")) {
    unit = 1'000'000;
  } else {
    take_ending(text, "s");
  }
  return parse_decimal(text, unit, max);
}

}  // namespace

std::optional<std::int64_t> parse_duration(std::string_view text) {
  constexpr std::uint64_t kDay = 86'400'000'000'000;
  const std::optional<std::uint64_t> value = parse_nanoseconds(text, kDay);
  return value && *value > 0 ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

std::optional<std::uint64_t> parse_bit_rate(std::string_view text) {
  constexpr std::uint64_t kMost = 10'000'000'000'000;
  if (!take_ending(text, "b/s")) take_ending(text, "bit/s");
  std::uint64_t unit = 1;
  if (take_ending(text, "k") || take_ending(text, "K")) {
    unit = 1'000;
  } else if (take_ending(text, "M")) {
    unit = 1'000'000;
  } else if (take_ending(text, "G")) {
    unit = 1'000'000'000;
  } else if (take_ending(text, "T")) {
    unit = 1'000'000'000'000;
  }
  const std::optional<std::uint64_t> value = parse_decimal(text, unit, kMost);
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  const std::optional<std::int64_t> epoch = parse_epoch(text);
  return epoch ? epoch : parse_iso(text);
}

std::int64_t Moment::absolute(std::int64_t start) const noexcept {
  if (!since_start) return time;
  std::int64_t sum = 0;
  return __builtin_add_overflow(start, time, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::optional<Moment> parse_moment(std::string_view text) {
  if (!text.starts_with('+')) {
    const std::optional<std::int64_t> time = parse_time(text);
    return time ? std::optional(Moment{.time = *time}) : std::nullopt;
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::optional<std::uint64_t> time = parse_nanoseconds(text.substr(1), kMost);
  if (!time) return std::nullopt;
  return Moment{.time = static_cast<std::int64_t>(*time), .since_start = true};
}

bool AddressPrefix::contains(const IpAddress& other) const noexcept {
  if (address.is_v4() != other.is_v4()) return false;  // ::/0 means IPv6 only
  const std::size_t whole = bits / 8U;
  if (!std::equal(address.bytes.begin(), address.bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                  other.bytes.begin())) {
    return false;
  }
  const unsigned rest = bits % 8U;
  return rest == 0 || ((address.bytes[whole] ^ other.bytes[whole]) >> (8U - rest)) == 0;
}

std::optional<AddressPrefix> parse_address(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::optional<IpAddress> address = parse_ip_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  const std::uint8_t bits = text.find(':') < slash ? 128 : 32;  // ::ffff:10.0.0.1 is written as IPv6
  std::uint64_t length = bits;
  if (slash < text.size()) {
    const std::string_view digits = text.substr(slash + 1);
    const std::optional<std::uint64_t> parsed = parse_number(digits, bits);
    if (!parsed || digits.starts_with("0x")) return std::nullopt;
    length = *parsed;
  }
  return AddressPrefix{*address, static_cast<std::uint8_t>(128U - bits + length)};
}

}  // namespace rocescope::cli
