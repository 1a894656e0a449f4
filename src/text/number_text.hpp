// Numbers as text, on the paths that every value of every packet takes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rocescope {

inline void append_number(std::uint64_t value, std::string& out) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

/// `0x` and at least `digits` lower-case digits.
inline void append_hex_number(std::uint64_t value, std::size_t digits, std::string& out) {
  constexpr std::size_t kMost = 16;
  const std::size_t needed = (64 - static_cast<std::size_t>(__builtin_clzll(value | 1)) + 3) / 4;
  const std::size_t count = std::max(needed, std::min(digits, kMost));
  out += "0x";
  for (std::size_t i = count; i > 0; --i) out += "0123456789abcdef"[(value >> (4 * (i - 1))) & 15U];
}

}  // namespace rocescope
