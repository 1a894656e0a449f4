// Options of IPv6, RFC 8200 4.2: in the hop-by-hop and the destination options header, which they fill.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | A |C|   Rest  |     Length    |              Data             /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// A: what who does not know the type does. C: the data may change on the way. The length is that of the data. Pad1
// (type 0) has neither length nor data.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

namespace ipv6_option {
inline constexpr std::uint8_t kPad1 = 0x00;
inline constexpr std::uint8_t kPadN = 0x01;
inline constexpr std::uint8_t kTunnelLimit = 0x04;
inline constexpr std::uint8_t kRouterAlert = 0x05;
inline constexpr std::uint8_t kJumbo = 0xC2;
inline constexpr std::uint8_t kHomeAddress = 0xC9;
}  // namespace ipv6_option

/// IANA IPv6 destination and hop-by-hop options.
inline constexpr ValueName kIpv6OptionNames[] = {{0x00, 0x00, "Pad1"},
                                                 {0x01, 0x01, "PadN"},
                                                 {0x04, 0x04, "tunnel encapsulation limit"},
                                                 {0x05, 0x05, "router alert"},
                                                 {0x07, 0x07, "CALIPSO"},
                                                 {0x08, 0x08, "SMF DPD"},
                                                 {0x0F, 0x0F, "performance and diagnostic metrics"},
                                                 {0x11, 0x11, "IOAM"},
                                                 {0x1E, 0x1E, "experiment"},
                                                 {0x23, 0x23, "RPL"},
                                                 {0x26, 0x26, "quick start"},
                                                 {0x30, 0x30, "minimum path MTU"},
                                                 {0x31, 0x31, "IOAM"},
                                                 {0x3E, 0x3E, "experiment"},
                                                 {0x63, 0x63, "RPL"},
                                                 {0x6D, 0x6D, "MPL"},
                                                 {0x8B, 0x8B, "ILNP nonce"},
                                                 {0x8C, 0x8C, "line ID"},
                                                 {0xC2, 0xC2, "jumbo payload"},
                                                 {0xC9, 0xC9, "home address"},
                                                 {0xEE, 0xEE, "depth-first forwarding"}};

/// Pad1: one byte. A run of them is one layer.
struct Ipv6OptionPad1 : HeaderView<Ipv6OptionPad1> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6OptionPad1;
  static constexpr std::string_view kName = "ipv6.opt";
  static constexpr std::string_view kTitle = "IPv6 Pad1 option";
  static constexpr std::string_view kReference = "RFC 8200 4.2";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("ipv6.opt.type", "Type", 0, 8).named(kIpv6OptionNames),
  };
  using HeaderView::HeaderView;
};

/// PadN, and any option without a header of its own here.
struct Ipv6Option : HeaderView<Ipv6Option> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6Option;
  static constexpr std::string_view kName = "ipv6.opt";
  static constexpr std::string_view kTitle = "IPv6 option";
  static constexpr std::string_view kReference = "RFC 8200 4.2";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr bool is_pad(const std::uint8_t* header) { return header[0] == ipv6_option::kPadN; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_pad(header); }
  static constexpr Field kFields[] = {
      field::hex("ipv6.opt.type", "Type", 0, 8).named(kIpv6OptionNames),
      field::number("ipv6.opt.type.action", "Action", 0, 2).part(),
      field::flag("ipv6.opt.type.change", "May change on the way", 2).part(),
      field::hex("ipv6.opt.type.rest", "Low-order bits", 3, 5).digits(2).part(),
      field::number("ipv6.opt.length", "Length", 8, 8),
      field::bytes("ipv6.opt.padn", "PadN", 16).when(is_pad),
      field::bytes("rocescope.ipv6.opt.data", "Data", 16).when(is_other),
  };
  using HeaderView::HeaderView;
};

/// How many more tunnels the packet may enter.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |     Length    |     Limit     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6OptionTunnelLimit : HeaderView<Ipv6OptionTunnelLimit> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6OptionTunnelLimit;
  static constexpr std::string_view kName = "ipv6.opt";
  static constexpr std::string_view kTitle = "IPv6 tunnel encapsulation limit";
  static constexpr std::string_view kReference = "RFC 2473 4.1.1";
  static constexpr std::size_t kSize = 3;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("ipv6.opt.type", "Type", 0, 8).named(kIpv6OptionNames),
      field::number("ipv6.opt.type.action", "Action", 0, 2).part(),
      field::flag("ipv6.opt.type.change", "May change on the way", 2).part(),
      field::hex("ipv6.opt.type.rest", "Low-order bits", 3, 5).digits(2).part(),
      field::number("ipv6.opt.length", "Length", 8, 8),
      field::number("ipv6.opt.tel", "Tunnel encapsulation limit", 16, 8),
  };
  using HeaderView::HeaderView;
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |     Length    |             Value             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6OptionRouterAlert : HeaderView<Ipv6OptionRouterAlert> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6OptionRouterAlert;
  static constexpr std::string_view kName = "ipv6.opt";
  static constexpr std::string_view kTitle = "IPv6 router alert";
  static constexpr std::string_view kReference = "RFC 2711";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("ipv6.opt.type", "Type", 0, 8).named(kIpv6OptionNames),
      field::number("ipv6.opt.type.action", "Action", 0, 2).part(),
      field::flag("ipv6.opt.type.change", "May change on the way", 2).part(),
      field::hex("ipv6.opt.type.rest", "Low-order bits", 3, 5).digits(2).part(),
      field::number("ipv6.opt.length", "Length", 8, 8),
      field::number("ipv6.opt.router_alert", "Router alert", 16, 16),
  };
  using HeaderView::HeaderView;
};

/// The payload length where 16 bits are not enough.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |     Length    |         Payload length        |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6OptionJumbo : HeaderView<Ipv6OptionJumbo> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6OptionJumbo;
  static constexpr std::string_view kName = "ipv6.opt";
  static constexpr std::string_view kTitle = "IPv6 jumbo payload";
  static constexpr std::string_view kReference = "RFC 2675";
  static constexpr std::size_t kSize = 6;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("ipv6.opt.type", "Type", 0, 8).named(kIpv6OptionNames),
      field::number("ipv6.opt.type.action", "Action", 0, 2).part(),
      field::flag("ipv6.opt.type.change", "May change on the way", 2).part(),
      field::hex("ipv6.opt.type.rest", "Low-order bits", 3, 5).digits(2).part(),
      field::number("ipv6.opt.length", "Length", 8, 8),
      field::number("ipv6.opt.jumbo", "Payload length", 16, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t payload_length() const noexcept { return get<"ipv6.opt.jumbo">(); }
};

/// The address by which a mobile node is known.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |     Length    |                               |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                          Home address                         |
//   +                                                               +
//   |                                                               |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6OptionHomeAddress : HeaderView<Ipv6OptionHomeAddress> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6OptionHomeAddress;
  static constexpr std::string_view kName = "ipv6.opt";
  static constexpr std::string_view kTitle = "IPv6 home address";
  static constexpr std::string_view kReference = "RFC 6275 6.3";
  static constexpr std::size_t kSize = 18;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("ipv6.opt.type", "Type", 0, 8).named(kIpv6OptionNames),
      field::number("ipv6.opt.type.action", "Action", 0, 2).part(),
      field::flag("ipv6.opt.type.change", "May change on the way", 2).part(),
      field::hex("ipv6.opt.type.rest", "Low-order bits", 3, 5).digits(2).part(),
      field::number("ipv6.opt.length", "Length", 8, 8),
      field::ipv6("ipv6.opt.mipv6.home_address", "Home address", 16),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
