// Organizationally specific TLVs of LLDP, and DCBX, which is made of them.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/lldp.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

// LLDP elements of organizations, IEEE 802.1AB 8.6: which one and what, and the contents of some of IEEE 802.1 and
// 802.3. Those of data center bridging follow below.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Type (127) |      Length     |       Organization code       |
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |    Subtype    |             Value             /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

namespace lldp_organization {
inline constexpr std::uint32_t kIeee8021 = 0x0080C2;
inline constexpr std::uint32_t kIeee8023 = 0x00120F;
inline constexpr std::uint32_t kMedia = 0x0012BB;
inline constexpr std::uint32_t kCee = 0x001B21;  ///< Intel's, for DCBX before 802.1Qaz
}  // namespace lldp_organization

inline constexpr ValueName kLldpOrganizationNames[] = {{0x00005E, 0x00005E, "IANA"},
                                                       {0x000142, 0x000142, "Cisco"},
                                                       {0x00040D, 0x00040D, "Avaya"},
                                                       {0x000ECF, 0x000ECF, "PROFIBUS"},
                                                       {0x00120F, 0x00120F, "IEEE 802.3"},
                                                       {0x0012BB, 0x0012BB, "TIA TR-41"},
                                                       {0x001B21, 0x001B21, "Intel (CEE DCBX)"},
                                                       {0x001B3F, 0x001B3F, "IEEE 802.1Qbg"},
                                                       {0x0080C2, 0x0080C2, "IEEE 802.1"},
                                                       {0x30B216, 0x30B216, "Hytec"},
                                                       {0xA42305, 0xA42305, "ONOS"}};
inline constexpr ValueName kIeee8021Names[] = {{1, 1, "port VLAN ID"},
                                               {2, 2, "port and protocol VLAN ID"},
                                               {3, 3, "VLAN name"},
                                               {4, 4, "protocol identity"},
                                               {5, 5, "VID usage digest"},
                                               {6, 6, "management VID"},
                                               {7, 7, "link aggregation"},
                                               {8, 8, "congestion notification"},
                                               {9, 9, "ETS configuration"},
                                               {10, 10, "ETS recommendation"},
                                               {11, 11, "priority-based flow control"},
                                               {12, 12, "application priority"},
                                               {13, 13, "EVB"},
                                               {14, 14, "CDCP"}};
inline constexpr ValueName kIeee8023Names[] = {
    {1, 1, "MAC/PHY configuration"},     {2, 2, "power via MDI"},
    {3, 3, "link aggregation"},          {4, 4, "maximum frame size"},
    {5, 5, "energy-efficient Ethernet"}, {7, 7, "additional Ethernet capabilities"}};
inline constexpr ValueName kMediaNames[] = {{1, 1, "capabilities"},      {2, 2, "network policy"},
                                            {3, 3, "location"},          {4, 4, "extended power via MDI"},
                                            {5, 5, "hardware revision"}, {6, 6, "firmware revision"},
                                            {7, 7, "software revision"}, {8, 8, "serial number"},
                                            {9, 9, "manufacturer"},      {10, 10, "model"},
                                            {11, 11, "asset ID"}};
inline constexpr ValueName kDcbxVersionNames[] = {{1, 1, "1.0 CIN"}, {2, 2, "1.01 CEE"}};

struct LldpOrganization : HeaderView<LldpOrganization> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpOrganization;
  static constexpr std::string_view kName = "lldp.orgtlv";
  static constexpr std::string_view kTitle = "LLDP organization-specific element";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.6";
  static constexpr std::size_t kSize = 6;
  static constexpr std::uint64_t code(const std::uint8_t* header) { return load_bits(header, 16, 24); }
  template <std::uint32_t Code>
  static constexpr bool is_of(const std::uint8_t* header) {
    return code(header) == Code;
  }
  static constexpr bool is_unknown(const std::uint8_t* header) {
    return name_of(kLldpOrganizationNames, code(header)).empty();
  }
  /// Of an organization that has a name but no header here.
  static constexpr bool is_known(const std::uint8_t* header) {
    return !is_unknown(header) && code(header) != lldp_organization::kIeee8021 &&
           code(header) != lldp_organization::kIeee8023 && code(header) != lldp_organization::kMedia &&
           code(header) != lldp_organization::kCee;
  }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.orgtlv.oui", "Organization code", 16, 24).named(kLldpOrganizationNames),
      field::hex("lldp.ieee.802_1.subtype", "Subtype", 40, 8)
          .named(kIeee8021Names)
          .when(is_of<lldp_organization::kIeee8021>),
      field::hex("lldp.ieee.802_3.subtype", "Subtype", 40, 8)
          .named(kIeee8023Names)
          .when(is_of<lldp_organization::kIeee8023>),
      field::hex("lldp.media.subtype", "Subtype", 40, 8).named(kMediaNames).when(is_of<lldp_organization::kMedia>),
      field::hex("lldp.dcbx.proto", "DCBX protocol", 40, 8)
          .named(kDcbxVersionNames)
          .when(is_of<lldp_organization::kCee>),
      field::number("rocescope.lldp.orgtlv.subtype", "Subtype", 40, 8).when(is_known),
      field::number("lldp.unknown_subtype", "Subtype", 40, 8).when(is_unknown),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t organization() const noexcept { return get<"lldp.orgtlv.oui">(); }
  [[nodiscard]] constexpr std::uint8_t subtype() const noexcept { return get<"lldp.unknown_subtype">(); }
};

/// The value of an element that nobody knows.
struct LldpUnknownContent : HeaderView<LldpUnknownContent> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpUnknownContent;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP unknown content";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.6";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("lldp.unknown_subtype.content", "Content", 0),
  };
  using HeaderView::HeaderView;
};

struct LldpPortVlan : HeaderView<LldpPortVlan> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpPortVlan;
  static constexpr std::string_view kName = "lldp.ieee.802_1";
  static constexpr std::string_view kTitle = "LLDP port VLAN ID";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.1";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.ieee.802_1.port_vlan.id", "Port VLAN ID", 0, 16),
  };
  using HeaderView::HeaderView;
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            VLAN ID            |  Name length  |      Name     /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpVlanName : HeaderView<LldpVlanName> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpVlanName;
  static constexpr std::string_view kName = "lldp.ieee.802_1";
  static constexpr std::string_view kTitle = "LLDP VLAN name";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.3";
  static constexpr std::size_t kSize = 3;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.ieee.802_1.vlan.id", "VLAN ID", 0, 16),
      field::number("lldp.ieee.802_1.vlan.name_len", "Name length", 16, 8),
      field::text("lldp.ieee.802_1.vlan.name", "Name", 24),
  };
  using HeaderView::HeaderView;
};

struct LldpMaxFrameSize : HeaderView<LldpMaxFrameSize> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpMaxFrameSize;
  static constexpr std::string_view kName = "lldp.ieee.802_3";
  static constexpr std::string_view kTitle = "LLDP maximum frame size";
  static constexpr std::string_view kReference = "IEEE 802.3 79.3.4";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.ieee.802_3.max_frame_size", "Maximum frame size", 0, 16),
  };
  using HeaderView::HeaderView;
};

// Data Center Bridging Exchange of IEEE 802.1Q (annex D, once 802.1Qaz): contents of LLDP elements, organization
// 00-80-C2.
//
// P0 to P7 are priorities, C0 to C7 traffic classes. Enhanced transmission selection, configuration (subtype 9) and,
// with a reserved first byte, recommendation (subtype 10):
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |W|C| Res | Max |   P0  |   P1  |   P2  |   P3  |   P4  |   P5  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   P6  |   P7  |   Percent C0  |   Percent C1  |   Percent C2  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Percent C3  |   Percent C4  |   Percent C5  |   Percent C6  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Percent C7  |     TSA C0    |     TSA C1    |     TSA C2    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     TSA C3    |     TSA C4    |     TSA C5    |     TSA C6    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     TSA C7    |
//   +-+-+-+-+-+-+-+-+
//
// W: willing to do as the neighbour says. C: credit-based shaper. TSA: transmission selection algorithm.

inline constexpr ValueName kTsaNames[] = {{0, 0, "strict priority"},
                                          {1, 1, "credit-based shaper"},
                                          {2, 2, "enhanced transmission selection"},
                                          {255, 255, "vendor-specific"}};
inline constexpr ValueName kApplicationSelectorNames[] = {{1, 1, "EtherType"},
                                                          {2, 2, "TCP or SCTP port"},
                                                          {3, 3, "UDP or DCCP port"},
                                                          {4, 4, "TCP, SCTP, UDP or DCCP port"},
                                                          {5, 5, "DSCP"}};

struct DcbxEts : HeaderView<DcbxEts> {
  static constexpr HeaderKind kKind = HeaderKind::kDcbxEts;
  static constexpr std::string_view kName = "lldp.dcbx.ieee.ets";
  static constexpr std::string_view kTitle = "DCBX ETS configuration";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.8";
  static constexpr std::size_t kSize = 21;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::flag("lldp.dcbx.ieee.willing", "Willing", 0),
      field::flag("lldp.dcbx.ieee.ets.cbs", "Credit-based shaper", 1),
      field::number("rocescope.dcbx.ets.reserved", "Reserved", 2, 3),
      field::number("lldp.dcbx.ieee.ets.maxtcs", "Maximum number of traffic classes", 5, 3),
      field::number("lldp.dcbx.feature.pg.pgid_prio0", "Traffic class of priority 0", 8, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio1", "Traffic class of priority 1", 12, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio2", "Traffic class of priority 2", 16, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio3", "Traffic class of priority 3", 20, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio4", "Traffic class of priority 4", 24, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio5", "Traffic class of priority 5", 28, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio6", "Traffic class of priority 6", 32, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio7", "Traffic class of priority 7", 36, 4),
      field::number("lldp.dcbx.feature.pg.per0", "Bandwidth of class 0 in percent", 40, 8),
      field::number("lldp.dcbx.feature.pg.per1", "Bandwidth of class 1 in percent", 48, 8),
      field::number("lldp.dcbx.feature.pg.per2", "Bandwidth of class 2 in percent", 56, 8),
      field::number("lldp.dcbx.feature.pg.per3", "Bandwidth of class 3 in percent", 64, 8),
      field::number("lldp.dcbx.feature.pg.per4", "Bandwidth of class 4 in percent", 72, 8),
      field::number("lldp.dcbx.feature.pg.per5", "Bandwidth of class 5 in percent", 80, 8),
      field::number("lldp.dcbx.feature.pg.per6", "Bandwidth of class 6 in percent", 88, 8),
      field::number("lldp.dcbx.feature.pg.per7", "Bandwidth of class 7 in percent", 96, 8),
      field::number("lldp.dcbx.ieee.ets.tsa0", "Selection algorithm of class 0", 104, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa1", "Selection algorithm of class 1", 112, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa2", "Selection algorithm of class 2", 120, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa3", "Selection algorithm of class 3", 128, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa4", "Selection algorithm of class 4", 136, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa5", "Selection algorithm of class 5", 144, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa6", "Selection algorithm of class 6", 152, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa7", "Selection algorithm of class 7", 160, 8).named(kTsaNames),
  };
  using HeaderView::HeaderView;
};

struct DcbxEtsRecommendation : HeaderView<DcbxEtsRecommendation> {
  static constexpr HeaderKind kKind = HeaderKind::kDcbxEtsRecommendation;
  static constexpr std::string_view kName = "lldp.dcbx.ieee.ets";
  static constexpr std::string_view kTitle = "DCBX ETS recommendation";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.9";
  static constexpr std::size_t kSize = 21;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("lldp.dcbx.feature.pg.reserved", "Reserved", 0, 7).digits(2),
      field::number("rocescope.dcbx.ets.reserved", "Reserved", 7, 1),
      field::number("lldp.dcbx.feature.pg.pgid_prio0", "Traffic class of priority 0", 8, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio1", "Traffic class of priority 1", 12, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio2", "Traffic class of priority 2", 16, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio3", "Traffic class of priority 3", 20, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio4", "Traffic class of priority 4", 24, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio5", "Traffic class of priority 5", 28, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio6", "Traffic class of priority 6", 32, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio7", "Traffic class of priority 7", 36, 4),
      field::number("lldp.dcbx.feature.pg.per0", "Bandwidth of class 0 in percent", 40, 8),
      field::number("lldp.dcbx.feature.pg.per1", "Bandwidth of class 1 in percent", 48, 8),
      field::number("lldp.dcbx.feature.pg.per2", "Bandwidth of class 2 in percent", 56, 8),
      field::number("lldp.dcbx.feature.pg.per3", "Bandwidth of class 3 in percent", 64, 8),
      field::number("lldp.dcbx.feature.pg.per4", "Bandwidth of class 4 in percent", 72, 8),
      field::number("lldp.dcbx.feature.pg.per5", "Bandwidth of class 5 in percent", 80, 8),
      field::number("lldp.dcbx.feature.pg.per6", "Bandwidth of class 6 in percent", 88, 8),
      field::number("lldp.dcbx.feature.pg.per7", "Bandwidth of class 7 in percent", 96, 8),
      field::number("lldp.dcbx.ieee.ets.tsa0", "Selection algorithm of class 0", 104, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa1", "Selection algorithm of class 1", 112, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa2", "Selection algorithm of class 2", 120, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa3", "Selection algorithm of class 3", 128, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa4", "Selection algorithm of class 4", 136, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa5", "Selection algorithm of class 5", 144, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa6", "Selection algorithm of class 6", 152, 8).named(kTsaNames),
      field::number("lldp.dcbx.ieee.ets.tsa7", "Selection algorithm of class 7", 160, 8).named(kTsaNames),
  };
  using HeaderView::HeaderView;
};

/// Subtype 11. W: willing. M: MACsec bypass capability. Then one bit for each priority that may be paused.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |W|M| R |Classes|7|6|5|4|3|2|1|0|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct DcbxPfc : HeaderView<DcbxPfc> {
  static constexpr HeaderKind kKind = HeaderKind::kDcbxPfc;
  static constexpr std::string_view kName = "lldp.dcbx.ieee.pfc";
  static constexpr std::string_view kTitle = "DCBX priority-based flow control";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.10";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::flag("lldp.dcbx.ieee.willing", "Willing", 0),
      field::flag("lldp.dcbx.ieee.pfc.mbc", "MACsec bypass capability", 1),
      field::number("rocescope.dcbx.pfc.reserved", "Reserved", 2, 2),
      field::number("lldp.dcbx.ieee.pfc.numtcs", "Classes that can have it", 4, 4),
      field::flag("lldp.dcbx.feature.pfc.prio7", "PFC for priority 7", 8),
      field::flag("lldp.dcbx.feature.pfc.prio6", "PFC for priority 6", 9),
      field::flag("lldp.dcbx.feature.pfc.prio5", "PFC for priority 5", 10),
      field::flag("lldp.dcbx.feature.pfc.prio4", "PFC for priority 4", 11),
      field::flag("lldp.dcbx.feature.pfc.prio3", "PFC for priority 3", 12),
      field::flag("lldp.dcbx.feature.pfc.prio2", "PFC for priority 2", 13),
      field::flag("lldp.dcbx.feature.pfc.prio1", "PFC for priority 1", 14),
      field::flag("lldp.dcbx.feature.pfc.prio0", "PFC for priority 0", 15),
  };
  using HeaderView::HeaderView;

  /// Bit n for priority n.
  [[nodiscard]] constexpr std::uint8_t enabled() const noexcept { return bytes()[1]; }
};

/// Subtype 12: entries follow.
struct DcbxApplication : HeaderView<DcbxApplication> {
  static constexpr HeaderKind kKind = HeaderKind::kDcbxApplication;
  static constexpr std::string_view kName = "lldp.dcbx.ieee.app";
  static constexpr std::string_view kTitle = "DCBX application priority";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.11";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("lldp.dcbx.ieee.app.reserved", "Reserved", 0, 8),
  };
  using HeaderView::HeaderView;
};

/// RoCEv2 is UDP port 4791, RoCEv1 EtherType 0x8915.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Pri | R | Sel |            Protocol           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct DcbxApplicationEntry : HeaderView<DcbxApplicationEntry> {
  static constexpr HeaderKind kKind = HeaderKind::kDcbxApplicationEntry;
  static constexpr std::string_view kName = "lldp.dcbx.ieee.app";
  static constexpr std::string_view kTitle = "DCBX application";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.11";
  static constexpr std::size_t kSize = 3;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.dcbx.ieee.app.prio", "Priority", 0, 3),
      field::number("rocescope.dcbx.app.reserved", "Reserved", 3, 2),
      field::number("lldp.dcbx.iee.app.sf", "Selector", 5, 3).named(kApplicationSelectorNames),
      field::hex("lldp.dcbx.feature.app.proto", "Protocol", 8, 16),
  };
  using HeaderView::HeaderView;
};

/// Subtype 8, quantized congestion notification: which priorities can do it, which are ready.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Capable 7..0 |   Ready 7..0  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct DcbxCongestion : HeaderView<DcbxCongestion> {
  static constexpr HeaderKind kKind = HeaderKind::kDcbxCongestion;
  static constexpr std::string_view kName = "lldp.ieee.802_1qau";
  static constexpr std::string_view kTitle = "DCBX congestion notification";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.7";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::flag("lldp.ieee.802_1qau.cnpv.prio7", "Capability of priority 7", 0),
      field::flag("lldp.ieee.802_1qau.cnpv.prio6", "Capability of priority 6", 1),
      field::flag("lldp.ieee.802_1qau.cnpv.prio5", "Capability of priority 5", 2),
      field::flag("lldp.ieee.802_1qau.cnpv.prio4", "Capability of priority 4", 3),
      field::flag("lldp.ieee.802_1qau.cnpv.prio3", "Capability of priority 3", 4),
      field::flag("lldp.ieee.802_1qau.cnpv.prio2", "Capability of priority 2", 5),
      field::flag("lldp.ieee.802_1qau.cnpv.prio1", "Capability of priority 1", 6),
      field::flag("lldp.ieee.802_1qau.cnpv.prio0", "Capability of priority 0", 7),
      field::flag("lldp.ieee.802_1qau.ready.prio7", "Readiness of priority 7", 8),
      field::flag("lldp.ieee.802_1qau.ready.prio6", "Readiness of priority 6", 9),
      field::flag("lldp.ieee.802_1qau.ready.prio5", "Readiness of priority 5", 10),
      field::flag("lldp.ieee.802_1qau.ready.prio4", "Readiness of priority 4", 11),
      field::flag("lldp.ieee.802_1qau.ready.prio3", "Readiness of priority 3", 12),
      field::flag("lldp.ieee.802_1qau.ready.prio2", "Readiness of priority 2", 13),
      field::flag("lldp.ieee.802_1qau.ready.prio1", "Readiness of priority 1", 14),
      field::flag("lldp.ieee.802_1qau.ready.prio0", "Readiness of priority 0", 15),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
