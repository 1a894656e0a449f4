// VLAN tags, IEEE 802.1Q 9.6. A run of tags is one layer. Wireshark shows service tags (0x88A8, 802.1ad) that follow
// each other in pairs, so such a pair is a header of its own here.
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
  static constexpr bool holds_length(const std::uint8_t* header) {
    return load_bits(header, 16, 16) < ether_type::kFirst;
  }
  static constexpr bool holds_type(const std::uint8_t* header) { return !holds_length(header); }
  static constexpr Field kFields[] = {
      field::number("vlan.priority", "Priority code point", 0, 3),
      field::flag("vlan.dei", "Drop eligible indicator", 3),
      field::number("vlan.id", "VLAN ID", 4, 12),
      field::number("vlan.len", "Length", 16, 16).when(holds_length),
      field::hex("vlan.etype", "Type", 16, 16).named(kEtherTypeNames).when(holds_type),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t priority() const noexcept { return get<"vlan.priority">(); }
  [[nodiscard]] constexpr std::uint16_t id() const noexcept { return get<"vlan.id">(); }
  /// Or the length of what follows, up to ether_type::kMaxLength.
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"vlan.etype">(); }
};

/// A service tag after which no other service tag comes.
struct ServiceVlan : HeaderView<ServiceVlan> {
  static constexpr HeaderKind kKind = HeaderKind::kServiceVlan;
  static constexpr std::string_view kName = "ieee8021ad";
  static constexpr std::string_view kTitle = "802.1ad service VLAN tag";
  static constexpr std::string_view kReference = "IEEE 802.1Q 9.6";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("ieee8021ad.priority", "Priority code point", 0, 3),
      field::number("ieee8021ad.dei", "Drop eligible indicator", 3, 1),
      field::number("ieee8021ad.id", "VLAN ID", 4, 12),
      field::hex("rocescope.ieee8021ad.etype", "Type or length", 16, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t id() const noexcept { return get<"ieee8021ad.id">(); }
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"rocescope.ieee8021ad.etype">(); }
};

/// Two service tags, one after the other.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | PCP |D|      Service VID      |         Type (0x88A8)         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | PCP |D|      Customer VID     |         Type or length        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct ServiceVlanPair : HeaderView<ServiceVlanPair> {
  static constexpr HeaderKind kKind = HeaderKind::kServiceVlanPair;
  static constexpr std::string_view kName = "ieee8021ad";
  static constexpr std::string_view kTitle = "802.1ad service and customer VLAN tags";
  static constexpr std::string_view kReference = "IEEE 802.1Q 9.6";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kRepeats = true;
  static constexpr Field kFields[] = {
      field::number("ieee8021ad.priority", "Priority code point", 0, 3),
      field::number("ieee8021ad.dei", "Drop eligible indicator", 3, 1),
      field::number("ieee8021ad.svid", "Service VLAN ID", 4, 12),
      field::hex("rocescope.ieee8021ad.etype", "Type", 16, 16).named(kEtherTypeNames),
      field::number("ieee8021ad.priority", "Priority code point", 32, 3),
      field::number("ieee8021ad.dei", "Drop eligible indicator", 35, 1),
      field::number("ieee8021ad.cvid", "Customer VLAN ID", 36, 12),
      field::hex("rocescope.ieee8021ad.etype", "Type or length", 48, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t service_id() const noexcept { return get<"ieee8021ad.svid">(); }
  [[nodiscard]] constexpr std::uint16_t customer_id() const noexcept { return get<"ieee8021ad.cvid">(); }
  /// What follows the second tag.
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept {
    return static_cast<std::uint16_t>(load_bits(bytes().data(), 48, 16));
  }
};

}  // namespace rocescope
