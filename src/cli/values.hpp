// What users write as values: numbers, times, addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rocescope/address.hpp"

namespace rocescope::cli {

/// A whole number, decimal or hexadecimal with 0x, of at most `max`.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t max);

/// A length of time of at least 1 ns in nanoseconds: `10ms`, `100us`, `0.5s`, `250 ns`; without a unit seconds, as tshark has
/// them. Digits beyond nanoseconds are dropped; at most a day.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text);

/// Bits per second: `100G`, `2.5Gb/s`, `400000M`; the prefix is optional. At most 10 Tb/s.
[[nodiscard]] std::optional<std::uint64_t> parse_bit_rate(std::string_view text);

/// A moment in nanoseconds since 1970-01-01 UTC: seconds since then with any fraction (`1763665000.25`), or ISO 8601
/// (`2026-11-20`, `2026-11-20T18:30`, `2026-11-20 18:30:05.123456789Z`, `...+01:00`); without a zone, local time. Digits
/// beyond nanoseconds are dropped.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

/// A time that a user wrote: nanoseconds since 1970, or since the start of the capture.
struct Moment {
  std::int64_t time = 0;
  bool since_start = false;

  /// Nanoseconds since 1970, in a capture that starts at `start`; capped at the latest time.
  [[nodiscard]] std::int64_t absolute(std::int64_t start) const noexcept;
};

/// What parse_time() takes, or `+` and a time since the start of the capture: `+3.4`, in seconds, or with a unit as
/// parse_duration() has them.
[[nodiscard]] std::optional<Moment> parse_moment(std::string_view text);

/// Addresses that share their first bits.
struct AddressPrefix {
  IpAddress address;
  std::uint8_t bits = 128;  ///< of the 16-byte form: for IPv4, 96 more than the user wrote

  [[nodiscard]] bool contains(const IpAddress& other) const noexcept;
};

/// `10.0.0.1`, `10.0.0.0/24`, `fe80::1`, `fe80::/10`.
[[nodiscard]] std::optional<AddressPrefix> parse_address(std::string_view text);

}  // namespace rocescope::cli
