// Points in time and lengths of time, to the nanosecond.
#pragma once

#include <cstdint>
#include <string>

namespace rocescope::render {

enum class Zone : std::uint8_t { kLocal, kUtc };

/// Digits after the point: 6 and 9 are what captures have. More precise times are cut, not rounded, so that an order of
/// events stays one.
using Decimals = int;

/// Seconds: `1795198544.102624000`, `-0.000001`.
void append_seconds(std::int64_t nanoseconds, Decimals decimals, std::string& out);

/// `18:15:44.102624`. `time` is nanoseconds since 1970-01-01 UTC, here and below.
void append_time_of_day(std::int64_t time, Zone zone, Decimals decimals, std::string& out);

/// `2026-11-20 18:15:44.102624`
void append_date_and_time(std::int64_t time, Zone zone, Decimals decimals, std::string& out);
[[nodiscard]] std::string date_and_time(std::int64_t time, Zone zone, Decimals decimals);

/// `Nov 20, 2026 18:15:44.102624000 UTC`, local time with the zone's name, as Wireshark writes points in time.
void append_wireshark_time(std::int64_t time, std::string& out);

}  // namespace rocescope::render
