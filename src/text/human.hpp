// Quantities as people read them. Data formats never use these: there a number is the number itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

/// A length of time in the unit that fits: `0 s`, `850 ns`, `12.3 us`, `1.16 ms`, `33.8 s`, `2 min 13 s`, `3 h 05 min`,
/// `2 d 04 h`.
void append_duration(std::int64_t nanoseconds, std::string& out);
[[nodiscard]] std::string duration(std::int64_t nanoseconds);

}  // namespace rocescope::text
