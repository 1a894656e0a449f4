// Control word of an Ethernet pseudowire, RFC 4448 4.6: between the bottom of an MPLS label stack and the Ethernet
// header.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Zero |        Reserved       |        Sequence number        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct PseudowireControl : HeaderView<PseudowireControl> {
  static constexpr HeaderKind kKind = HeaderKind::kPseudowireControl;
  static constexpr std::string_view kName = "pweth.cw";
  static constexpr std::string_view kTitle = "Ethernet pseudowire control word";
  static constexpr std::string_view kReference = "RFC 4448 4.6";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("rocescope.pweth.cw.zero", "Zero", 0, 4),
      field::hex("rocescope.pweth.cw.reserved", "Reserved", 4, 12),
      field::number("pweth.cw.sequence_number", "Sequence number", 16, 16),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
