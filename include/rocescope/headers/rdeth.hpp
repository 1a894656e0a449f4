// Reliable Datagram Extended Transport Header, IBTA 9.3.1.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                   EE context                  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct Rdeth : HeaderView<Rdeth> {
  static constexpr HeaderKind kKind = HeaderKind::kRdeth;
  static constexpr std::string_view kName = "infiniband.rdeth";
  static constexpr std::string_view kTitle = "Reliable Datagram Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.1";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("infiniband.rdeth.reserved8", "Reserved", 0, 8),
      field::number("infiniband.rdeth.eecnxt", "End-to-end context", 8, 24),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t ee_context() const noexcept { return get<"infiniband.rdeth.eecnxt">(); }
};

}  // namespace rocescope
