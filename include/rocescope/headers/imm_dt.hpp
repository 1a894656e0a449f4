// Immediate Data, IBTA 9.3.6.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Immediate data                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct ImmDt : HeaderView<ImmDt> {
  static constexpr HeaderKind kKind = HeaderKind::kImmDt;
  static constexpr std::string_view kName = "infiniband.immdt";
  static constexpr std::string_view kTitle = "Immediate Data";
  static constexpr std::string_view kReference = "IBTA 9.3.6";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.immdt", "Immediate data", 0, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto immediate() const noexcept { return get<"infiniband.immdt">(); }
};

}  // namespace rocescope
