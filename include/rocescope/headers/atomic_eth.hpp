// Atomic Extended Transport Header, IBTA 9.3.4.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Virtual address                        |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             R_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Swap or add data                       |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Compare data                         |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct AtomicEth : HeaderView<AtomicEth> {
  static constexpr HeaderKind kKind = HeaderKind::kAtomicEth;
  static constexpr std::string_view kName = "infiniband.atomiceth";
  static constexpr std::string_view kTitle = "Atomic Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.4";
  static constexpr std::size_t kSize = 28;
  static constexpr Field kFields[] = {
      field::hex("infiniband.reth.va", "Virtual address", 0, 64),
      field::hex("infiniband.reth.r_key", "Remote key", 64, 32),
      field::number("infiniband.atomiceth.swapdt", "Swap or add data", 96, 64),
      field::number("infiniband.atomiceth.cmpdt", "Compare data", 160, 64),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint64_t virtual_address() const noexcept { return get<"infiniband.reth.va">(); }
  [[nodiscard]] constexpr std::uint32_t r_key() const noexcept { return get<"infiniband.reth.r_key">(); }
  [[nodiscard]] constexpr std::uint64_t swap_or_add() const noexcept { return get<"infiniband.atomiceth.swapdt">(); }
  [[nodiscard]] constexpr std::uint64_t compare() const noexcept { return get<"infiniband.atomiceth.cmpdt">(); }
};

}  // namespace rocescope
