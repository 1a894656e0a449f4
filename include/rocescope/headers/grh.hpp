// Global Route Header, IBTA 8.3: RoCEv1 and native InfiniBand; the layout of an IPv6 header.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | IPVer |     TClass    |               FlowLabel               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             PayLen            |     NxtHdr    |     HopLmt    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                              SGID                             |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                              DGID                             |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

inline constexpr ValueName kGrhNextHeaderNames[] = {{ip_protocol::kBth, ip_protocol::kBth, "BTH"}};

struct Grh : HeaderView<Grh> {
  static constexpr HeaderKind kKind = HeaderKind::kGrh;
  static constexpr std::string_view kName = "infiniband.grh";
  static constexpr std::string_view kTitle = "Global Route Header";
  static constexpr std::string_view kReference = "IBTA 8.3";
  static constexpr std::size_t kSize = 40;
  static constexpr Field kFields[] = {
      field::number("infiniband.grh.ipver", "IP version", 0, 4),
      field::number("infiniband.grh.tclass", "Traffic class", 4, 8),
      field::number("infiniband.grh.flowlabel", "Flow label", 12, 20),
      field::number("infiniband.grh.paylen", "Payload length", 32, 16),
      field::number("infiniband.grh.nxthdr", "Next header", 48, 8).named(kGrhNextHeaderNames),
      field::number("infiniband.grh.hoplmt", "Hop limit", 56, 8),
      field::ipv6("infiniband.grh.sgid", "Source GID", 64),
      field::ipv6("infiniband.grh.dgid", "Destination GID", 192),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t traffic_class() const noexcept { return get<"infiniband.grh.tclass">(); }
  [[nodiscard]] constexpr std::uint16_t payload_length() const noexcept { return get<"infiniband.grh.paylen">(); }
  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"infiniband.grh.nxthdr">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"infiniband.grh.sgid">(); }
  [[nodiscard]] constexpr auto destination() const noexcept { return get<"infiniband.grh.dgid">(); }
};

}  // namespace rocescope
