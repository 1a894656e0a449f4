// Raw Header, IBTA 5.3: after the LRH of a packet that is not InfiniBand's own, an EtherType.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Reserved           |           EtherType           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

struct Rwh : HeaderView<Rwh> {
  static constexpr HeaderKind kKind = HeaderKind::kRwh;
  static constexpr std::string_view kName = "infiniband.rwh";
  static constexpr std::string_view kTitle = "Raw Header";
  static constexpr std::string_view kReference = "IBTA 5.3";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::hex("rocescope.rwh.reserved", "Reserved", 0, 16),
      field::hex("infiniband.rwh.etype", "EtherType", 16, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"infiniband.rwh.etype">(); }
};

}  // namespace rocescope
