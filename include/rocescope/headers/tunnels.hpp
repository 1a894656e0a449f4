// Tunnels other than GRE: VXLAN, Geneve, MPLS and its control word, EtherIP.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tunnels/gre.hpp"

namespace rocescope {

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

// Generic Network Virtualization Encapsulation, RFC 8926 3.4:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |Ver|  Opt len  |O|C|    Rsvd   |            Protocol           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      VNI                      |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// and its options, RFC 8926 3.5:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Option class         |C|     Type    | Rsv |  Length |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                 Data, length words of 4 bytes                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// O: a control packet. C: options that a receiver must know are present; the option is one.

struct Geneve : HeaderView<Geneve> {
  static constexpr HeaderKind kKind = HeaderKind::kGeneve;
  static constexpr std::string_view kName = "geneve";
  static constexpr std::string_view kTitle = "Generic Network Virtualization Encapsulation";
  static constexpr std::string_view kReference = "RFC 8926 3.4";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("geneve.version", "Version", 0, 2),
      field::number("geneve.option.length", "Length of the options", 2, 6).times(4),
      field::hex("geneve.flags", "Flags", 8, 8),
      field::flag("geneve.flags.oam", "Control packet", 8).part(),
      field::flag("geneve.flags.critical", "Critical options present", 9).part(),
      field::hex("rocescope.geneve.flags.reserved", "Reserved", 10, 6).part(),
      field::hex("geneve.proto_type", "Protocol", 16, 16).named(kEtherTypeNames),
      field::hex("geneve.vni", "VNI", 32, 24),
      field::hex("geneve.reserved", "Reserved", 56, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"geneve.version">(); }
  [[nodiscard]] constexpr std::uint8_t option_words() const noexcept { return get<"geneve.option.length">(); }
  [[nodiscard]] constexpr std::uint16_t protocol() const noexcept { return get<"geneve.proto_type">(); }
  [[nodiscard]] constexpr std::uint32_t vni() const noexcept { return get<"geneve.vni">(); }
};

struct GeneveOption : HeaderView<GeneveOption> {
  static constexpr HeaderKind kKind = HeaderKind::kGeneveOption;
  static constexpr std::string_view kName = "geneve.option";
  static constexpr std::string_view kTitle = "GENEVE option";
  static constexpr std::string_view kReference = "RFC 8926 3.5";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr bool has_data(const std::uint8_t* header) { return (header[3] & 0x1F) != 0; }
  static constexpr Field kFields[] = {
      field::bytes("geneve.option", "Option", 0),
      field::hex("geneve.option.class", "Class", 0, 16).part(),
      field::hex("geneve.option.type", "Type", 16, 8).part(),
      field::flag("geneve.option.type.critical", "Critical", 16).part(2),
      field::number("rocescope.geneve.option.type.number", "Number", 17, 7).part(2),
      field::hex("geneve.option.flags", "Flags", 24, 3).part().digits(2),
      field::number("geneve.option.length", "Length", 27, 5).part().times(4).plus(4),
      field::bytes("geneve.option.unknown.data", "Data", 32).part().when(has_data),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t data_words() const noexcept { return get<"geneve.option.length">(); }
};

// MPLS label stack entry, RFC 3032 2.1. A stack of labels is one layer.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                 Label                 |  TC |S|      TTL      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// TC: traffic class (once experimental bits). S: bottom of the stack.

/// Special-purpose labels (IANA).
inline constexpr ValueName kMplsLabelNames[] = {
    {0, 0, "IPv4 explicit null"}, {1, 1, "router alert"},  {2, 2, "IPv6 explicit null"},
    {3, 3, "implicit null"},      {7, 7, "entropy label"}, {13, 13, "generic associated channel"},
    {14, 14, "OAM alert"},        {15, 15, "extension"},
};

struct Mpls : HeaderView<Mpls> {
  static constexpr HeaderKind kKind = HeaderKind::kMpls;
  static constexpr std::string_view kName = "mpls";
  static constexpr std::string_view kTitle = "MPLS label";
  static constexpr std::string_view kReference = "RFC 3032";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr Field kFields[] = {
      field::number("mpls.label", "Label", 0, 20).named(kMplsLabelNames),
      field::number("mpls.exp", "Traffic class", 20, 3),
      field::number("mpls.bottom", "Bottom of stack", 23, 1),
      field::number("mpls.ttl", "Time to live", 24, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool is_bottom() const noexcept { return get<"mpls.bottom">() != 0; }
};

// Control word of an Ethernet pseudowire, RFC 4448 4.6: between the bottom of an MPLS label stack and the Ethernet
// header.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Zero |        Reserved       |        Sequence number        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct PseudowireControl : HeaderView<PseudowireControl> {
  static constexpr HeaderKind kKind = HeaderKind::kPseudowireControl;
  static constexpr std::string_view kName = "pweth.cw";
  static constexpr std::string_view kTitle = "Ethernet pseudowire control word";
  static constexpr std::string_view kReference = "RFC 4448 4.6";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("rocescope.pweth.cw.zero", "Zero", 0, 4),
      field::hex("rocescope.pweth.cw.reserved", "Reserved", 4, 12),
      field::number("pweth.cw.sequence_number", "Sequence number", 16, 16),
  };
  using HeaderView::HeaderView;
};

// Ethernet in IP, RFC 3378.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Ver  |        Reserved       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct EtherIp : HeaderView<EtherIp> {
  static constexpr HeaderKind kKind = HeaderKind::kEtherIp;
  static constexpr std::string_view kName = "etherip";
  static constexpr std::string_view kTitle = "Ethernet within IP";
  static constexpr std::string_view kReference = "RFC 3378";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::number("etherip.ver", "Version", 0, 4),
      field::hex("etherip.reserved", "Reserved", 4, 12).digits(4),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"etherip.ver">(); }
};

}  // namespace rocescope
