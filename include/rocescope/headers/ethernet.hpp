// Ethernet, IEEE 802.3 clause 3: with a type (Ethernet II) or a length (followed by an LLC header, llc.hpp).
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
  static constexpr std::string_view kTitle = "Ethernet";
  static constexpr std::string_view kReference = "IEEE 802.3";
  static constexpr std::size_t kSize = 14;
  static constexpr bool holds_length(const std::uint8_t* header) {
    return load_bits(header, 96, 16) <= ether_type::kMaxLength;
  }
  static constexpr bool holds_type(const std::uint8_t* header) {
    return load_bits(header, 96, 16) >= ether_type::kFirst;
  }
  static constexpr bool holds_nothing(const std::uint8_t* header) {
    return !holds_length(header) && !holds_type(header);
  }
  static constexpr Field kFields[] = {
      field::mac("eth.dst", "Destination", 0).also("eth.addr"),
      field::mac("eth.src", "Source", 48).also("eth.addr"),
      field::number("eth.len", "Length", 96, 16).when(holds_length),
      field::hex("eth.invalid_lentype", "Invalid length or type", 96, 16).when(holds_nothing),
      field::hex("eth.type", "Type", 96, 16).named(kEtherTypeNames).when(holds_type),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto destination() const noexcept { return get<"eth.dst">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"eth.src">(); }
  /// Or the length of what follows, up to ether_type::kMaxLength.
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"eth.type">(); }
};

}  // namespace rocescope
