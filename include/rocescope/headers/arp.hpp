// Address Resolution Protocol, RFC 826.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Hardware type         |         Protocol type         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Hardware size | Protocol size |             Opcode            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

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
