// Datagram Extended Transport Header, IBTA 9.3.2.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Q_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                     SrcQP                     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct Deth : HeaderView<Deth> {
  static constexpr HeaderKind kKind = HeaderKind::kDeth;
  static constexpr std::string_view kName = "infiniband.deth";
  static constexpr std::string_view kTitle = "Datagram Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.2";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("infiniband.deth.q_key", "Queue key", 0, 32).digits(16),
      field::number("infiniband.deth.reserved8", "Reserved", 32, 8),
      field::hex("infiniband.deth.srcqp", "Source queue pair", 40, 24).digits(8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t q_key() const noexcept { return get<"infiniband.deth.q_key">(); }
  [[nodiscard]] constexpr Qpn src_qp() const noexcept { return Qpn(get<"infiniband.deth.srcqp">()); }
};

}  // namespace rocescope
