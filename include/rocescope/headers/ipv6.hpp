// Internet Protocol version 6, RFC 8200 3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Ver  |    DSCP   |ECN|               Flow label              |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Payload length        |  Next header  |   Hop limit   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                         Source address                        |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                      Destination address                      |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

struct Ipv6 : HeaderView<Ipv6> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6;
  static constexpr std::string_view kName = "ipv6";
  static constexpr std::string_view kTitle = "Internet Protocol version 6";
  static constexpr std::string_view kReference = "RFC 8200";
  static constexpr std::size_t kSize = 40;
  static constexpr Field kFields[] = {
      field::number("ipv6.version", "Version", 0, 4).also("ip.version"),
      field::hex("ipv6.tclass", "Traffic class", 4, 8).digits(8),
      field::number("ipv6.tclass.dscp", "Differentiated services code point", 4, 6).part().named(kDscpNames),
      field::number("ipv6.tclass.ecn", "Explicit congestion notification", 10, 2).part().named(kEcnNames),
      field::hex("ipv6.flow", "Flow label", 12, 20).digits(6),
      field::number("ipv6.plen", "Payload length", 32, 16),
      field::number("ipv6.nxt", "Next header", 48, 8).named(kIpProtocolNames),
      field::number("ipv6.hlim", "Hop limit", 56, 8),
      field::ipv6("ipv6.src", "Source address", 64).also("ipv6.addr"),
      field::ipv6("ipv6.dst", "Destination address", 192).also("ipv6.addr"),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"ipv6.version">(); }
  [[nodiscard]] constexpr std::uint8_t traffic_class() const noexcept { return get<"ipv6.tclass">(); }
  [[nodiscard]] constexpr std::uint16_t payload_length() const noexcept { return get<"ipv6.plen">(); }
  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"ipv6.nxt">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"ipv6.src">(); }
  [[nodiscard]] constexpr auto destination() const noexcept { return get<"ipv6.dst">(); }
};

}  // namespace rocescope
