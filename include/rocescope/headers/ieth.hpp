// Invalidate Extended Transport Header, IBTA 9.3.7.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             R_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct Ieth : HeaderView<Ieth> {
  static constexpr HeaderKind kKind = HeaderKind::kIeth;
  static constexpr std::string_view kName = "infiniband.ieth";
  static constexpr std::string_view kTitle = "Invalidate Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.7";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.ieth", "R_Key to invalidate", 0, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto r_key() const noexcept { return get<"infiniband.ieth">(); }
};

}  // namespace rocescope
