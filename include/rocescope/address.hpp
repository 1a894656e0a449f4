// Network addresses: one 16-byte type for IPv4, IPv6 and GIDs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <span>

#include "rocescope/bytes.hpp"

namespace rocescope {

/// An IPv6 address or GID; an IPv4 address in its IPv4-mapped form (::ffff:a.b.c.d, RFC 4291 2.5.5.2), which is also
/// how RoCEv2 writes an IPv4 GID; or an InfiniBand LID, under a prefix of the reserved block 0::/8 (4c:4944::/112).
struct IpAddress {
  ByteArray<16> bytes{};  ///< in network order

  [[nodiscard, gnu::always_inline]] static constexpr IpAddress v4(std::span<const std::uint8_t, 4> address) noexcept {
    struct Parts {  // whole words: every packet has two
      std::uint64_t zeros = 0;
      ByteArray<4> prefix{0, 0, 0xFF, 0xFF};
      ByteArray<4> address;
    };
    return {std::bit_cast<ByteArray<16>>(Parts{.address = {address[0], address[1], address[2], address[3]}})};
  }
  [[nodiscard]] static constexpr IpAddress v6(std::span<const std::uint8_t, 16> address) noexcept {
    IpAddress result;
    std::copy(address.begin(), address.end(), result.bytes.begin());
    return result;
  }
  /// The address of a native InfiniBand packet that has no GRH.
  [[nodiscard]] static constexpr IpAddress lid(std::uint16_t lid) noexcept {
    IpAddress result{kLidPrefix};
    result.bytes[14] = static_cast<std::uint8_t>(lid >> 8);
    result.bytes[15] = static_cast<std::uint8_t>(lid);
    return result;
  }
  [[nodiscard]] constexpr bool is_lid() const noexcept {
    return std::equal(bytes.begin(), bytes.begin() + 14, kLidPrefix.begin());
  }
  /// The LID of an address that is_lid().
  [[nodiscard]] constexpr std::uint16_t to_lid() const noexcept {
    return static_cast<std::uint16_t>((bytes[14] << 8) | bytes[15]);
  }
  [[nodiscard]] constexpr bool is_v4() const noexcept {
    return std::all_of(bytes.begin(), bytes.begin() + 10, [](std::uint8_t b) { return b == 0; }) && bytes[10] == 0xFF &&
           bytes[11] == 0xFF;
  }
  /// No address: all bytes zero.
  [[nodiscard]] constexpr bool empty() const noexcept { return *this == IpAddress{}; }
  /// In the order of the bytes.
  friend constexpr std::strong_ordering operator<=>(const IpAddress& a, const IpAddress& b) noexcept {
    const std::uint64_t x = load_big_endian(a.bytes.data(), 8);
    const std::uint64_t y = load_big_endian(b.bytes.data(), 8);
    if (x != y) return x <=> y;
    return load_big_endian(a.bytes.data() + 8, 8) <=> load_big_endian(b.bytes.data() + 8, 8);
  }
  friend constexpr bool operator==(const IpAddress& a, const IpAddress& b) noexcept {
    struct Halves {
      std::uint64_t high;
      std::uint64_t low;
    };
    const auto x = std::bit_cast<Halves>(a.bytes);
    const auto y = std::bit_cast<Halves>(b.bytes);
    return ((x.high ^ y.high) | (x.low ^ y.low)) == 0;
  }

  static constexpr ByteArray<16> kLidPrefix{0x00, 0x4C, 0x49, 0x44};
};

}  // namespace rocescope
