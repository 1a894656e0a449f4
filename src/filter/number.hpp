// Numbers as filters write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocescope::filter {

/// In a second.
inline constexpr std::int64_t kNanoseconds = 1'000'000'000;

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Decimal, hexadecimal (0x), octal (0) or binary (0b), without a sign. Nothing if `text` has other characters, or the
/// number needs more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text) noexcept;

/// Whether `text` looks like a number, with or without a sign, however large.
[[nodiscard]] bool is_number(std::string_view text) noexcept;

/// Seconds with up to nine decimals, perhaps negative, as nanoseconds. Nothing when it is not that or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_seconds(std::string_view text) noexcept;

}  // namespace rocescope::filter
