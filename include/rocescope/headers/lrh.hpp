// Local Route Header, IBTA 7.7: native InfiniBand only.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   VL  |  LVer |   SL  | RR|LNH|              DLID             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Resv5  |        PktLen       |              SLID             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// RR: reserved. PktLen counts 4-byte words from the first byte of the LRH to the last before the VCRC.
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

inline constexpr ValueName kLnhNames[] = {
    {0, 0, "raw"}, {1, 1, "raw, IPv6 follows"}, {2, 2, "BTH follows"}, {3, 3, "GRH follows"}};

struct Lrh : HeaderView<Lrh> {
  static constexpr HeaderKind kKind = HeaderKind::kLrh;
  static constexpr std::string_view kName = "infiniband.lrh";
  static constexpr std::string_view kTitle = "Local Route Header";
  static constexpr std::string_view kReference = "IBTA 7.7";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("infiniband.lrh.vl", "Virtual lane", 0, 4).digits(2),
      field::number("infiniband.lrh.lver", "Link version", 4, 4),
      field::number("infiniband.lrh.sl", "Service level", 8, 4),
      field::number("infiniband.lrh.reserved2", "Reserved", 12, 2),
      field::hex("infiniband.lrh.lnh", "Link next header", 14, 2).digits(2).named(kLnhNames),
      field::number("infiniband.lrh.dlid", "Destination local ID", 16, 16),
      field::number("infiniband.lrh.reserved5", "Reserved", 32, 5),
      field::number("infiniband.lrh.pktlen", "Packet length in words", 37, 11),
      field::number("infiniband.lrh.slid", "Source local ID", 48, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"infiniband.lrh.lnh">(); }
  [[nodiscard]] constexpr std::uint16_t packet_words() const noexcept { return get<"infiniband.lrh.pktlen">(); }
  [[nodiscard]] constexpr std::uint16_t destination_lid() const noexcept { return get<"infiniband.lrh.dlid">(); }
  [[nodiscard]] constexpr std::uint16_t source_lid() const noexcept { return get<"infiniband.lrh.slid">(); }
};

}  // namespace rocescope
