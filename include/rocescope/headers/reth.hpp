// RDMA Extended Transport Header, IBTA 9.3.3.
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
//   |                             DMALen                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct Reth : HeaderView<Reth> {
  static constexpr HeaderKind kKind = HeaderKind::kReth;
  static constexpr std::string_view kName = "infiniband.reth";
  static constexpr std::string_view kTitle = "RDMA Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.3";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::hex("infiniband.reth.va", "Virtual address", 0, 64),
      field::hex("infiniband.reth.r_key", "Remote key", 64, 32),
      field::number("infiniband.reth.dmalen", "DMA length", 96, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint64_t virtual_address() const noexcept { return get<"infiniband.reth.va">(); }
  [[nodiscard]] constexpr std::uint32_t r_key() const noexcept { return get<"infiniband.reth.r_key">(); }
  [[nodiscard]] constexpr std::uint32_t dma_length() const noexcept { return get<"infiniband.reth.dmalen">(); }
};

}  // namespace rocescope
