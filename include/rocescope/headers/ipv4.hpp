// Internet Protocol version 4, RFC 791 3.1; the second byte as RFC 2474 and 3168 have it.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Ver  |  IHL  |    DSCP   |ECN|          Total length         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Identification        |R|D|M|     Fragment offset     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Time to live |    Protocol   |        Header checksum        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Source address                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Destination address                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// R: reserved. D: do not fragment. M: more fragments. Options follow up to four times IHL bytes: ipv4_options.hpp.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

struct Ipv4 : HeaderView<Ipv4> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv4;
  static constexpr std::string_view kName = "ip";
  static constexpr std::string_view kTitle = "Internet Protocol version 4";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 20;
  static constexpr Field kFields[] = {
      field::number("ip.version", "Version", 0, 4),
      field::number("ip.hdr_len", "Header length", 4, 4).times(4),
      field::hex("ip.dsfield", "Differentiated services field", 8, 8),
      field::number("ip.dsfield.dscp", "Differentiated services code point", 8, 6).part().named(kDscpNames),
      field::number("ip.dsfield.ecn", "Explicit congestion notification", 14, 2).part().named(kEcnNames),
      field::number("ip.len", "Total length", 16, 16),
      field::hex("ip.id", "Identification", 32, 16),
      field::hex("ip.flags", "Flags", 48, 3).digits(2),
      field::flag("ip.flags.rb", "Reserved bit", 48).part(),
      field::flag("ip.flags.df", "Don't fragment", 49).part(),
      field::flag("ip.flags.mf", "More fragments", 50).part(),
      field::number("ip.frag_offset", "Fragment offset in 8 bytes", 51, 13),
      field::number("ip.ttl", "Time to live", 64, 8),
      field::number("ip.proto", "Protocol", 72, 8).named(kIpProtocolNames),
      field::hex("ip.checksum", "Header checksum", 80, 16),
      field::ipv4("ip.src", "Source address", 96).also("ip.addr"),
      field::ipv4("ip.dst", "Destination address", 128).also("ip.addr"),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"ip.version">(); }
  [[nodiscard]] constexpr std::uint8_t header_words() const noexcept { return get<"ip.hdr_len">(); }
  [[nodiscard]] constexpr std::uint8_t traffic_class() const noexcept { return get<"ip.dsfield">(); }
  [[nodiscard]] constexpr std::uint16_t total_length() const noexcept { return get<"ip.len">(); }
  [[nodiscard]] constexpr std::uint16_t identification() const noexcept { return get<"ip.id">(); }
  [[nodiscard]] constexpr bool more_fragments() const noexcept { return get<"ip.flags.mf">(); }
  [[nodiscard]] constexpr std::uint16_t fragment_offset_words() const noexcept { return get<"ip.frag_offset">(); }
  [[nodiscard]] constexpr std::uint8_t protocol() const noexcept { return get<"ip.proto">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"ip.src">(); }
  [[nodiscard]] constexpr auto destination() const noexcept { return get<"ip.dst">(); }
};

}  // namespace rocescope
