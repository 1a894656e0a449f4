// What follows the BTH of a congestion notification packet, IBTA A17.9.3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                            Reserved                           |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct CnpReserved : HeaderView<CnpReserved> {
  static constexpr HeaderKind kKind = HeaderKind::kCnpReserved;
  static constexpr std::string_view kName = "infiniband.cnp";
  static constexpr std::string_view kTitle = "Congestion Notification Packet";
  static constexpr std::string_view kReference = "IBTA A17.9.3";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.cnp.reserved16", "Reserved", 0, 128),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
