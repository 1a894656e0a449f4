// Encapsulated Remote Switched Port Analyzer, draft-foschiano-erspan-03: Ethernet frames that a switch mirrors. Type I
// has no header of its own. Type II:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Ver 1 |          VLAN         | COS | En|T|     Session ID    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |        Reserved       |                 Index                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Type III, and the platform sub-header that follows where O is set:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Ver 2 |          VLAN         | COS |BSO|T|     Session ID    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Timestamp                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Security group tag      |P|    FT   |   HW ID   |D| Gr|O|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Platf ID |                 Platform specific                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Platform specific                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// En: what became of the frame's VLAN tag. T: the mirror cut the frame. BSO: bad, short, oversized. P: an Ethernet
// frame follows. FT: frame type. D: direction. Gr: granularity of the timestamp.
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

inline constexpr ValueName kErspanVersionNames[] = {{1, 1, "type II"}, {2, 2, "type III"}};
inline constexpr ValueName kErspanEncapNames[] = {
    {0, 0, "untagged"}, {1, 1, "ISL"}, {2, 2, "802.1Q"}, {3, 3, "tag preserved"}};
inline constexpr ValueName kErspanTruncatedNames[] = {{0, 0, "not truncated"}, {1, 1, "truncated by the mirror"}};
inline constexpr ValueName kErspanBsoNames[] = {
    {0, 0, "good or unknown"}, {1, 1, "short"}, {2, 2, "oversized"}, {3, 3, "CRC or alignment error"}};
inline constexpr ValueName kErspanFrameTypeNames[] = {{0, 0, "Ethernet"}, {2, 2, "IP"}};
inline constexpr ValueName kErspanGranularityNames[] = {
    {0, 0, "100 us"}, {1, 1, "100 ns"}, {2, 2, "IEEE 1588"}, {3, 3, "user configured"}};

struct ErspanII : HeaderView<ErspanII> {
  static constexpr HeaderKind kKind = HeaderKind::kErspanII;
  static constexpr std::string_view kName = "erspan";
  static constexpr std::string_view kTitle = "ERSPAN type II";
  static constexpr std::string_view kReference = "draft-foschiano-erspan-03 4.2";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("erspan.version", "Version", 0, 4).named(kErspanVersionNames),
      field::number("erspan.vlan", "VLAN", 4, 12),
      field::number("erspan.cos", "Class of service", 16, 3),
      field::number("erspan.encap", "Encapsulation", 19, 2).named(kErspanEncapNames),
      field::number("erspan.truncated", "Truncated", 21, 1).named(kErspanTruncatedNames),
      field::number("erspan.spanid", "Session ID", 22, 10),
      field::number("erspan.reserved", "Reserved", 32, 12),
      field::number("erspan.index", "Index", 44, 20),
  };
  using HeaderView::HeaderView;
};

struct ErspanIII : HeaderView<ErspanIII> {
  static constexpr HeaderKind kKind = HeaderKind::kErspanIII;
  static constexpr std::string_view kName = "erspan";
  static constexpr std::string_view kTitle = "ERSPAN type III";
  static constexpr std::string_view kReference = "draft-foschiano-erspan-03 4.3";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("erspan.version", "Version", 0, 4).named(kErspanVersionNames),
      field::number("erspan.vlan", "VLAN", 4, 12),
      field::number("erspan.cos", "Class of service", 16, 3),
      field::number("erspan.bso", "Bad, short, oversized", 19, 2).named(kErspanBsoNames),
      field::number("erspan.truncated", "Truncated", 21, 1).named(kErspanTruncatedNames),
      field::number("erspan.spanid", "Session ID", 22, 10),
      field::number("erspan.timestamp", "Timestamp", 32, 32),
      field::number("erspan.sgt", "Security group tag", 64, 16),
      field::number("erspan.p", "Ethernet frame follows", 80, 1),
      field::number("erspan.ft", "Frame type", 81, 5).named(kErspanFrameTypeNames),
      field::number("erspan.hw", "Hardware ID", 86, 6),
      field::flag("erspan.direction", "Egress", 92),
      field::number("erspan.gra", "Timestamp granularity", 93, 2).named(kErspanGranularityNames),
      field::number("erspan.o", "Platform sub-header follows", 95, 1),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t frame_type() const noexcept { return get<"erspan.ft">(); }
  [[nodiscard]] constexpr bool has_platform_header() const noexcept { return get<"erspan.o">() != 0; }
};

/// The sub-header of type III: the platform ID says how the rest is read.
struct ErspanPlatform : HeaderView<ErspanPlatform> {
  static constexpr HeaderKind kKind = HeaderKind::kErspanPlatform;
  static constexpr std::string_view kName = "erspan.platform";
  static constexpr std::string_view kTitle = "ERSPAN platform sub-header";
  static constexpr std::string_view kReference = "draft-foschiano-erspan-03 4.4";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kContinues = true;
  static constexpr unsigned kUnknownPlatform = 0xFF;
  /// The platform IDs that share a layout are counted as one: 0 as 7, 6 as 5, all that are not known.
  static constexpr unsigned layout_of(unsigned platform_id) {
    switch (platform_id) {
      case 0:
        return 7;
      case 6:
        return 5;
      case 1:
      case 3:
      case 4:
      case 5:
      case 7:
        return platform_id;
      default:
        return kUnknownPlatform;
    }
  }
  template <unsigned Layout>
  static constexpr bool is_platform(const std::uint8_t* header) {
    return layout_of(header[0] >> 2) == Layout;
  }
  static constexpr Field kFields[] = {
      field::number("erspan.platid", "Platform ID", 0, 6),
      field::number("erspan.pid1.rsvd1", "Reserved", 6, 14).when(is_platform<1>),
      field::number("erspan.pid1.vsmid", "VSM domain ID", 20, 12).when(is_platform<1>),
      field::number("erspan.pid1.port_index", "Port", 32, 32).when(is_platform<1>),
      field::number("erspan.pid3.rsvd1", "Reserved", 6, 12).when(is_platform<3>),
      field::number("erspan.pid3.port_index", "Port", 18, 14).when(is_platform<3>),
      field::number("erspan.pid3.timestamp", "Upper half of the timestamp", 32, 32).when(is_platform<3>),
      field::number("erspan.pid4.rsvd1", "Reserved", 6, 12).when(is_platform<4>),
      field::number("erspan.pid4.rsvd2", "Reserved", 18, 14).when(is_platform<4>),
      field::number("erspan.pid4.rsvd3", "Reserved", 32, 32).when(is_platform<4>),
      field::number("erspan.pid5.switchid", "Switch ID", 6, 10).when(is_platform<5>),
      field::number("erspan.pid5.port_index", "Port", 16, 16).when(is_platform<5>),
      field::number("erspan.pid5.timestamp", "Timestamp (seconds)", 32, 32).when(is_platform<5>),
      field::number("erspan.pid7.rsvd1", "Reserved", 6, 6).when(is_platform<7>),
      field::number("erspan.pid7.source_index", "Source index", 12, 20).when(is_platform<7>),
      field::number("erspan.pid7.timestamp", "Upper half of the timestamp", 32, 32).when(is_platform<7>),
      field::hex("rocescope.erspan.platform_data", "Platform data", 6, 58).when(is_platform<kUnknownPlatform>),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
