// Virtual eXtensible Local Area Network, RFC 7348 5, with the group policy bits of draft-smith-vxlan-group-policy:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |G| Rsv |I|  Rsvd |D| Rs|A| Rsv |        Group policy ID        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      VNI                      |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// and its Generic Protocol Extension, draft-ietf-nvo3-vxlan-gpe:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |R|R|Ver|I|P|B|O|            Reserved           | Next protocol |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      VNI                      |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// I: the VNI is valid. P: the next protocol is. D: don't learn. A: policy applied. O: OAM.
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

/// What follows a VXLAN-GPE header.
namespace vxlan_next_protocol {
inline constexpr std::uint8_t kIpv4 = 1;
inline constexpr std::uint8_t kIpv6 = 2;
inline constexpr std::uint8_t kEthernet = 3;
inline constexpr std::uint8_t kMpls = 5;
}  // namespace vxlan_next_protocol

inline constexpr ValueName kVxlanNextProtocolNames[] = {{1, 1, "IPv4"}, {2, 2, "IPv6"}, {3, 3, "Ethernet"},
                                                        {4, 4, "NSH"},  {5, 5, "MPLS"}, {0x82, 0x82, "INT"}};

struct Vxlan : HeaderView<Vxlan> {
  static constexpr HeaderKind kKind = HeaderKind::kVxlan;
  static constexpr std::string_view kName = "vxlan";
  static constexpr std::string_view kTitle = "Virtual eXtensible Local Area Network";
  static constexpr std::string_view kReference = "RFC 7348";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("vxlan.flags", "Flags", 0, 16),
      field::flag("vxlan.flag_g", "Group policy ID is valid", 0).part(),
      field::number("rocescope.vxlan.reserved", "Reserved", 1, 3).part(),
      field::flag("vxlan.flag_i", "VNI is valid", 4).part(),
      field::number("rocescope.vxlan.reserved", "Reserved", 5, 4).part(),
      field::flag("vxlan.flag_d", "Don't learn", 9).part(),
      field::number("rocescope.vxlan.reserved", "Reserved", 10, 2).part(),
      field::flag("vxlan.flag_a", "Policy applied", 12).part(),
      field::number("rocescope.vxlan.reserved", "Reserved", 13, 3).part(),
      field::number("vxlan.gbp", "Group policy ID", 16, 16),
      field::number("vxlan.vni", "VNI", 32, 24),
      field::number("vxlan.reserved8", "Reserved", 56, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool vni_is_valid() const noexcept { return get<"vxlan.flag_i">(); }
  [[nodiscard]] constexpr std::uint32_t vni() const noexcept { return get<"vxlan.vni">(); }
};

struct VxlanGpe : HeaderView<VxlanGpe> {
  static constexpr HeaderKind kKind = HeaderKind::kVxlanGpe;
  static constexpr std::string_view kName = "vxlan_gpe";
  static constexpr std::string_view kTitle = "VXLAN Generic Protocol Extension";
  static constexpr std::string_view kReference = "draft-ietf-nvo3-vxlan-gpe";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("vxlan.flags", "Flags", 0, 8),
      field::number("rocescope.vxlan.reserved", "Reserved", 0, 2).part(),
      field::number("vxlan.ver", "Version", 2, 2).part(),
      field::number("vxlan.i_bit", "VNI is valid", 4, 1).part(),
      field::number("vxlan.p_bit", "Next protocol is valid", 5, 1).part(),
      field::number("rocescope.vxlan.b_bit", "Broadcast, unknown unicast or multicast", 6, 1).part(),
      field::number("vxlan.o_bit", "OAM", 7, 1).part(),
      field::number("vxlan.reserved_16", "Reserved", 8, 16),
      field::number("vxlan.next_proto", "Next protocol", 24, 8).named(kVxlanNextProtocolNames),
      field::number("vxlan.vni", "VNI", 32, 24),
      field::number("vxlan.reserved8", "Reserved", 56, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool vni_is_valid() const noexcept { return get<"vxlan.i_bit">() != 0; }
  [[nodiscard]] constexpr bool next_protocol_is_valid() const noexcept { return get<"vxlan.p_bit">() != 0; }
  [[nodiscard]] constexpr std::uint8_t next_protocol() const noexcept { return get<"vxlan.next_proto">(); }
  [[nodiscard]] constexpr std::uint32_t vni() const noexcept { return get<"vxlan.vni">(); }
};

}  // namespace rocescope
