// How RoCE and InfiniBand packets begin: LRH, RWH, GRH, BTH; and what a CNP has behind its BTH.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

// Local Route Header, IBTA 7.7: native InfiniBand only.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   VL  |  LVer |   SL  | RR|LNH|              DLID             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Resv5  |        PktLen       |              SLID             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// RR: reserved. PktLen counts 4-byte words from the first byte of the LRH to the last before the VCRC.

inline constexpr ValueName kLnhNames[] = {
    {0, 0, "raw"}, {1, 1, "raw, IPv6 follows"}, {2, 2, "BTH follows"}, {3, 3, "GRH follows"}};

struct Lrh : HeaderView<Lrh> {
  static constexpr HeaderKind kKind = HeaderKind::kLrh;
  static constexpr std::string_view kName = "infiniband.lrh";
  static constexpr std::string_view kTitle = "Local Route Header";
  static constexpr std::string_view kReference = "IBTA 7.7";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("infiniband.lrh.vl", "Virtual lane", 0, 4).digits(2),
      field::number("infiniband.lrh.lver", "Link version", 4, 4),
      field::number("infiniband.lrh.sl", "Service level", 8, 4),
      field::number("infiniband.lrh.reserved2", "Reserved", 12, 2),
      field::hex("infiniband.lrh.lnh", "Link next header", 14, 2).digits(2).named(kLnhNames),
      field::number("infiniband.lrh.dlid", "Destination local ID", 16, 16),
      field::number("infiniband.lrh.reserved5", "Reserved", 32, 5),
      field::number("infiniband.lrh.pktlen", "Packet length in words", 37, 11),
      field::number("infiniband.lrh.slid", "Source local ID", 48, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"infiniband.lrh.lnh">(); }
  [[nodiscard]] constexpr std::uint16_t packet_words() const noexcept { return get<"infiniband.lrh.pktlen">(); }
  [[nodiscard]] constexpr std::uint16_t destination_lid() const noexcept { return get<"infiniband.lrh.dlid">(); }
  [[nodiscard]] constexpr std::uint16_t source_lid() const noexcept { return get<"infiniband.lrh.slid">(); }
};

// Raw Header, IBTA 5.3: after the LRH of a packet that is not InfiniBand's own, an EtherType.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Reserved           |           EtherType           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Rwh : HeaderView<Rwh> {
  static constexpr HeaderKind kKind = HeaderKind::kRwh;
  static constexpr std::string_view kName = "infiniband.rwh";
  static constexpr std::string_view kTitle = "Raw Header";
  static constexpr std::string_view kReference = "IBTA 5.3";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::hex("rocescope.rwh.reserved", "Reserved", 0, 16),
      field::hex("infiniband.rwh.etype", "EtherType", 16, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"infiniband.rwh.etype">(); }
};

// Global Route Header, IBTA 8.3: RoCEv1 and native InfiniBand; the layout of an IPv6 header.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | IPVer |     TClass    |               FlowLabel               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             PayLen            |     NxtHdr    |     HopLmt    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                              SGID                             |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                              DGID                             |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

inline constexpr ValueName kGrhNextHeaderNames[] = {{ip_protocol::kBth, ip_protocol::kBth, "BTH"}};

struct Grh : HeaderView<Grh> {
  static constexpr HeaderKind kKind = HeaderKind::kGrh;
  static constexpr std::string_view kName = "infiniband.grh";
  static constexpr std::string_view kTitle = "Global Route Header";
  static constexpr std::string_view kReference = "IBTA 8.3";
  static constexpr std::size_t kSize = 40;
  static constexpr Field kFields[] = {
      field::number("infiniband.grh.ipver", "IP version", 0, 4),
      field::number("infiniband.grh.tclass", "Traffic class", 4, 8),
      field::number("infiniband.grh.flowlabel", "Flow label", 12, 20),
      field::number("infiniband.grh.paylen", "Payload length", 32, 16),
      field::number("infiniband.grh.nxthdr", "Next header", 48, 8).named(kGrhNextHeaderNames),
      field::number("infiniband.grh.hoplmt", "Hop limit", 56, 8),
      field::ipv6("infiniband.grh.sgid", "Source GID", 64),
      field::ipv6("infiniband.grh.dgid", "Destination GID", 192),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t traffic_class() const noexcept { return get<"infiniband.grh.tclass">(); }
  [[nodiscard]] constexpr std::uint16_t payload_length() const noexcept { return get<"infiniband.grh.paylen">(); }
  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"infiniband.grh.nxthdr">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"infiniband.grh.sgid">(); }
  [[nodiscard]] constexpr auto destination() const noexcept { return get<"infiniband.grh.dgid">(); }
};

// Base Transport Header, IBTA 9.2.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     OpCode    |S|M|Pad|  TVer |             P_Key             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |F|B|   Resv6   |                     DestQP                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |A|    Resv7    |                      PSN                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// S: solicited event. M: MigReq. F: FECN. B: BECN. A: acknowledge request.

struct Bth : HeaderView<Bth> {
  static constexpr HeaderKind kKind = HeaderKind::kBth;
  static constexpr std::string_view kName = "infiniband.bth";
  static constexpr std::string_view kTitle = "Base Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.2";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("infiniband.bth.opcode", "Opcode", 0, 8).named(kOpcodeNames),
      field::flag("infiniband.bth.se", "Solicited event", 8),
      field::flag("infiniband.bth.m", "MigReq", 9),
      field::number("infiniband.bth.padcnt", "Pad count", 10, 2),
      field::number("infiniband.bth.tver", "Transport header version", 12, 4),
      field::number("infiniband.bth.p_key", "Partition key", 16, 16),
      field::flag("infiniband.bth.fecn", "Forward explicit congestion notification", 32),
      field::flag("infiniband.bth.becn", "Backward explicit congestion notification", 33),
      field::number("infiniband.bth.reserved6", "Reserved", 34, 6),
      field::hex("infiniband.bth.destqp", "Destination queue pair", 40, 24),
      field::flag("infiniband.bth.a", "Acknowledge request", 64),
      field::number("infiniband.bth.reserved7", "Reserved", 65, 7),
      field::number("infiniband.bth.psn", "Packet sequence number", 72, 24),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t opcode() const noexcept { return get<"infiniband.bth.opcode">(); }
  [[nodiscard]] constexpr bool solicited_event() const noexcept { return get<"infiniband.bth.se">(); }
  [[nodiscard]] constexpr std::uint8_t pad_count() const noexcept { return get<"infiniband.bth.padcnt">(); }
  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"infiniband.bth.tver">(); }
  [[nodiscard]] constexpr std::uint16_t p_key() const noexcept { return get<"infiniband.bth.p_key">(); }
  [[nodiscard]] constexpr bool fecn() const noexcept { return get<"infiniband.bth.fecn">(); }
  [[nodiscard]] constexpr bool becn() const noexcept { return get<"infiniband.bth.becn">(); }
  [[nodiscard]] constexpr Qpn dest_qp() const noexcept { return Qpn(get<"infiniband.bth.destqp">()); }
  [[nodiscard]] constexpr bool ack_request() const noexcept { return get<"infiniband.bth.a">(); }
  [[nodiscard]] constexpr Psn psn() const noexcept { return Psn(get<"infiniband.bth.psn">()); }
};

// What follows the BTH of a congestion notification packet, IBTA A17.9.3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                            Reserved                           |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct CnpReserved : HeaderView<CnpReserved> {
  static constexpr HeaderKind kKind = HeaderKind::kCnpReserved;
  static constexpr std::string_view kName = "infiniband.cnp";
  static constexpr std::string_view kTitle = "Congestion Notification Packet";
  static constexpr std::string_view kReference = "IBTA A17.9.3";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.cnp.reserved16", "Reserved", 0, 128),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
