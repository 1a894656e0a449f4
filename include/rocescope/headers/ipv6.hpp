// IPv6 and its extension headers.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/ipv6/options.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

// Internet Protocol version 6, RFC 8200 3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Ver  |    DSCP   |ECN|               Flow label              |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Payload length        |  Next header  |   Hop limit   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                         Source address                        |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                      Destination address                      |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Ipv6 : HeaderView<Ipv6> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6;
  static constexpr std::string_view kName = "ipv6";
  static constexpr std::string_view kTitle = "Internet Protocol version 6";
  static constexpr std::string_view kReference = "RFC 8200";
  static constexpr std::size_t kSize = 40;
  static constexpr Field kFields[] = {
      field::number("ipv6.version", "Version", 0, 4).also("ip.version"),
      field::hex("ipv6.tclass", "Traffic class", 4, 8).digits(8),
      field::number("ipv6.tclass.dscp", "Differentiated services code point", 4, 6).part().named(kDscpNames),
      field::number("ipv6.tclass.ecn", "Explicit congestion notification", 10, 2).part().named(kEcnNames),
      field::hex("ipv6.flow", "Flow label", 12, 20).digits(6),
      field::number("ipv6.plen", "Payload length", 32, 16),
      field::number("ipv6.nxt", "Next header", 48, 8).named(kIpProtocolNames),
      field::number("ipv6.hlim", "Hop limit", 56, 8),
      field::ipv6("ipv6.src", "Source address", 64).also("ipv6.addr"),
      field::ipv6("ipv6.dst", "Destination address", 192).also("ipv6.addr"),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"ipv6.version">(); }
  [[nodiscard]] constexpr std::uint8_t traffic_class() const noexcept { return get<"ipv6.tclass">(); }
  [[nodiscard]] constexpr std::uint16_t payload_length() const noexcept { return get<"ipv6.plen">(); }
  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"ipv6.nxt">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"ipv6.src">(); }
  [[nodiscard]] constexpr auto destination() const noexcept { return get<"ipv6.dst">(); }
};

// Extension headers of IPv6, RFC 8200 4: between the IPv6 header and the transport, in any number. Options, segments
// and addresses that stand in them are headers of their own here.
//
// Hop-by-hop options, destination options (the length counts 8 bytes each, without the first 8):
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Next header  |     Length    |            Options            /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Ipv6HopByHop : HeaderView<Ipv6HopByHop> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6HopByHop;
  static constexpr std::string_view kName = "ipv6.hopopts";
  static constexpr std::string_view kTitle = "IPv6 hop-by-hop options";
  static constexpr std::string_view kReference = "RFC 8200 4.3";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::number("ipv6.hopopts.nxt", "Next header", 0, 8).named(kIpProtocolNames),
      field::number("ipv6.hopopts.len", "Length in 8 bytes", 8, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"ipv6.hopopts.nxt">(); }
  [[nodiscard]] constexpr std::uint8_t units() const noexcept { return get<"ipv6.hopopts.len">(); }
};

struct Ipv6DestinationOptions : HeaderView<Ipv6DestinationOptions> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6DestinationOptions;
  static constexpr std::string_view kName = "ipv6.dstopts";
  static constexpr std::string_view kTitle = "IPv6 destination options";
  static constexpr std::string_view kReference = "RFC 8200 4.6";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::number("ipv6.dstopts.nxt", "Next header", 0, 8).named(kIpProtocolNames),
      field::number("ipv6.dstopts.len", "Length in 8 bytes", 8, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"ipv6.dstopts.nxt">(); }
  [[nodiscard]] constexpr std::uint8_t units() const noexcept { return get<"ipv6.dstopts.len">(); }
};

inline constexpr ValueName kRoutingTypeNames[] = {{0, 0, "source route"},     {2, 2, "mobile IPv6"},
                                                  {3, 3, "RPL source route"}, {4, 4, "segment routing"},
                                                  {5, 5, "CRH-16"},           {6, 6, "CRH-32"}};

namespace routing_type {
inline constexpr std::uint8_t kSourceRoute = 0;
inline constexpr std::uint8_t kMobile = 2;
inline constexpr std::uint8_t kSegment = 4;
}  // namespace routing_type

/// RFC 8200 4.4; what the type says follows.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Next header  |     Length    |  Routing type | Segments left |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6Routing : HeaderView<Ipv6Routing> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6Routing;
  static constexpr std::string_view kName = "ipv6.routing";
  static constexpr std::string_view kTitle = "IPv6 routing header";
  static constexpr std::string_view kReference = "RFC 8200 4.4";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("ipv6.routing.nxt", "Next header", 0, 8).named(kIpProtocolNames),
      field::number("ipv6.routing.len", "Length in 8 bytes", 8, 8),
      field::number("ipv6.routing.type", "Type", 16, 8).named(kRoutingTypeNames),
      field::number("ipv6.routing.segleft", "Segments left", 24, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"ipv6.routing.nxt">(); }
  [[nodiscard]] constexpr std::uint8_t units() const noexcept { return get<"ipv6.routing.len">(); }
  [[nodiscard]] constexpr std::uint8_t type() const noexcept { return get<"ipv6.routing.type">(); }
  [[nodiscard]] constexpr std::uint8_t segments_left() const noexcept { return get<"ipv6.routing.segleft">(); }
};

/// Type 0 (RFC 5095 has done away with it): four reserved bytes, then addresses.
struct Ipv6SourceRoute : HeaderView<Ipv6SourceRoute> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6SourceRoute;
  static constexpr std::string_view kName = "ipv6.routing.src";
  static constexpr std::string_view kTitle = "IPv6 source route";
  static constexpr std::string_view kReference = "RFC 2460 4.4";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("ipv6.routing.src.reserved", "Reserved", 0, 32),
  };
  using HeaderView::HeaderView;
};

struct Ipv6SourceRouteAddress : HeaderView<Ipv6SourceRouteAddress> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6SourceRouteAddress;
  static constexpr std::string_view kName = "ipv6.routing.src";
  static constexpr std::string_view kTitle = "IPv6 source route address";
  static constexpr std::string_view kReference = "RFC 2460 4.4";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::ipv6("ipv6.routing.src.addr", "Address", 0),
  };
  using HeaderView::HeaderView;
};

/// Type 2: the home address of a mobile node.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Reserved                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                          Home address                         |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6MobileRoute : HeaderView<Ipv6MobileRoute> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6MobileRoute;
  static constexpr std::string_view kName = "ipv6.routing.mipv6";
  static constexpr std::string_view kTitle = "IPv6 mobile route";
  static constexpr std::string_view kReference = "RFC 6275 6.4";
  static constexpr std::size_t kSize = 20;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("ipv6.routing.mipv6.reserved", "Reserved", 0, 32),
      field::ipv6("ipv6.routing.mipv6.home_address", "Home address", 32),
  };
  using HeaderView::HeaderView;
};

/// Type 4, SRv6: the segments, last first, and then type-length-value objects follow.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Last entry  |     Flags     |              Tag              |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6SegmentRouting : HeaderView<Ipv6SegmentRouting> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6SegmentRouting;
  static constexpr std::string_view kName = "ipv6.routing.srh";
  static constexpr std::string_view kTitle = "IPv6 segment routing";
  static constexpr std::string_view kReference = "RFC 8754 2";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("ipv6.routing.srh.last_entry", "Last entry", 0, 8),
      field::hex("ipv6.routing.srh.flags", "Flags", 8, 8),
      field::bytes("ipv6.routing.srh.tag", "Tag", 16, 16),
  };
  using HeaderView::HeaderView;

  /// Index of the last segment in the list, from 0.
  [[nodiscard]] constexpr std::uint8_t last_entry() const noexcept { return get<"ipv6.routing.srh.last_entry">(); }
};

struct Ipv6Segment : HeaderView<Ipv6Segment> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6Segment;
  static constexpr std::string_view kName = "ipv6.routing.srh";
  static constexpr std::string_view kTitle = "IPv6 segment";
  static constexpr std::string_view kReference = "RFC 8754 2";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::ipv6("ipv6.routing.srh.addr", "Address", 0),
  };
  using HeaderView::HeaderView;
};

/// What the headers above leave of a routing header of a type that is known.
struct Ipv6RoutingData : HeaderView<Ipv6RoutingData> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6RoutingData;
  static constexpr std::string_view kName = "rocescope.ipv6.routing";
  static constexpr std::string_view kTitle = "IPv6 routing data";
  static constexpr std::string_view kReference = "RFC 8200 4.4";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.ipv6.routing.data", "Data", 0),
  };
  using HeaderView::HeaderView;
};

/// What follows a routing type that nobody knows.
struct Ipv6RoutingUnknown : HeaderView<Ipv6RoutingUnknown> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6RoutingUnknown;
  static constexpr std::string_view kName = "ipv6.routing";
  static constexpr std::string_view kTitle = "IPv6 routing data";
  static constexpr std::string_view kReference = "RFC 8200 4.4";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("ipv6.routing.unknown_data", "Type-specific data", 0),
  };
  using HeaderView::HeaderView;
};

/// RFC 8200 4.5. M: more fragments.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Next header  |    Reserved   |     Fragment offset     | R |M|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Identification                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Ipv6Fragment : HeaderView<Ipv6Fragment> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv6Fragment;
  static constexpr std::string_view kName = "ipv6.fraghdr";
  static constexpr std::string_view kTitle = "IPv6 fragment";
  static constexpr std::string_view kReference = "RFC 8200 4.5";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("ipv6.fraghdr.nxt", "Next header", 0, 8).named(kIpProtocolNames),
      field::hex("ipv6.fraghdr.reserved_octet", "Reserved", 8, 8),
      field::number("ipv6.fraghdr.offset", "Fragment offset in 8 bytes", 16, 13),
      field::number("ipv6.fraghdr.reserved_bits", "Reserved", 29, 2),
      field::flag("ipv6.fraghdr.more", "More fragments", 31),
      field::hex("ipv6.fraghdr.ident", "Identification", 32, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"ipv6.fraghdr.nxt">(); }
  [[nodiscard]] constexpr std::uint16_t offset_units() const noexcept { return get<"ipv6.fraghdr.offset">(); }
  [[nodiscard]] constexpr bool more() const noexcept { return get<"ipv6.fraghdr.more">(); }
};

}  // namespace rocescope
