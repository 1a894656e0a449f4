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
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

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
