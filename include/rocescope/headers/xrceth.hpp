// XRC Extended Transport Header, IBTA A14.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                    XRC SRQ                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct Xrceth : HeaderView<Xrceth> {
  static constexpr HeaderKind kKind = HeaderKind::kXrceth;
  static constexpr std::string_view kName = "infiniband.xrceth";
  static constexpr std::string_view kTitle = "XRC Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA A14";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("infiniband.xrceth.reserved8", "Reserved", 0, 8),
      field::hex("infiniband.xrceth.xrcsrq", "XRC shared receive queue", 8, 24),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t xrc_srq() const noexcept { return get<"infiniband.xrceth.xrcsrq">(); }
};

}  // namespace rocescope
