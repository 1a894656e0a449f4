// The link layer of BSD loopbacks: the address family of what follows. Link type 0 (LINKTYPE_NULL) has it in the byte
// order of the host that captured, 108 (LINKTYPE_LOOP) in network order.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Address family                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

/// AF_INET6 has a number of its own in every system.
inline constexpr ValueName kAddressFamilyNames[] = {{2, 2, "IPv4"},
                                                    {10, 10, "IPv6 (Linux)"},
                                                    {24, 24, "IPv6 (NetBSD, OpenBSD)"},
                                                    {28, 28, "IPv6 (FreeBSD)"},
                                                    {30, 30, "IPv6 (macOS)"}};

struct Null : HeaderView<Null> {
  static constexpr HeaderKind kKind = HeaderKind::kNull;
  static constexpr std::string_view kName = "null";
  static constexpr std::string_view kTitle = "Null link layer";
  static constexpr std::string_view kReference = "LINKTYPE_NULL";
  static constexpr std::size_t kSize = 4;
  /// Families are small numbers.
  static constexpr bool big_endian(const std::uint8_t* header) { return load_little_endian(header, 4) > 0xFFFF; }
  static constexpr bool ether_type(const std::uint8_t* header) {
    return !big_endian(header) && load_little_endian(header, 4) >= 0x0600;
  }
  static constexpr bool little_endian(const std::uint8_t* header) { return !big_endian(header) && !ether_type(header); }
  static constexpr Field kFields[] = {
      field::number("null.family", "Address family", 0, 32)
          .little_endian()
          .named(kAddressFamilyNames)
          .when(little_endian),
      field::number("null.family", "Address family", 0, 32).named(kAddressFamilyNames).when(big_endian),
      field::hex("null.type", "Type", 0, 32).digits(4).little_endian().named(kEtherTypeNames).when(ether_type),
  };
  using HeaderView::HeaderView;

  /// The family, or an EtherType (0x0600 and above).
  [[nodiscard]] constexpr std::uint32_t family() const noexcept {
    const std::uint8_t* header = bytes().data();
    return static_cast<std::uint32_t>(big_endian(header) ? load_bits(header, 0, 32) : load_little_endian(header, 4));
  }
};

struct Loop : HeaderView<Loop> {
  static constexpr HeaderKind kKind = HeaderKind::kLoop;
  static constexpr std::string_view kName = "null";
  static constexpr std::string_view kTitle = "OpenBSD loopback";
  static constexpr std::string_view kReference = "LINKTYPE_LOOP";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("null.family", "Address family", 0, 32).named(kAddressFamilyNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t family() const noexcept { return get<"null.family">(); }
};

}  // namespace rocescope
