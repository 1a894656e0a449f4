// VLAN tag, IEEE 802.1Q 9.6 (802.1ad tags look the same). A run of tags is one layer.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | PCP |D|          VID          |         Type or length        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// D: drop eligible indicator.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

struct Vlan : HeaderView<Vlan> {
  static constexpr HeaderKind kKind = HeaderKind::kVlan;
  static constexpr std::string_view kName = "vlan";
  static constexpr std::string_view kTitle = "802.1Q VLAN tag";
  static constexpr std::string_view kReference = "IEEE 802.1Q 9.6";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr Field kFields[] = {
      field::number("vlan.priority", "Priority code point", 0, 3),
      field::flag("vlan.dei", "Drop eligible indicator", 3),
      field::number("vlan.id", "VLAN ID", 4, 12),
      field::hex("vlan.etype", "Type", 16, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t priority() const noexcept { return get<"vlan.priority">(); }
  [[nodiscard]] constexpr std::uint16_t id() const noexcept { return get<"vlan.id">(); }
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"vlan.etype">(); }
};

}  // namespace rocescope
