// Linux cooked capture, what `tcpdump -i any` writes: version 1 (link type 113,
// LINKTYPE_LINUX_SLL) and version 2 (276, LINKTYPE_LINUX_SLL2). Version 1:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Packet type          |          ARPHRD type          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Address length        |                               |
//   +                                                               +
//   |                            Address                            |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |            Protocol           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

inline constexpr ValueName kSllPacketTypeNames[] = {
    {0, 0, "to us"}, {1, 1, "broadcast"}, {2, 2, "multicast"}, {3, 3, "to another host"}, {4, 4, "sent by us"}};
/// ARPHRD_ values (Linux if_arp.h).
inline constexpr ValueName kArpHardwareNames[] = {
    {1, 1, "Ethernet"},    {32, 32, "InfiniBand"}, {512, 512, "PPP"}, {768, 768, "IPIP"},
    {769, 769, "IP6IP6"},  {772, 772, "loopback"}, {778, 778, "GRE"}, {823, 823, "GRE on IPv6"},
    {824, 824, "netlink"}, {65534, 65534, "none"}};

namespace sll {
inline constexpr std::uint16_t kGre = 778;
/// Protocol values below this are frame types of Linux, not EtherTypes.
inline constexpr std::uint16_t kFirstEtherType = 0x0600;
/// Protocol: an LLC header follows.
inline constexpr std::uint16_t kLlc = 4;
}  // namespace sll

/// The address has room for eight bytes; what it is, its length says. Version 1 and 2 differ in where these stand.
template <std::size_t LengthOffset, std::size_t LengthBytes, std::size_t TypeOffset, std::size_t ProtocolOffset>
struct SllLayout {
  static constexpr std::uint64_t length(const std::uint8_t* header) {
    return load_bits(header, LengthOffset * 8, LengthBytes * 8);
  }
  template <std::uint64_t Length>
  static constexpr bool length_is(const std::uint8_t* header) {
    return length(header) == Length;
  }
  static constexpr bool longer(const std::uint8_t* header) { return length(header) >= 8; }
  static constexpr bool other(const std::uint8_t* header) {
    return length(header) < 8 && length(header) != 0 && length(header) != 4 && length(header) != 6;
  }
  static constexpr bool gre(const std::uint8_t* header) { return load_bits(header, TypeOffset * 8, 16) == sll::kGre; }
  static constexpr bool frame_type(const std::uint8_t* header) {
    return !gre(header) && load_bits(header, ProtocolOffset * 8, 16) < sll::kFirstEtherType;
  }
  static constexpr bool ether_type(const std::uint8_t* header) { return !gre(header) && !frame_type(header); }
};

struct Sll : HeaderView<Sll> {
  static constexpr HeaderKind kKind = HeaderKind::kSll;
  static constexpr std::string_view kName = "sll";
  static constexpr std::string_view kTitle = "Linux cooked capture";
  static constexpr std::string_view kReference = "LINKTYPE_LINUX_SLL";
  static constexpr std::size_t kSize = 16;
  using Layout = SllLayout<4, 2, 2, 14>;
  static constexpr Field kFields[] = {
      field::number("sll.pkttype", "Packet type", 0, 16).named(kSllPacketTypeNames),
      field::number("sll.hatype", "Link-layer address type", 16, 16).named(kArpHardwareNames),
      field::number("sll.halen", "Link-layer address length", 32, 16),
      field::mac("sll.src.eth", "Source", 48).when(Layout::length_is<6>),
      field::bytes("sll.unused", "Unused", 96, 16).when(Layout::length_is<6>),
      field::ipv4("sll.src.ipv4", "Source", 48).when(Layout::length_is<4>),
      field::bytes("sll.unused", "Unused", 80, 32).when(Layout::length_is<4>),
      field::bytes("sll.src.other", "Source", 48, 64).when(Layout::longer),
      field::bytes("sll.unused", "Unused", 48, 64).when(Layout::length_is<0>),
      field::bytes("rocescope.sll.src", "Source and unused", 48, 64).when(Layout::other),
      field::hex("sll.ltype", "Frame type", 112, 16).when(Layout::frame_type),
      field::hex("sll.gretype", "Protocol", 112, 16).when(Layout::gre).named(kEtherTypeNames),
      field::hex("sll.etype", "Protocol", 112, 16).when(Layout::ether_type).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t protocol() const noexcept { return get<"sll.etype">(); }
};

/// Version 2:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Protocol           |            Reserved           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Interface index                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          ARPHRD type          |  Packet type  |  Addr. length |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Address                            |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Sll2 : HeaderView<Sll2> {
  static constexpr HeaderKind kKind = HeaderKind::kSll2;
  static constexpr std::string_view kName = "sll";
  static constexpr std::string_view kTitle = "Linux cooked capture v2";
  static constexpr std::string_view kReference = "LINKTYPE_LINUX_SLL2";
  static constexpr std::size_t kSize = 20;
  using Layout = SllLayout<11, 1, 8, 0>;
  static constexpr Field kFields[] = {
      field::hex("sll.ltype", "Frame type", 0, 16).when(Layout::frame_type),
      field::hex("sll.gretype", "Protocol", 0, 16).when(Layout::gre).named(kEtherTypeNames),
      field::hex("sll.etype", "Protocol", 0, 16).when(Layout::ether_type).named(kEtherTypeNames),
      field::hex("rocescope.sll.reserved", "Reserved", 16, 16),
      field::number("sll.ifindex", "Interface index", 32, 32),
      field::number("sll.hatype", "Link-layer address type", 64, 16).named(kArpHardwareNames),
      field::number("sll.pkttype", "Packet type", 80, 8).named(kSllPacketTypeNames),
      field::number("sll.halen", "Link-layer address length", 88, 8),
      field::mac("sll.src.eth", "Source", 96).when(Layout::length_is<6>),
      field::bytes("sll.unused", "Unused", 144, 16).when(Layout::length_is<6>),
      field::ipv4("sll.src.ipv4", "Source", 96).when(Layout::length_is<4>),
      field::bytes("sll.unused", "Unused", 128, 32).when(Layout::length_is<4>),
      field::bytes("sll.src.other", "Source", 96, 64).when(Layout::longer),
      field::bytes("sll.unused", "Unused", 96, 64).when(Layout::length_is<0>),
      field::bytes("rocescope.sll.src", "Source and unused", 96, 64).when(Layout::other),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t protocol() const noexcept { return get<"sll.etype">(); }
};

}  // namespace rocescope
