// Numbers that several headers share: EtherTypes, IP protocols, UDP ports.
#pragma once

#include <cstdint>

#include "rocescope/field.hpp"

namespace rocescope {

/// EtherTypes (IEEE registry).
namespace ether_type {
inline constexpr std::uint16_t kMaxLength = 1500;  ///< up to here it is the length of an 802.3 frame
inline constexpr std::uint16_t kFirst = 0x0600;    ///< from here on it is a type
inline constexpr std::uint16_t kIpv4 = 0x0800;
inline constexpr std::uint16_t kArp = 0x0806;
inline constexpr std::uint16_t kTransparentEthernet = 0x6558;  ///< an Ethernet frame
inline constexpr std::uint16_t kVlan = 0x8100;
inline constexpr std::uint16_t kIpv6 = 0x86DD;
inline constexpr std::uint16_t kMacControl = 0x8808;
inline constexpr std::uint16_t kMpls = 0x8847;
inline constexpr std::uint16_t kMplsMulticast = 0x8848;
inline constexpr std::uint16_t kJumboLlc = 0x8870;  ///< an 802.3 frame too long for a length field
inline constexpr std::uint16_t kServiceVlan = 0x88A8;
inline constexpr std::uint16_t kLldp = 0x88CC;
inline constexpr std::uint16_t kMacsec = 0x88E5;
inline constexpr std::uint16_t kRoce = 0x8915;
inline constexpr std::uint16_t kQinQ = 0x9100;
inline constexpr std::uint16_t kQinQ2 = 0x9200;
inline constexpr std::uint16_t kArista = 0xD28B;
}  // namespace ether_type

inline constexpr ValueName kEtherTypeNames[] = {
    {0x0800, 0x0800, "IPv4"},
    {0x0806, 0x0806, "ARP"},
    {0x6558, 0x6558, "Transparent Ethernet bridging"},
    {0x8100, 0x8100, "802.1Q VLAN"},
    {0x86DD, 0x86DD, "IPv6"},
    {0x8808, 0x8808, "MAC control"},
    {0x8847, 0x8847, "MPLS"},
    {0x8848, 0x8848, "MPLS multicast"},
    {0x8870, 0x8870, "802.2 LLC"},
    {0x88A8, 0x88A8, "802.1ad service VLAN"},
    {0x88BE, 0x88BE, "ERSPAN"},
    {0x88CC, 0x88CC, "LLDP"},
    {0x88E5, 0x88E5, "MACsec"},
    {0x8915, 0x8915, "RoCEv1"},
    {0x9100, 0x9100, "QinQ"},
    {0x9200, 0x9200, "QinQ"},
    {0xD28B, 0xD28B, "Arista time stamp"},
};

/// IP protocol numbers (IANA).
namespace ip_protocol {
inline constexpr std::uint8_t kHopByHop = 0;
inline constexpr std::uint8_t kIcmp = 1;
inline constexpr std::uint8_t kIgmp = 2;
inline constexpr std::uint8_t kIpv4 = 4;
inline constexpr std::uint8_t kTcp = 6;
inline constexpr std::uint8_t kUdp = 17;
inline constexpr std::uint8_t kBth = 27;  ///< in a GRH: an InfiniBand transport header follows (IBTA 8.3)
inline constexpr std::uint8_t kIpv6 = 41;
inline constexpr std::uint8_t kRouting = 43;
inline constexpr std::uint8_t kFragment = 44;
inline constexpr std::uint8_t kGre = 47;
inline constexpr std::uint8_t kEsp = 50;
inline constexpr std::uint8_t kAuthentication = 51;
inline constexpr std::uint8_t kIcmpv6 = 58;
inline constexpr std::uint8_t kNoNextHeader = 59;
inline constexpr std::uint8_t kDestinationOptions = 60;
inline constexpr std::uint8_t kEtherIp = 97;
inline constexpr std::uint8_t kMpls = 137;
inline constexpr std::uint8_t kEthernet = 143;
}  // namespace ip_protocol

inline constexpr ValueName kIpProtocolNames[] = {
    {0, 0, "IPv6 hop-by-hop options"},
    {1, 1, "ICMP"},
    {2, 2, "IGMP"},
    {4, 4, "IPv4"},
    {6, 6, "TCP"},
    {17, 17, "UDP"},
    {27, 27, "RDP"},
    {41, 41, "IPv6"},
    {43, 43, "IPv6 routing"},
    {44, 44, "IPv6 fragment"},
    {47, 47, "GRE"},
    {50, 50, "ESP"},
    {51, 51, "AH"},
    {58, 58, "ICMPv6"},
    {59, 59, "no next header"},
    {60, 60, "IPv6 destination options"},
    {89, 89, "OSPF"},
    {97, 97, "EtherIP"},
    {112, 112, "VRRP"},
    {132, 132, "SCTP"},
    {137, 137, "MPLS"},
    {143, 143, "Ethernet"},
};

/// UDP ports (IANA).
namespace udp_port {
inline constexpr std::uint16_t kVxlan = 4789;
inline constexpr std::uint16_t kVxlanGpe = 4790;
inline constexpr std::uint16_t kRoce = 4791;
inline constexpr std::uint16_t kGeneve = 6081;
inline constexpr std::uint16_t kSflow = 6343;
inline constexpr std::uint16_t kMpls = 6635;
inline constexpr std::uint16_t kVxlanLinux = 8472;
}  // namespace udp_port

/// Explicit Congestion Notification (RFC 3168 5).
inline constexpr ValueName kEcnNames[] = {{0, 0, "Not-ECT"}, {1, 1, "ECT(1)"}, {2, 2, "ECT(0)"}, {3, 3, "CE"}};

/// Differentiated services code points (RFC 2474, 2597, 3246, 8622).
inline constexpr ValueName kDscpNames[] = {
    {0, 0, "CS0"},    {1, 1, "LE"},     {8, 8, "CS1"},    {10, 10, "AF11"}, {12, 12, "AF12"}, {14, 14, "AF13"},
    {16, 16, "CS2"},  {18, 18, "AF21"}, {20, 20, "AF22"}, {22, 22, "AF23"}, {24, 24, "CS3"},  {26, 26, "AF31"},
    {28, 28, "AF32"}, {30, 30, "AF33"}, {32, 32, "CS4"},  {34, 34, "AF41"}, {36, 36, "AF42"}, {38, 38, "AF43"},
    {40, 40, "CS5"},  {44, 44, "VA"},   {46, 46, "EF"},   {48, 48, "CS6"},  {56, 56, "CS7"},
};

}  // namespace rocescope
