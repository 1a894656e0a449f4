// Ethernet II, IEEE 802.3 clause 3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Destination                          |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |                               |
//   +                                                               +
//   |                             Source                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Type or length        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

struct Ethernet : HeaderView<Ethernet> {
  static constexpr HeaderKind kKind = HeaderKind::kEthernet;
  static constexpr std::string_view kName = "eth";
  static constexpr std::string_view kTitle = "Ethernet II";
  static constexpr std::string_view kReference = "IEEE 802.3";
  static constexpr std::size_t kSize = 14;
  static constexpr Field kFields[] = {
      field::mac("eth.dst", "Destination", 0).also("eth.addr"),
      field::mac("eth.src", "Source", 48).also("eth.addr"),
      field::hex("eth.type", "Type", 96, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto destination() const noexcept { return get<"eth.dst">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"eth.src">(); }
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"eth.type">(); }
};

}  // namespace rocescope
