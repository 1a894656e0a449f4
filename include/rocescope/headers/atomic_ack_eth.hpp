// Atomic Acknowledge Extended Transport Header, IBTA 9.3.5.3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Original remote data                     |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct AtomicAckEth : HeaderView<AtomicAckEth> {
  static constexpr HeaderKind kKind = HeaderKind::kAtomicAckEth;
  static constexpr std::string_view kName = "infiniband.atomicacketh";
  static constexpr std::string_view kTitle = "Atomic Acknowledge Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.5";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("infiniband.atomicacketh.origremdt", "Original remote data", 0, 64),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint64_t original() const noexcept { return get<"infiniband.atomicacketh.origremdt">(); }
};

}  // namespace rocescope
