// Bytes written as hex in a test.
#pragma once

#include <cctype>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace rocescope::testing {

/// "4a 40 ffff" -> {0x4A, 0x40, 0xFF, 0xFF}; spaces and newlines may stand anywhere between digits.
inline std::vector<std::uint8_t> hex(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  int high = -1;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    const auto at =
        std::string_view("0123456789abcdef").find(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    if (at == std::string_view::npos) throw std::invalid_argument("not a hex digit");
    if (high < 0) {
      high = static_cast<int>(at);
    } else {
      bytes.push_back(static_cast<std::uint8_t>(high * 16 + static_cast<int>(at)));
      high = -1;
    }
  }
  if (high >= 0) throw std::invalid_argument("an odd number of hex digits");
  return bytes;
}

}  // namespace rocescope::testing
