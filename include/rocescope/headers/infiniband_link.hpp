// InfiniBand link packet: flow control between the two ends of a link, IBTA 7.9.4. Counts are in blocks of 64 bytes.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Op  |         FCTBS         |   VL  |          FCCL         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             LPCRC             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

inline constexpr ValueName kLinkOperandNames[] = {
    {0, 0, "flow control"}, {1, 1, "flow control initialization"}, {2, 15, "reserved"}};

struct InfinibandLink : HeaderView<InfinibandLink> {
  static constexpr HeaderKind kKind = HeaderKind::kInfinibandLink;
  static constexpr std::string_view kName = "infiniband_link";
  static constexpr std::string_view kTitle = "InfiniBand Link Packet";
  static constexpr std::string_view kReference = "IBTA 7.9.4";
  static constexpr std::size_t kSize = 6;
  static constexpr Field kFields[] = {
      field::number("infiniband_link.op", "Operand", 0, 4).named(kLinkOperandNames),
      field::number("infiniband_link.fctbs", "Flow control total blocks sent", 4, 12),
      field::number("infiniband_link.vl", "Virtual lane", 16, 4),
      field::number("infiniband_link.fccl", "Flow control credit limit", 20, 12),
      field::hex("infiniband_link.lpcrc", "Link packet CRC", 32, 16),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
