// Reading numbers out of wire bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rocescope {

/// Bytes that somebody else owns. Nothing in the library keeps one past the frame it belongs to.
using Bytes = std::span<const std::uint8_t>;

/// A fixed number of wire bytes, in wire order (addresses, GIDs).
template <std::size_t N>
using ByteArray = std::array<std::uint8_t, N>;

/// The `bit_width` bits (1 to 64) that start `bit_offset` bits after `first`, most significant bit first, as every
/// protocol here numbers them. The caller has checked that they are there.
[[nodiscard]] constexpr std::uint64_t load_bits(const std::uint8_t* first, std::size_t bit_offset,
                                                std::size_t bit_width) noexcept {
  const std::uint8_t* byte = first + bit_offset / 8;
  if ((bit_offset | bit_width) % 8 == 0) {  // most fields: compilers make one load of it where the width is known
    std::uint64_t whole = 0;
    for (std::size_t i = 0; i < bit_width / 8; ++i) whole = (whole << 8) | byte[i];
    return whole;
  }
  std::size_t skip = bit_offset % 8;
  std::uint64_t value = 0;
  while (bit_width > 0) {
    const std::size_t have = 8 - skip;
    const std::size_t take = have < bit_width ? have : bit_width;
    const unsigned bits = (static_cast<unsigned>(*byte) >> (have - take)) & ((1U << take) - 1U);
    value = (value << take) | bits;
    bit_width -= take;
    skip = 0;
    ++byte;
  }
  return value;
}

/// `bytes` (1 to 8) bytes at `first`, least significant byte first: the ICRC and a few trailers of taps.
[[nodiscard]] constexpr std::uint64_t load_little_endian(const std::uint8_t* first, std::size_t bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i > 0; --i) value = (value << 8) | first[i - 1];
  return value;
}

}  // namespace rocescope
