// Logical Link Control, IEEE 802.2: what follows an Ethernet length instead of an EtherType.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      DSAP     |      SSAP     |    Control    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

inline constexpr ValueName kSapNames[] = {{0x06, 0x06, "IP"},      {0x42, 0x42, "spanning tree"},
                                          {0xAA, 0xAA, "SNAP"},    {0xE0, 0xE0, "NetWare"},
                                          {0xF0, 0xF0, "NetBIOS"}, {0xFE, 0xFE, "ISO network layer"}};

/// Unnumbered: the control field has one byte.
struct Llc : HeaderView<Llc> {
  static constexpr HeaderKind kKind = HeaderKind::kLlc;
  static constexpr std::string_view kName = "llc";
  static constexpr std::string_view kTitle = "Logical Link Control";
  static constexpr std::string_view kReference = "IEEE 802.2";
  static constexpr std::size_t kSize = 3;
  static constexpr Field kFields[] = {
      field::hex("llc.dsap", "Destination service access point", 0, 8).named(kSapNames),
      field::hex("llc.ssap", "Source service access point", 8, 8).named(kSapNames),
      field::hex("llc.control", "Control", 16, 8).digits(4),
  };
  using HeaderView::HeaderView;

  /// Both access points in one number: 0xAAAA announces a SNAP header.
  [[nodiscard]] constexpr std::uint16_t access_points() const noexcept {
    return static_cast<std::uint16_t>((get<"llc.dsap">() << 8) | get<"llc.ssap">());
  }
};

/// Information and supervisory frames: the control field has two bytes, the lower first.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      DSAP     |      SSAP     |            Control            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LlcNumbered : HeaderView<LlcNumbered> {
  static constexpr HeaderKind kKind = HeaderKind::kLlcNumbered;
  static constexpr std::string_view kName = "llc";
  static constexpr std::string_view kTitle = "Logical Link Control, numbered";
  static constexpr std::string_view kReference = "IEEE 802.2";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::hex("llc.dsap", "Destination service access point", 0, 8).named(kSapNames),
      field::hex("llc.ssap", "Source service access point", 8, 8).named(kSapNames),
      field::hex("llc.control", "Control", 16, 16).little_endian(),
  };
  using HeaderView::HeaderView;
};

/// Subnetwork Access Protocol, IEEE 802 9.2.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Organization code               |    Protocol   |
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |
//   +-+-+-+-+-+-+-+-+
struct Snap : HeaderView<Snap> {
  static constexpr HeaderKind kKind = HeaderKind::kSnap;
  static constexpr std::string_view kName = "llc";
  static constexpr std::string_view kTitle = "Subnetwork Access Protocol";
  static constexpr std::string_view kReference = "IEEE 802 9.2";
  static constexpr std::size_t kSize = 5;
  static constexpr bool kContinues = true;
  /// RFC 1042, and the bridges' 802.1H.
  static constexpr bool is_ether_type(const std::uint8_t* header) {
    return load_bits(header, 0, 24) == 0 || load_bits(header, 0, 24) == 0xF8;
  }
  static constexpr bool is_cisco(const std::uint8_t* header) { return load_bits(header, 0, 24) == 0x0C; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_ether_type(header) && !is_cisco(header); }
  static constexpr Field kFields[] = {
      field::number("llc.oui", "Organization code", 0, 24),
      field::hex("llc.type", "Type", 24, 16).named(kEtherTypeNames).when(is_ether_type),
      field::hex("llc.cisco_pid", "Protocol of Cisco", 24, 16).when(is_cisco),
      field::hex("llc.pid", "Protocol", 24, 16).when(is_other),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool has_ether_type() const noexcept { return is_ether_type(bytes().data()); }
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"llc.type">(); }
};

}  // namespace rocescope
