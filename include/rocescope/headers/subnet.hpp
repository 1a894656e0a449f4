// Management datagrams of the subnet: subnet management (SMP) and subnet administration (SA).
#pragma once

#include "rocescope/headers/mad.hpp"

namespace rocescope {

// Subnet management packets after their MAD header: LID routed, IBTA 14.2.1.1, and directed route, 14.2.1.2.
//
// LID routed:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             M_Key                             |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                      Reserved (32 bytes)                      /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (64 bytes)                        /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                      Reserved (128 bytes)                     /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Directed route:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             M_Key                             |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             DrSLID            |             DrDLID            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                      Reserved (28 bytes)                      /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (64 bytes)                        /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Initial path (64 bytes)                    /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                     Return path (64 bytes)                    /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct SmpLid : HeaderView<SmpLid> {
  static constexpr HeaderKind kKind = HeaderKind::kSmpLid;
  static constexpr std::string_view kName = "infiniband.smplid";
  static constexpr std::string_view kTitle = "Subnet Management Packet (LID routed)";
  static constexpr std::string_view kReference = "IBTA 14.2.1.1";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.smplid.mkey", "M_Key", 0, 64).part(),
      field::bytes("infiniband.smp.reserved256", "Reserved", 64, 256).part(),
      field::bytes("infiniband.smp.data", "SMP data", 320, 512).part(),
      field::bytes("infiniband.smp.reserved1024", "Reserved", 832, 1024).part(),
  };
  using HeaderView::HeaderView;
};

struct SmpDirected : HeaderView<SmpDirected> {
  static constexpr HeaderKind kKind = HeaderKind::kSmpDirected;
  static constexpr std::string_view kName = "infiniband.smpdirected";
  static constexpr std::string_view kTitle = "Subnet Management Packet (directed route)";
  static constexpr std::string_view kReference = "IBTA 14.2.1.2";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.smplid.mkey", "M_Key", 0, 64).part(),
      field::hex("infiniband.smpdirected.drslid", "DrSLID", 64, 16).part(),
      field::hex("infiniband.smpdirected.drdlid", "DrDLID", 80, 16).part(),
      field::bytes("infiniband.smp.reserved224", "Reserved", 96, 224).part(),
      field::bytes("infiniband.smp.data", "SMP data", 320, 512).part(),
      field::bytes("infiniband.smpdirected.initialpath", "Initial path", 832, 512).part(),
      field::bytes("infiniband.smpdirected.returnpath", "Return path", 1344, 512).part(),
  };
  using HeaderView::HeaderView;
};

// Subnet administration MAD after its MAD header: RMPP, IBTA 13.6.2, then the SA header, IBTA 15.2.1.1.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  RMPP version |   RMPP type   |RRespTime|Flags|  RMPP status  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Data 1                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Data 2                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             SM_Key                            |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |        Attribute offset       |            Reserved           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Component mask                        |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (200 bytes)                       /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Data 1 and Data 2 depend on the type: DATA has segment number and payload length, ACK segment number and new window
// last, STOP and ABORT nothing.

/// Reliable multi-packet protocol types (IBTA 13.6.2.1).
inline constexpr ValueName kRmppTypeNames[] = {
    {0, 0, "not RMPP"}, {1, 1, "DATA"}, {2, 2, "ACK"}, {3, 3, "STOP"}, {4, 4, "ABORT"}};

struct SaMad : HeaderView<SaMad> {
  static constexpr HeaderKind kKind = HeaderKind::kSaMad;
  static constexpr std::string_view kName = "infiniband.sa";
  static constexpr std::string_view kTitle = "Subnet Administration";
  static constexpr std::string_view kReference = "IBTA 15.2.1.1";
  static constexpr std::size_t kSize = kMadDataSize;

  static constexpr bool is_data(const std::uint8_t* sa) { return sa[1] == 1; }
  static constexpr bool is_ack(const std::uint8_t* sa) { return sa[1] == 2; }
  static constexpr bool is_segment(const std::uint8_t* sa) { return is_data(sa) || is_ack(sa); }
  static constexpr bool is_not_rmpp(const std::uint8_t* sa) { return sa[1] == 0; }
  static constexpr bool is_end(const std::uint8_t* sa) { return sa[1] > 2; }

  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.rmpp.rmppversion", "RMPP version", 0, 8).part(),
      field::hex("infiniband.rmpp.rmpptype", "RMPP type", 8, 8).part().named(kRmppTypeNames),
      field::hex("infiniband.rmpp.rresptime", "Response time", 16, 5).part(),
      field::hex("infiniband.rmpp.rmppflags", "RMPP flags", 21, 3).part().digits(2),
      field::flag("infiniband.rmpp.rmppflags.last", "Last", 21).part(2),
      field::flag("infiniband.rmpp.rmppflags.first", "First", 22).part(2),
      field::flag("infiniband.rmpp.rmppflags.active", "Active", 23).part(2),
      field::hex("infiniband.rmpp.rmppstatus", "RMPP status", 24, 8).part(),
      field::hex("infiniband.rmpp.data1", "Data 1", 32, 32).part().when(is_not_rmpp),
      field::hex("infiniband.rmpp.segmentnumber", "Segment number", 32, 32).part().when(is_segment),
      field::number("infiniband.rmpp.reserved1", "Reserved", 32, 32).part().when(is_end),
      field::hex("infiniband.rmpp.data2", "Data 2", 64, 32).part().when(is_not_rmpp),
      field::hex("infiniband.rmpp.payloadlength", "Payload length", 64, 32).part().when(is_data),
      field::hex("infiniband.rmpp.newwindowlast", "New window last", 64, 32).part().when(is_ack),
      field::number("infiniband.rmpp.reserved2", "Reserved", 64, 32).part().when(is_end),
      field::hex("infiniband.sa.smkey", "SM_Key", 96, 64).part(),
      field::hex("infiniband.sa.attributeoffset", "Attribute offset", 160, 16).part(),
      field::number("infiniband.sa.reserved16", "Reserved", 176, 16).part(),
      field::hex("infiniband.sa.componentmask", "Component mask", 192, 64).part(),
      field::bytes("infiniband.sa.data", "SA data", 256, 1600).part(),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
