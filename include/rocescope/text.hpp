// Addresses, times and quantities as people read them. All functions append to `out`, or return a new string.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rocescope/address.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

// Addresses

/// `10.0.0.1`
void append_ipv4(std::span<const std::uint8_t, 4> address, std::string& out);

/// RFC 5952: `fe80::1`; the longest run of two or more zero groups is left out, the first of several equally long ones.
/// IPv4-mapped and IPv4-compatible addresses end in dotted decimal (`::ffff:10.0.0.1`), as inet_ntop writes them.
void append_ipv6(std::span<const std::uint8_t, 16> address, std::string& out);

/// `52:54:00:12:34:56`
void append_mac(std::span<const std::uint8_t, 6> address, std::string& out);

/// Two lower-case digits a byte, nothing between them.
void append_hex(Bytes bytes, std::string& out);

/// An IPv4-mapped address as IPv4 (`10.0.0.1`), a LID as `LID 5`, any other as IPv6. No address (all zero) is `::`.
void append_address(const IpAddress& address, std::string& out);
[[nodiscard]] std::string to_text(const IpAddress& address);
/// `10.0.0.1 > 10.0.0.2`
[[nodiscard]] std::string to_text(const IpAddress& source, const IpAddress& destination);

/// IPv4 or IPv6 as inet_pton() reads it: `10.0.0.1`, `fe80::1`. Empty where `text` is neither.
[[nodiscard]] std::optional<IpAddress> parse_ip_address(std::string_view text);

/// `0x000011`
[[nodiscard]] std::string to_text(Qpn qpn);

/// One side of a connection: `10.0.0.1 0x000011`, without the number where the queue pair is unknown.
[[nodiscard]] std::string to_text(const IpAddress& address, std::optional<Qpn> qpn);

// Times, to the nanosecond

enum class Zone : std::uint8_t { kLocal, kUtc };

/// Digits after the point, 0 to 9: 6 and 9 are what captures have. More precise times are cut, not rounded, so that an
/// order of events stays one.
using Decimals = int;

/// Seconds: `1795198544.102624000`, `-0.000001`. `nanoseconds` may be any number: a point in time since 1970, or a length.
void append_seconds(std::int64_t nanoseconds, Decimals decimals, std::string& out);

/// `18:15:44.102624`. `time` is nanoseconds since 1970-01-01 UTC, here and below; before 1970 it is negative.
void append_time_of_day(std::int64_t time, Zone zone, Decimals decimals, std::string& out);

/// `2026-11-20 18:15:44.102624`
void append_date_and_time(std::int64_t time, Zone zone, Decimals decimals, std::string& out);
[[nodiscard]] std::string date_and_time(std::int64_t time, Zone zone, Decimals decimals);

/// `Nov 20, 2026 18:15:44.102624000 UTC`, local time with the zone's name, as Wireshark writes points in time.
void append_wireshark_time(std::int64_t time, std::string& out);

}  // namespace rocescope

/// Rounded to what a person takes in. Data formats never use these: there a number is the number itself.
namespace rocescope::text {

/// Three significant digits, an SI prefix (powers of 1000) and the unit: `62 B`, `1.50 kB`, `443 MB`, `12.4 Gb/s`,
/// `0 B`. `value` is not negative.
void append_quantity(double value, std::string_view unit, std::string& out);
[[nodiscard]] std::string quantity(double value, std::string_view unit);

/// All digits, in groups of three: `1,288`, `12,345,678`.
void append_count(std::uint64_t value, std::string& out);
[[nodiscard]] std::string count(std::uint64_t value);
/// `1 packet`, `1,288 packets`, for a noun whose plural ends in s.
[[nodiscard]] std::string count(std::uint64_t value, std::string_view noun);
/// `one` for 1, else `many`: plural(2, "is", "are").
[[nodiscard]] constexpr std::string_view plural(std::uint64_t value, std::string_view one,
                                                std::string_view many) noexcept {
  return value == 1 ? one : many;
}

/// `part` of `whole` in three significant digits: `0 %`, `1.25 %`, `100 %`. `whole` may be 0 where `part` is.
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

/// The words for a status, or, where it has none, `status 0x1ab`.
[[nodiscard]] std::string status(std::string_view words, std::uint64_t number);

/// A length of time in the unit that fits: `0 s`, `850 ns`, `12.3 us`, `1.16 ms`, `33.8 s`, `2 min 13 s`, `3 h 05 min`,
/// `2 d 04 h`; a negative one begins with `-`.
void append_duration(std::int64_t nanoseconds, std::string& out);
[[nodiscard]] std::string duration(std::int64_t nanoseconds);

}  // namespace rocescope::text
