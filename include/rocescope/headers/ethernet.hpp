// Ethernet and what stands directly behind it: VLAN tags, LLC and SNAP, ARP.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

// Ethernet, IEEE 802.3 clause 3: with a type (Ethernet II) or a length (followed by an LLC header).
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

// Logical Link Control, IEEE 802.2: what follows an Ethernet length instead of an EtherType.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      DSAP     |      SSAP     |    Control    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

inline constexpr ValueName kSapNames[] = {{0x06, 0x06, "IP"},      {0x42, 0x42, "spanning tree"},
                                          {0xAA, 0xAA, "SNAP"},    {0xE0, 0xE0, "NetWare"},
                                          {0xF0, 0xF0, "NetBIOS"}, {0xFE, 0xFE, "ISO network layer"}};

/// Unnumbered: the control field has one byte.
struct Llc : HeaderView<Llc> {
  static constexpr HeaderKind kKind = HeaderKind::kLlc;
  static constexpr std::string_view kName = "llc";
  static constexpr std::string_view kTitle = "Logical Link Control";
  static constexpr std::string_view kReference = "IEEE 802.2";
  static constexpr std::size_t kSize = 3;
  static constexpr Field kFields[] = {
      field::hex("llc.dsap", "Destination service access point", 0, 8).named(kSapNames),
      field::hex("llc.ssap", "Source service access point", 8, 8).named(kSapNames),
      field::hex("llc.control", "Control", 16, 8).digits(4),
  };
  using HeaderView::HeaderView;

  /// Both access points in one number: 0xAAAA announces a SNAP header.
  [[nodiscard]] constexpr std::uint16_t access_points() const noexcept {
    return static_cast<std::uint16_t>((get<"llc.dsap">() << 8) | get<"llc.ssap">());
  }
};

/// Information and supervisory frames: the control field has two bytes, the lower first.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      DSAP     |      SSAP     |            Control            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LlcNumbered : HeaderView<LlcNumbered> {
  static constexpr HeaderKind kKind = HeaderKind::kLlcNumbered;
  static constexpr std::string_view kName = "llc";
  static constexpr std::string_view kTitle = "Logical Link Control, numbered";
  static constexpr std::string_view kReference = "IEEE 802.2";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::hex("llc.dsap", "Destination service access point", 0, 8).named(kSapNames),
      field::hex("llc.ssap", "Source service access point", 8, 8).named(kSapNames),
      field::hex("llc.control", "Control", 16, 16).little_endian(),
  };
  using HeaderView::HeaderView;
};

/// Subnetwork Access Protocol, IEEE 802 9.2.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Organization code               |    Protocol   |
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |
//   +-+-+-+-+-+-+-+-+
struct Snap : HeaderView<Snap> {
  static constexpr HeaderKind kKind = HeaderKind::kSnap;
  static constexpr std::string_view kName = "llc";
  static constexpr std::string_view kTitle = "Subnetwork Access Protocol";
  static constexpr std::string_view kReference = "IEEE 802 9.2";
  static constexpr std::size_t kSize = 5;
  static constexpr bool kContinues = true;
  /// RFC 1042, and the bridges' 802.1H.
  static constexpr bool is_ether_type(const std::uint8_t* header) {
    return load_bits(header, 0, 24) == 0 || load_bits(header, 0, 24) == 0xF8;
  }
  static constexpr bool is_cisco(const std::uint8_t* header) { return load_bits(header, 0, 24) == 0x0C; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_ether_type(header) && !is_cisco(header); }
  static constexpr Field kFields[] = {
      field::number("llc.oui", "Organization code", 0, 24),
      field::hex("llc.type", "Type", 24, 16).named(kEtherTypeNames).when(is_ether_type),
      field::hex("llc.cisco_pid", "Protocol of Cisco", 24, 16).when(is_cisco),
      field::hex("llc.pid", "Protocol", 24, 16).when(is_other),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool has_ether_type() const noexcept { return is_ether_type(bytes().data()); }
  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"llc.type">(); }
};

// Address Resolution Protocol, RFC 826.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Hardware type         |         Protocol type         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Hardware size | Protocol size |             Opcode            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

inline constexpr ValueName kArpOpcodeNames[] = {{1, 1, "request"},         {2, 2, "reply"},
                                                {3, 3, "reverse request"}, {4, 4, "reverse reply"},
                                                {8, 8, "inverse request"}, {9, 9, "inverse reply"}};

/// Whose addresses it resolves: an EtherType that announces nothing, unlike those of kEtherTypeNames.
inline constexpr ValueName kArpProtocolNames[] = {{0x0800, 0x0800, "IPv4"}};

struct Arp : HeaderView<Arp> {
  static constexpr HeaderKind kKind = HeaderKind::kArp;
  static constexpr std::string_view kName = "arp";
  static constexpr std::string_view kTitle = "Address Resolution Protocol";
  static constexpr std::string_view kReference = "RFC 826";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("arp.hw.type", "Hardware type", 0, 16),
      field::hex("arp.proto.type", "Protocol type", 16, 16).named(kArpProtocolNames),
      field::number("arp.hw.size", "Hardware size", 32, 8),
      field::number("arp.proto.size", "Protocol size", 40, 8),
      field::number("arp.opcode", "Opcode", 48, 16).named(kArpOpcodeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t hardware_size() const noexcept { return get<"arp.hw.size">(); }
  [[nodiscard]] constexpr std::uint8_t protocol_size() const noexcept { return get<"arp.proto.size">(); }
  /// Whether the addresses are those of Ethernet and IPv4.
  [[nodiscard]] constexpr bool ethernet_ipv4() const noexcept {
    return get<"arp.hw.type">() == 1 && get<"arp.proto.type">() == ether_type::kIpv4 && hardware_size() == 6 &&
           protocol_size() == 4;
  }
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Sender MAC address                      |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |       Sender IP address       |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |                               |
//   +                                                               +
//   |                       Target MAC address                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Target IP address                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct ArpEthernetIpv4 : HeaderView<ArpEthernetIpv4> {
  static constexpr HeaderKind kKind = HeaderKind::kArpEthernetIpv4;
  static constexpr std::string_view kName = "arp";
  static constexpr std::string_view kTitle = "ARP addresses";
  static constexpr std::string_view kReference = "RFC 826";
  static constexpr std::size_t kSize = 20;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::mac("arp.src.hw_mac", "Sender MAC address", 0),
      field::ipv4("arp.src.proto_ipv4", "Sender IP address", 48),
      field::mac("arp.dst.hw_mac", "Target MAC address", 80),
      field::ipv4("arp.dst.proto_ipv4", "Target IP address", 128),
  };
  using HeaderView::HeaderView;
};

/// Of other hardware and protocols.
struct ArpAddresses : HeaderView<ArpAddresses> {
  static constexpr HeaderKind kKind = HeaderKind::kArpAddresses;
  static constexpr std::string_view kName = "rocescope.arp";
  static constexpr std::string_view kTitle = "ARP addresses";
  static constexpr std::string_view kReference = "RFC 826";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.arp.addresses", "Addresses", 0),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
