// Reading numbers out of wire bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace rocescope {

/// Bytes that somebody else owns. Nothing in the library keeps one past the frame it belongs to.
using Bytes = std::span<const std::uint8_t>;

/// A fixed number of wire bytes, in wire order (addresses, GIDs).
template <std::size_t N>
using ByteArray = std::array<std::uint8_t, N>;

namespace detail {

constexpr std::uint16_t swap_bytes(std::uint16_t value) noexcept { return __builtin_bswap16(value); }
constexpr std::uint32_t swap_bytes(std::uint32_t value) noexcept { return __builtin_bswap32(value); }
constexpr std::uint64_t swap_bytes(std::uint64_t value) noexcept { return __builtin_bswap64(value); }

/// One load and, where need be, one swap. Loops over bytes are said to become that, but g++ 12 leaves most as they are.
template <class Unsigned>
Unsigned load_whole(const std::uint8_t* first, std::endian order) noexcept {
  Unsigned value;
  std::memcpy(&value, first, sizeof(value));
  return order == std::endian::native ? value : swap_bytes(value);
}

}  // namespace detail

/// `bytes` (0 to 8) bytes at `first`, most significant byte first.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t load_big_endian(const std::uint8_t* first,
                                                                          std::size_t bytes) noexcept {
  std::uint64_t value = 0;
  if (!std::is_constant_evaluated()) {
    if (bytes == 8) return detail::load_whole<std::uint64_t>(first, std::endian::big);
    if (bytes >= 4) {
      value = detail::load_whole<std::uint32_t>(first, std::endian::big);
      first += 4;
      bytes -= 4;
    }
    if (bytes >= 2) {
      value = (value << 16) | detail::load_whole<std::uint16_t>(first, std::endian::big);
      first += 2;
      bytes -= 2;
    }
  }
  for (std::size_t i = 0; i < bytes; ++i) value = (value << 8) | first[i];
  return value;
}

/// `bytes` (1 to 8) bytes at `first`, least significant byte first: the ICRC, capture files and a few trailers of taps.
[[nodiscard]] constexpr std::uint64_t load_little_endian(const std::uint8_t* first, std::size_t bytes) noexcept {
  if (!std::is_constant_evaluated()) {
    if (bytes == 8) return detail::load_whole<std::uint64_t>(first, std::endian::little);
    if (bytes == 4) return detail::load_whole<std::uint32_t>(first, std::endian::little);
    if (bytes == 2) return detail::load_whole<std::uint16_t>(first, std::endian::little);
  }
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i > 0; --i) value = (value << 8) | first[i - 1];
  return value;
}

/// The `bit_width` bits (1 to 64) that start `bit_offset` bits after `first`, most significant bit first, as every
/// protocol here numbers them. The caller has checked that they are there.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t load_bits(const std::uint8_t* first, std::size_t bit_offset,
                                                                    std::size_t bit_width) noexcept {
  const std::uint8_t* byte = first + bit_offset / 8;
  const std::size_t end = bit_offset % 8 + bit_width;  // in bits, from `byte` on
  const std::size_t rest = end % 8;                    // bits in a last byte that is not the field's alone
  std::uint64_t value = load_big_endian(byte, end / 8);
  if (rest > 0) value = (value << rest) | (static_cast<unsigned>(byte[end / 8]) >> (8 - rest));
  return bit_width < 64 ? value & ((std::uint64_t{1} << bit_width) - 1) : value;
}

}  // namespace rocescope
