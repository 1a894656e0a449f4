// Reading dates and times, the C library's way: strptime knows the calendar, mktime the time zone.
#include "filter/absolute_time.hpp"

#include <array>
#include <ctime>
#include <string_view>

#include "filter/number.hpp"

namespace rocescope::filter {
namespace {

/// Seconds that nanoseconds in 64 bits can count, a day less for the time zone.
constexpr std::int64_t kLatest = INT64_MAX / kNanoseconds - 86'400;

/// Takes `.` and one to nine digits off `rest`: nanoseconds. Nothing for more digits or none.
std::optional<std::int64_t> take_fraction(std::string_view& rest) {
  if (!rest.starts_with('.')) return 0;
  std::size_t digits = 1;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  std::string seconds = "0";
  const auto fraction = parse_seconds(seconds.append(rest.substr(0, digits)));
  rest.remove_prefix(digits);
  return fraction;
}

/// Reads all of `rest` as an offset from UTC in seconds.
std::optional<std::int64_t> parse_offset(std::string_view rest) {
  if (rest == "Z" || rest == " UTC") return 0;
  const bool colon = rest.size() == 6 && rest[3] == ':';
  if (!colon && rest.size() != 5) return std::nullopt;
  if (rest[0] != '+' && rest[0] != '-') return std::nullopt;
  const std::array<char, 4> digits = {rest[1], rest[2], rest[rest.size() - 2], rest[rest.size() - 1]};
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
  }
  const int hours = (digits[0] - '0') * 10 + (digits[1] - '0');
  const int minutes = (digits[2] - '0') * 10 + (digits[3] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  const int seconds = hours * 3600 + minutes * 60;
  return rest[0] == '-' ? -seconds : seconds;
}

/// Whether the C library kept the day of the month: it makes 2 March of 30 February.
bool same_day(const std::tm& before, const std::tm& after) {
  return before.tm_mday == after.tm_mday && before.tm_mon == after.tm_mon;
}

/// `rest` follows the seconds, or an earlier end of the date.
std::optional<std::int64_t> finish(std::tm time, std::string_view rest, bool has_seconds) {
  const auto fraction = has_seconds ? take_fraction(rest) : 0;
  if (!fraction) return std::nullopt;
  const std::tm written = time;
  // UTC does not have summer time; of the local time zone the C library knows whether it was.
  std::int64_t seconds = timegm(&time);
  if (!same_day(written, time)) return std::nullopt;
  if (rest.empty()) {
    time = written;
    time.tm_isdst = -1;
    seconds = mktime(&time);
  } else {
    const auto offset = parse_offset(rest);
    if (!offset) return std::nullopt;
    seconds -= *offset;
  }
  if (seconds > kLatest || seconds < -kLatest) return std::nullopt;
  return seconds * kNanoseconds + *fraction;
}

}  // namespace

std::optional<std::int64_t> parse_absolute_time(const std::string& text) {
  // Longest first: a shorter format would leave the rest of a longer one.
  static constexpr std::array kFormats = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%b %d, %Y %H:%M:%S",
                                          "%Y-%m-%dT%H:%M",    "%Y-%m-%d %H:%M",    "%Y-%m-%d"};
  if (text.empty() || text[0] == ' ' || text.find('\0') != std::string::npos) return std::nullopt;
  for (const char* format : kFormats) {
    std::tm time{};
    const char* rest = strptime(text.c_str(), format, &time);
    if (rest == nullptr) continue;
    const bool has_seconds = std::string_view(format).ends_with("%S");
    if (const auto result = finish(time, rest, has_seconds)) return result;
  }
  return std::nullopt;
}

}  // namespace rocescope::filter
