// The blocks of a pcapng file (draft-ietf-opsawg-pcapng) and the options in them.
//
//   0               1               2               3
//   +-----------------------------------------------+
//   | type                                          |
//   | length of the block                           |
//   | body, padded to 32 bits; often ends in options|
//   | length of the block, again                    |
//   +-----------------------------------------------+
//
//   +-----------------------------------------------+
//   | option code           | length of its value   |
//   | value, padded to 32 bits                      |
//   +-----------------------------------------------+
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "capture/file_numbers.hpp"
#include "rocescope/bytes.hpp"

namespace rocescope {

/// Block types (11.1).
namespace block_type {
inline constexpr std::uint32_t kSectionHeader = 0x0A0D0D0A;  // the same in both byte orders
inline constexpr std::uint32_t kInterfaceDescription = 1;
inline constexpr std::uint32_t kObsoletePacket = 2;
inline constexpr std::uint32_t kSimplePacket = 3;
inline constexpr std::uint32_t kInterfaceStatistics = 5;
inline constexpr std::uint32_t kEnhancedPacket = 6;
}  // namespace block_type

/// Option codes; what they mean depends on the block.
namespace option_code {
inline constexpr std::uint16_t kEnd = 0;
inline constexpr std::uint16_t kComment = 1;
inline constexpr std::uint16_t kApplication = 4;
inline constexpr std::uint16_t kInterfaceName = 2;
inline constexpr std::uint16_t kInterfaceDescription = 3;
inline constexpr std::uint16_t kTimeResolution = 9;
inline constexpr std::uint16_t kInterfaceFilter = 11;
inline constexpr std::uint16_t kInterfaceOs = 12;
inline constexpr std::uint16_t kTimeOffset = 14;
inline constexpr std::uint16_t kReceivedByInterface = 4;
inline constexpr std::uint16_t kDroppedByInterface = 5;
inline constexpr std::uint16_t kDroppedBySystem = 7;
}  // namespace option_code

inline constexpr std::uint32_t kByteOrderMagic = 0x1A2B3C4D;

/// Of a section header without options: the shortest file, bytes (4.1).
inline constexpr std::uint32_t kShortestSectionHeader = 28;
/// The part of it that says how long it is, and in which byte order: type, length, byte-order magic.
inline constexpr std::size_t kSectionHeaderStart = 12;

/// The byte order of the section that begins with `start`, kSectionHeaderStart bytes or more. Nothing: the magic is another one.
[[nodiscard]] constexpr std::optional<FileNumbers> section_numbers(Bytes start) noexcept {
  for (const bool big_endian : {false, true}) {
    if (FileNumbers(big_endian).u32(start, 8) == kByteOrderMagic) return FileNumbers(big_endian);
  }
  return std::nullopt;
}

[[nodiscard]] constexpr std::uint64_t padded_to_32_bits(std::uint64_t size) noexcept { return (size + 3) / 4 * 4; }

/// Calls `give(code, value)` for each option. False after damage: only the options before it were given.
template <class Give>
[[nodiscard]] bool for_each_option(Bytes options, FileNumbers numbers, Give give) {
  constexpr std::size_t kHeader = 4;
  while (!options.empty()) {
    if (options.size() < kHeader) return false;
    const std::uint16_t code = numbers.u16(options, 0);
    const std::size_t length = numbers.u16(options, 2);
    if (code == option_code::kEnd) return true;
    if (length > options.size() - kHeader) return false;
    give(code, options.subspan(kHeader, length));
    options = options.subspan(std::min<std::size_t>(kHeader + padded_to_32_bits(length), options.size()));
  }
  return true;
}

/// The text in an option, at most `longest` bytes of it. Some writers end theirs with a NUL.
[[nodiscard]] inline std::string option_text(Bytes value,
                                             std::size_t longest = std::numeric_limits<std::size_t>::max()) {
  const auto end = std::find(value.begin(), value.end(), std::uint8_t{0});
  const auto size = std::min(static_cast<std::size_t>(end - value.begin()), longest);
  return {value.begin(), value.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace rocescope
