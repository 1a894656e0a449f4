// Data Center Bridging Exchange of Converged Enhanced Ethernet ("CEE", DCBX base specification 1.01; subtype 2) and
// what came before it ("CIN", subtype 1): LLDP elements of organization 00-1B-21 with elements inside. Control:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Type (1)  |      Length     | Oper. version |  Max. version |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Sequence number                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Acknowledged number                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

namespace cee_type {
inline constexpr std::uint8_t kControl = 1;
inline constexpr std::uint8_t kPriorityGroups = 2;
inline constexpr std::uint8_t kPfc = 3;
inline constexpr std::uint8_t kApplication = 4;
inline constexpr std::uint8_t kLanDown = 5;
inline constexpr std::uint8_t kSanDown = 6;
}  // namespace cee_type

inline constexpr ValueName kCeeTypeNames[] = {
    {1, 1, "control"},     {2, 2, "priority groups"},       {3, 3, "priority-based flow control"},
    {4, 4, "application"}, {5, 5, "LAN logical link down"}, {6, 6, "SAN logical link down"}};
inline constexpr ValueName kCeeSelectorNames[] = {{0, 0, "EtherType"}, {1, 1, "TCP or UDP port"}};

struct CeeControl : HeaderView<CeeControl> {
  static constexpr HeaderKind kKind = HeaderKind::kCeeControl;
  static constexpr std::string_view kName = "lldp.dcbx.control";
  static constexpr std::string_view kTitle = "DCBX control";
  static constexpr std::string_view kReference = "DCBX 1.01 3.1";
  static constexpr std::size_t kSize = 12;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.dcbx.type", "Type", 0, 7).named(kCeeTypeNames),
      field::number("lldp.dcbx.len", "Length", 7, 9),
      field::hex("lldp.dcbx.version", "Operating version", 16, 8),
      field::hex("lldp.dcbx.max_version", "Maximum version", 24, 8),
      field::number("lldp.dcbx.control.seq", "Sequence number", 32, 32),
      field::number("lldp.dcbx.control.ack", "Acknowledged number", 64, 32),
  };
  using HeaderView::HeaderView;
};

/// Starts every feature. E: enabled. W: willing. R: error.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     | Oper. version |  Max. version |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |E|W|R|   Resv  |    Subtype    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct CeeFeature : HeaderView<CeeFeature> {
  static constexpr HeaderKind kKind = HeaderKind::kCeeFeature;
  static constexpr std::string_view kName = "lldp.dcbx.feature";
  static constexpr std::string_view kTitle = "DCBX feature";
  static constexpr std::string_view kReference = "DCBX 1.01 3.2";
  static constexpr std::size_t kSize = 6;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.dcbx.type", "Type", 0, 7).named(kCeeTypeNames),
      field::number("lldp.dcbx.len", "Length", 7, 9),
      field::hex("lldp.dcbx.version", "Operating version", 16, 8),
      field::hex("lldp.dcbx.max_version", "Maximum version", 24, 8),
      field::flag("lldp.dcbx.feature.enabled", "Enabled", 32),
      field::flag("lldp.dcbx.feature.willing", "Willing", 33),
      field::flag("lldp.dcbx.feature.error", "Error", 34),
      field::number("rocescope.dcbx.feature.reserved", "Reserved", 35, 5),
      field::hex("lldp.dcbx.feature.subtype", "Subtype", 40, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t type() const noexcept { return get<"lldp.dcbx.type">(); }
};

/// The group of each priority, the share of each group.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   P0  |   P1  |   P2  |   P3  |   P4  |   P5  |   P6  |   P7  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Percent G0  |   Percent G1  |   Percent G2  |   Percent G3  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Percent G4  |   Percent G5  |   Percent G6  |   Percent G7  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Classes    |
//   +-+-+-+-+-+-+-+-+
struct CeePriorityGroups : HeaderView<CeePriorityGroups> {
  static constexpr HeaderKind kKind = HeaderKind::kCeePriorityGroups;
  static constexpr std::string_view kName = "lldp.dcbx.feature.pg";
  static constexpr std::string_view kTitle = "DCBX priority groups";
  static constexpr std::string_view kReference = "DCBX 1.01 3.3";
  static constexpr std::size_t kSize = 13;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.dcbx.feature.pg.pgid_prio0", "Group of priority 0", 0, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio1", "Group of priority 1", 4, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio2", "Group of priority 2", 8, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio3", "Group of priority 3", 12, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio4", "Group of priority 4", 16, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio5", "Group of priority 5", 20, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio6", "Group of priority 6", 24, 4),
      field::number("lldp.dcbx.feature.pg.pgid_prio7", "Group of priority 7", 28, 4),
      field::number("lldp.dcbx.feature.pg.per0", "Bandwidth of group 0 in percent", 32, 8),
      field::number("lldp.dcbx.feature.pg.per1", "Bandwidth of group 1 in percent", 40, 8),
      field::number("lldp.dcbx.feature.pg.per2", "Bandwidth of group 2 in percent", 48, 8),
      field::number("lldp.dcbx.feature.pg.per3", "Bandwidth of group 3 in percent", 56, 8),
      field::number("lldp.dcbx.feature.pg.per4", "Bandwidth of group 4 in percent", 64, 8),
      field::number("lldp.dcbx.feature.pg.per5", "Bandwidth of group 5 in percent", 72, 8),
      field::number("lldp.dcbx.feature.pg.per6", "Bandwidth of group 6 in percent", 80, 8),
      field::number("lldp.dcbx.feature.pg.per7", "Bandwidth of group 7 in percent", 88, 8),
      field::hex("lldp.dcbx.feature.pg.numtcs", "Traffic classes supported", 96, 8),
  };
  using HeaderView::HeaderView;
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+
//   |7|6|5|4|3|2|1|0|
//   +-+-+-+-+-+-+-+-+
struct CeePfc : HeaderView<CeePfc> {
  static constexpr HeaderKind kKind = HeaderKind::kCeePfc;
  static constexpr std::string_view kName = "lldp.dcbx.feature.pfc";
  static constexpr std::string_view kTitle = "DCBX priority-based flow control";
  static constexpr std::string_view kReference = "DCBX 1.01 3.4";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::flag("lldp.dcbx.feature.pfc.prio7", "PFC for priority 7", 0),
      field::flag("lldp.dcbx.feature.pfc.prio6", "PFC for priority 6", 1),
      field::flag("lldp.dcbx.feature.pfc.prio5", "PFC for priority 5", 2),
      field::flag("lldp.dcbx.feature.pfc.prio4", "PFC for priority 4", 3),
      field::flag("lldp.dcbx.feature.pfc.prio3", "PFC for priority 3", 4),
      field::flag("lldp.dcbx.feature.pfc.prio2", "PFC for priority 2", 5),
      field::flag("lldp.dcbx.feature.pfc.prio1", "PFC for priority 1", 6),
      field::flag("lldp.dcbx.feature.pfc.prio0", "PFC for priority 0", 7),
  };
  using HeaderView::HeaderView;

  /// Bit n for priority n.
  [[nodiscard]] constexpr std::uint8_t enabled() const noexcept { return bytes()[0]; }
};

/// S: selector. The OUI is split around it.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Protocol           |    OUI    | S |   OUI (low)   |
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |   Priorities  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct CeeApplication : HeaderView<CeeApplication> {
  static constexpr HeaderKind kKind = HeaderKind::kCeeApplication;
  static constexpr std::string_view kName = "lldp.dcbx.feature.app";
  static constexpr std::string_view kTitle = "DCBX application";
  static constexpr std::string_view kReference = "DCBX 1.01 3.5";
  static constexpr std::size_t kSize = 6;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("lldp.dcbx.feature.app.proto", "Protocol", 0, 16),
      field::hex("rocescope.dcbx.app.oui_high", "Organization code, high bits", 16, 6),
      field::number("lldp.dcbx.feature.app.sf", "Selector", 22, 2).named(kCeeSelectorNames),
      field::hex("rocescope.dcbx.app.oui_low", "Organization code, low bits", 24, 16),
      field::hex("rocescope.dcbx.app.priorities", "Priorities, bit by bit", 40, 8),
  };
  using HeaderView::HeaderView;
};

/// CEE only: CIN ends with the priorities.
struct CeePfcClasses : HeaderView<CeePfcClasses> {
  static constexpr HeaderKind kKind = HeaderKind::kCeePfcClasses;
  static constexpr std::string_view kName = "lldp.dcbx.feature.pfc";
  static constexpr std::string_view kTitle = "DCBX classes with flow control";
  static constexpr std::string_view kReference = "DCBX 1.01 3.4";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("lldp.dcbx.feature.pfc.numtcs", "Traffic classes supported", 0, 8),
  };
  using HeaderView::HeaderView;
};

/// What to do when the logical link of a kind of traffic goes down.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+
//   |D|     Resv    |
//   +-+-+-+-+-+-+-+-+
struct CeeLogicalLink : HeaderView<CeeLogicalLink> {
  static constexpr HeaderKind kKind = HeaderKind::kCeeLogicalLink;
  static constexpr std::string_view kName = "lldp.dcbx.feature.llink";
  static constexpr std::string_view kTitle = "DCBX logical link";
  static constexpr std::string_view kReference = "DCBX 1.0";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("lldp.dcbx.feature.llink.type", "Type", 0, 1).digits(2),
      field::number("rocescope.dcbx.llink.reserved", "Reserved", 1, 7),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
