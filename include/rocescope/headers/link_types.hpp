// Link layers of captures other than Ethernet: Linux cooked mode, loopback, ERF, InfiniBand.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

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

// The link layer of BSD loopbacks: the address family of what follows. Link type 0 (LINKTYPE_NULL) has it in the byte
// order of the host that captured, 108 (LINKTYPE_LOOP) in network order.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Address family                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

/// AF_INET6 has a number of its own in every system.
inline constexpr ValueName kAddressFamilyNames[] = {{2, 2, "IPv4"},
                                                    {10, 10, "IPv6 (Linux)"},
                                                    {24, 24, "IPv6 (NetBSD, OpenBSD)"},
                                                    {28, 28, "IPv6 (FreeBSD)"},
                                                    {30, 30, "IPv6 (macOS)"}};

struct Null : HeaderView<Null> {
  static constexpr HeaderKind kKind = HeaderKind::kNull;
  static constexpr std::string_view kName = "null";
  static constexpr std::string_view kTitle = "Null link layer";
  static constexpr std::string_view kReference = "LINKTYPE_NULL";
  static constexpr std::size_t kSize = 4;
  /// Families are small numbers.
  static constexpr bool big_endian(const std::uint8_t* header) { return load_little_endian(header, 4) > 0xFFFF; }
  static constexpr bool ether_type(const std::uint8_t* header) {
    return !big_endian(header) && load_little_endian(header, 4) >= 0x0600;
  }
  static constexpr bool little_endian(const std::uint8_t* header) { return !big_endian(header) && !ether_type(header); }
  static constexpr Field kFields[] = {
      field::number("null.family", "Address family", 0, 32)
          .little_endian()
          .named(kAddressFamilyNames)
          .when(little_endian),
      field::number("null.family", "Address family", 0, 32).named(kAddressFamilyNames).when(big_endian),
      field::hex("null.type", "Type", 0, 32).digits(4).little_endian().named(kEtherTypeNames).when(ether_type),
  };
  using HeaderView::HeaderView;

  /// The family, or an EtherType (0x0600 and above).
  [[nodiscard]] constexpr std::uint32_t family() const noexcept {
    const std::uint8_t* header = bytes().data();
    return static_cast<std::uint32_t>(big_endian(header) ? load_bits(header, 0, 32) : load_little_endian(header, 4));
  }
};

struct Loop : HeaderView<Loop> {
  static constexpr HeaderKind kKind = HeaderKind::kLoop;
  static constexpr std::string_view kName = "null";
  static constexpr std::string_view kTitle = "OpenBSD loopback";
  static constexpr std::string_view kReference = "LINKTYPE_LOOP";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("null.family", "Address family", 0, 32).named(kAddressFamilyNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t family() const noexcept { return get<"null.family">(); }
};

// Extensible Record Format of Endace's capture cards, "ERF types reference guide" EDM11-01. The time stamp is
// little-endian.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Time stamp (fraction in units of 2^-32 s, then seconds)    |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |E| Record type | R |   Flags   |         Record length         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Loss counter or color     |          Wire length          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// E: an extension header follows; its own first bit says whether another one does. The record length counts the record
// with all its headers and perhaps padding, the wire length the packet alone.

namespace erf_type {
inline constexpr std::uint8_t kEthernet = 2;
inline constexpr std::uint8_t kColorEthernet = 11;
inline constexpr std::uint8_t kDsmColorEthernet = 16;
inline constexpr std::uint8_t kColorHashEthernet = 20;
inline constexpr std::uint8_t kInfiniBand = 21;
inline constexpr std::uint8_t kIpv4 = 22;
inline constexpr std::uint8_t kIpv6 = 23;
inline constexpr std::uint8_t kInfiniBandLink = 25;
}  // namespace erf_type

inline constexpr ValueName kErfTypeNames[] = {{1, 1, "HDLC"},
                                              {2, 2, "Ethernet"},
                                              {3, 3, "ATM"},
                                              {4, 4, "AAL5"},
                                              {5, 5, "multi-channel HDLC"},
                                              {10, 10, "HDLC with color"},
                                              {11, 11, "Ethernet with color"},
                                              {15, 15, "HDLC with DSM color"},
                                              {16, 16, "Ethernet with DSM color"},
                                              {17, 17, "multi-channel HDLC with color"},
                                              {19, 19, "HDLC with color and hash"},
                                              {20, 20, "Ethernet with color and hash"},
                                              {21, 21, "InfiniBand"},
                                              {22, 22, "IPv4"},
                                              {23, 23, "IPv6"},
                                              {24, 24, "raw link"},
                                              {25, 25, "InfiniBand link"},
                                              {27, 27, "provenance"},
                                              {48, 48, "pad"}};

struct Erf : HeaderView<Erf> {
  static constexpr HeaderKind kKind = HeaderKind::kErf;
  static constexpr std::string_view kName = "erf";
  static constexpr std::string_view kTitle = "Extensible Record Format";
  static constexpr std::string_view kReference = "ERF types reference guide";
  static constexpr std::size_t kSize = 16;
  static constexpr bool has_color(const std::uint8_t* header) {
    const unsigned type = header[8] & 0x7FU;
    return type == 10 || type == 11 || type == 15 || type == 16 || type == 17 || type == 19 || type == 20;
  }
  static constexpr bool has_loss_counter(const std::uint8_t* header) { return !has_color(header); }
  static constexpr Field kFields[] = {
      field::hex("erf.ts", "Time stamp", 0, 64).little_endian(),
      field::hex("erf.types", "Record type", 64, 8),
      field::number("erf.types.ext_header", "Extension header follows", 64, 1).part(),
      field::number("erf.types.type", "Type", 65, 7).part().named(kErfTypeNames),
      field::hex("erf.flags", "Flags", 72, 8),
      field::hex("erf.flags.res", "Reserved", 72, 2).digits(2).part(),
      field::number("erf.flags.dse", "DS error", 74, 1).part(),
      field::number("erf.flags.rxe", "Receive error", 75, 1).part(),
      field::number("erf.flags.trunc", "Truncated", 76, 1).part(),
      field::number("erf.flags.vlen", "Varying record length", 77, 1).part(),
      field::number("erf.flags.cap", "Capture interface", 78, 2).part(),
      field::number("erf.rlen", "Record length", 80, 16),
      field::number("erf.lctr", "Loss counter", 96, 16).when(has_loss_counter),
      field::hex("erf.color", "Color", 96, 16).when(has_color),
      field::number("erf.wlen", "Wire length", 112, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool extended() const noexcept { return get<"erf.types.ext_header">() != 0; }
  [[nodiscard]] constexpr std::uint8_t type() const noexcept { return get<"erf.types.type">(); }
  [[nodiscard]] constexpr std::uint16_t record_length() const noexcept { return get<"erf.rlen">(); }
  [[nodiscard]] constexpr std::uint16_t wire_length() const noexcept { return get<"erf.wlen">(); }
};

/// M: another one follows.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |M|     Type    |                                               |
//   +                                                               +
//   |                              Data                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct ErfExtension : HeaderView<ErfExtension> {
  static constexpr HeaderKind kKind = HeaderKind::kErfExtension;
  static constexpr std::string_view kName = "erf.ehdr";
  static constexpr std::string_view kTitle = "ERF extension header";
  static constexpr std::string_view kReference = "ERF types reference guide";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::flag("rocescope.erf.ehdr.more", "Another one follows", 0),
      field::number("erf.ehdr.types", "Type", 1, 7),
      field::bytes("rocescope.erf.ehdr.data", "Data", 8, 56),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool more() const noexcept { return get<"rocescope.erf.ehdr.more">(); }
};

/// Stands before the frame in records of Ethernet.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Offset    |      Pad      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct ErfEthernetPad : HeaderView<ErfEthernetPad> {
  static constexpr HeaderKind kKind = HeaderKind::kErfEthernetPad;
  static constexpr std::string_view kName = "erf.eth";
  static constexpr std::string_view kTitle = "ERF Ethernet pad";
  static constexpr std::string_view kReference = "ERF types reference guide";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("erf.eth.off", "Offset", 0, 8),
      field::hex("erf.eth.pad", "Pad", 8, 8),
  };
  using HeaderView::HeaderView;
};

// InfiniBand link packet: flow control between the two ends of a link, IBTA 7.9.4. Counts are in blocks of 64 bytes.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Op  |         FCTBS         |   VL  |          FCCL         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             LPCRC             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

inline constexpr ValueName kLinkOperandNames[] = {
    {0, 0, "flow control"}, {1, 1, "flow control initialization"}, {2, 15, "reserved"}};

struct InfinibandLink : HeaderView<InfinibandLink> {
  static constexpr HeaderKind kKind = HeaderKind::kInfinibandLink;
  static constexpr std::string_view kName = "infiniband_link";
  static constexpr std::string_view kTitle = "InfiniBand Link Packet";
  static constexpr std::string_view kReference = "IBTA 7.9.4";
  static constexpr std::size_t kSize = 6;
  static constexpr Field kFields[] = {
      field::number("infiniband_link.op", "Operand", 0, 4).named(kLinkOperandNames),
      field::number("infiniband_link.fctbs", "Flow control total blocks sent", 4, 12),
      field::number("infiniband_link.vl", "Virtual lane", 16, 4),
      field::number("infiniband_link.fccl", "Flow control credit limit", 20, 12),
      field::hex("infiniband_link.lpcrc", "Link packet CRC", 32, 16),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
