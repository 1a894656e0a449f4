// Points in time and lengths of time, to the nanosecond.
#include <fmt/format.h>

#include <cstddef>
#include <ctime>
#include <string_view>

#include "rocescope/text.hpp"
#include "text/append.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

void append_fraction(std::int64_t nanoseconds, Decimals decimals, std::string& out) {
  if (decimals <= 0) return;
  std::int64_t unit = kSecond;
  for (Decimals i = 0; i < decimals; ++i) unit /= 10;
  text::append(out, ".{:0{}}", nanoseconds / unit, decimals);
}

/// A time cut into what clocks show.
struct Clock {
  Clock(std::int64_t time, Zone zone) {
    std::int64_t seconds = time / kSecond;
    nanoseconds = time % kSecond;
    if (nanoseconds < 0) {
      nanoseconds += kSecond;
      --seconds;
    }
    const std::time_t moment = seconds;
    zone == Zone::kUtc ? gmtime_r(&moment, &fields) : localtime_r(&moment, &fields);
  }
  std::tm fields{};
  std::int64_t nanoseconds = 0;
};

void append_clock(const Clock& clock, Decimals decimals, std::string& out) {
  text::append(out, "{:02}:{:02}:{:02}", clock.fields.tm_hour, clock.fields.tm_min, clock.fields.tm_sec);
  append_fraction(clock.nanoseconds, decimals, out);
}

}  // namespace

void append_seconds(std::int64_t nanoseconds, Decimals decimals, std::string& out) {
  if (nanoseconds < 0) out += '-';
  const std::int64_t seconds = nanoseconds / kSecond;
  const std::int64_t fraction = nanoseconds % kSecond;
  text::append(out, "{}", seconds < 0 ? -seconds : seconds);
  append_fraction(fraction < 0 ? -fraction : fraction, decimals, out);
}

void append_time_of_day(std::int64_t time, Zone zone, Decimals decimals, std::string& out) {
  append_clock(Clock(time, zone), decimals, out);
}

void append_date_and_time(std::int64_t time, Zone zone, Decimals decimals, std::string& out) {
  const Clock clock(time, zone);
  text::append(out, "{:04}-{:02}-{:02} ", clock.fields.tm_year + 1900, clock.fields.tm_mon + 1, clock.fields.tm_mday);
  append_clock(clock, decimals, out);
}

std::string date_and_time(std::int64_t time, Zone zone, Decimals decimals) {
  std::string text;
  append_date_and_time(time, zone, decimals, text);
  return text;
}

void append_wireshark_time(std::int64_t time, std::string& out) {
  constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const Clock clock(time, Zone::kLocal);
  text::append(out, "{} {:2}, {} ", kMonths[static_cast<std::size_t>(clock.fields.tm_mon)], clock.fields.tm_mday,
               clock.fields.tm_year + 1900);
  append_clock(clock, 9, out);
  out += ' ';
  out += clock.fields.tm_zone;
}

}  // namespace rocescope
