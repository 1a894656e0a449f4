// What switches and taps add to a frame: trailers and time stamps.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

// What devices append to Ethernet frames: time stamps of taps and layer 1 switches, and the frame check sequence.
// dissectors/trailer.cpp distinguishes them from padding.
//
// Metamako (now Arista 7130), the last twelve bytes; the frame check sequence that the frame came with stands before
// them:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Seconds                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Nanoseconds                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Resv   |E|V|         Source device         |  Source port  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// E: extensions stand between the original frame check sequence and the seconds. V: the original one is valid.

/// IEEE 802.3 3.2.9: the CRC-32 of the frame, least significant byte first; shown in the order of the wire, as
/// Wireshark does.
struct EthernetFcs : HeaderView<EthernetFcs> {
  static constexpr HeaderKind kKind = HeaderKind::kEthernetFcs;
  static constexpr std::string_view kName = "eth.fcs";
  static constexpr std::string_view kTitle = "Frame check sequence";
  static constexpr std::string_view kReference = "IEEE 802.3 3.2.9";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::hex("eth.fcs", "Frame check sequence", 0, 32),
  };
  using HeaderView::HeaderView;
};

/// The frame check sequence that a frame had when a Metamako device stamped it.
struct MetamakoFcs : HeaderView<MetamakoFcs> {
  static constexpr HeaderKind kKind = HeaderKind::kMetamakoFcs;
  static constexpr std::string_view kName = "metamako";
  static constexpr std::string_view kTitle = "Metamako original FCS";
  static constexpr std::string_view kReference = "Metamako trailer";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::hex("metamako.orig_fcs", "Original FCS", 0, 32),
  };
  using HeaderView::HeaderView;
};

struct MetamakoExtensions : HeaderView<MetamakoExtensions> {
  static constexpr HeaderKind kKind = HeaderKind::kMetamakoExtensions;
  static constexpr std::string_view kName = "metamako";
  static constexpr std::string_view kTitle = "Metamako extensions";
  static constexpr std::string_view kReference = "Metamako trailer";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.metamako.ext", "Extensions", 0),
  };
  using HeaderView::HeaderView;
};

struct Metamako : HeaderView<Metamako> {
  static constexpr HeaderKind kKind = HeaderKind::kMetamako;
  static constexpr std::string_view kName = "metamako";
  static constexpr std::string_view kTitle = "Metamako time stamp";
  static constexpr std::string_view kReference = "Metamako trailer";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("rocescope.metamako.seconds", "Seconds", 0, 32),
      field::number("rocescope.metamako.nanoseconds", "Nanoseconds", 32, 32),
      field::hex("metamako.flags", "Flags", 64, 8),
      field::hex("metamako.reserved", "Reserved", 64, 6).digits(2).part(),
      field::flag("metamako.flags.has_extensions", "Extensions present", 70).part(),
      field::flag("metamako.flags.orig_fcs_vld", "Original FCS valid", 71).part(),
      field::number("metamako.srcdevice", "Source device", 72, 16),
      field::number("metamako.srcport", "Source port", 88, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t seconds() const noexcept { return get<"rocescope.metamako.seconds">(); }
  [[nodiscard]] constexpr std::uint32_t nanoseconds() const noexcept { return get<"rocescope.metamako.nanoseconds">(); }
  [[nodiscard]] constexpr bool reserved() const noexcept { return get<"metamako.reserved">() != 0; }
  [[nodiscard]] constexpr bool extended() const noexcept { return get<"metamako.flags.has_extensions">(); }
};

/// Exablaze (now Cisco Nexus 3550). The fraction counts 2^-40 seconds.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                 Original frame check sequence                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Device    |      Port     |            Seconds            |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |                               |
//   +                                               +-+-+-+-+-+-+-+-+
//   |                    Fraction                   |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Exablaze : HeaderView<Exablaze> {
  static constexpr HeaderKind kKind = HeaderKind::kExablaze;
  static constexpr std::string_view kName = "exablaze";
  static constexpr std::string_view kTitle = "Exablaze time stamp";
  static constexpr std::string_view kReference = "Exablaze trailer";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::hex("exablaze.original_fcs", "Original FCS", 0, 32),
      field::number("exablaze.device", "Device", 32, 8),
      field::number("exablaze.port", "Port", 40, 8),
      field::number("exablaze.timestamp.seconds", "Seconds", 48, 32),
      field::hex("rocescope.exablaze.fraction", "Fraction of a second", 80, 40),
      field::hex("rocescope.exablaze.reserved", "Reserved", 120, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t seconds() const noexcept { return get<"exablaze.timestamp.seconds">(); }
  [[nodiscard]] constexpr std::uint8_t reserved() const noexcept { return get<"rocescope.exablaze.reserved">(); }
};

/// VSS Monitoring and Gigamon. C: clock source.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Seconds                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | C |                        Nanoseconds                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Vss : HeaderView<Vss> {
  static constexpr HeaderKind kKind = HeaderKind::kVss;
  static constexpr std::string_view kName = "vssmonitoring";
  static constexpr std::string_view kTitle = "VSS Monitoring time stamp";
  static constexpr std::string_view kReference = "VSS Monitoring trailer";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("rocescope.vssmonitoring.seconds", "Seconds", 0, 32),
      field::number("vssmonitoring.clksrc", "Clock source", 32, 2),
      field::number("rocescope.vssmonitoring.nanoseconds", "Nanoseconds", 34, 30),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t seconds() const noexcept { return get<"rocescope.vssmonitoring.seconds">(); }
  [[nodiscard]] constexpr std::uint32_t nanoseconds() const noexcept {
    return get<"rocescope.vssmonitoring.nanoseconds">();
  }
};

/// After the time stamp, the port in one byte or in two.
struct VssPort : HeaderView<VssPort> {
  static constexpr HeaderKind kKind = HeaderKind::kVssPort;
  static constexpr std::string_view kName = "vssmonitoring";
  static constexpr std::string_view kTitle = "VSS Monitoring port";
  static constexpr std::string_view kReference = "VSS Monitoring trailer";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("vssmonitoring.srcport", "Source port", 0, 8),
  };
  using HeaderView::HeaderView;
};

struct VssWidePort : HeaderView<VssWidePort> {
  static constexpr HeaderKind kKind = HeaderKind::kVssWidePort;
  static constexpr std::string_view kName = "vssmonitoring";
  static constexpr std::string_view kTitle = "VSS Monitoring port";
  static constexpr std::string_view kReference = "VSS Monitoring trailer";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("vssmonitoring.srcport", "Source port", 0, 16),
  };
  using HeaderView::HeaderView;
};

namespace ixia {
inline constexpr std::uint16_t kMagic = 0xAF12;
inline constexpr std::uint8_t kOriginalLength = 1;
inline constexpr std::uint8_t kFirstTimestamp = 3;
inline constexpr std::uint8_t kLastTimestamp = 7;
}  // namespace ixia

inline constexpr ValueName kIxiaTypeNames[] = {{1, 1, "original packet length"}, {3, 3, "local time stamp"},
                                               {4, 4, "NTP time stamp"},         {5, 5, "GPS time stamp"},
                                               {6, 6, "PTP time stamp"},         {7, 7, "time stamp"}};

/// Ixia: elements, and a mark at the end that says how long they are.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |     Length    |        Original length        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct IxiaLength : HeaderView<IxiaLength> {
  static constexpr HeaderKind kKind = HeaderKind::kIxiaLength;
  static constexpr std::string_view kName = "ixiatrailer";
  static constexpr std::string_view kTitle = "Ixia original length";
  static constexpr std::string_view kReference = "Ixia trailer";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("rocescope.ixiatrailer.type", "Type", 0, 8).named(kIxiaTypeNames),
      field::number("rocescope.ixiatrailer.length", "Length", 8, 8),
      field::number("ixiatrailer.packetlen", "Original packet length", 16, 16),
  };
  using HeaderView::HeaderView;
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |     Length    |            Seconds            |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |          Nanoseconds          |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct IxiaTimestamp : HeaderView<IxiaTimestamp> {
  static constexpr HeaderKind kKind = HeaderKind::kIxiaTimestamp;
  static constexpr std::string_view kName = "ixiatrailer";
  static constexpr std::string_view kTitle = "Ixia time stamp";
  static constexpr std::string_view kReference = "Ixia trailer";
  static constexpr std::size_t kSize = 10;
  static constexpr Field kFields[] = {
      field::number("rocescope.ixiatrailer.type", "Type", 0, 8).named(kIxiaTypeNames),
      field::number("rocescope.ixiatrailer.length", "Length", 8, 8),
      field::number("rocescope.ixiatrailer.seconds", "Seconds", 16, 32),
      field::number("rocescope.ixiatrailer.nanoseconds", "Nanoseconds", 48, 32),
  };
  using HeaderView::HeaderView;
};

struct IxiaField : HeaderView<IxiaField> {
  static constexpr HeaderKind kKind = HeaderKind::kIxiaField;
  static constexpr std::string_view kName = "ixiatrailer";
  static constexpr std::string_view kTitle = "Ixia element";
  static constexpr std::string_view kReference = "Ixia trailer";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::number("rocescope.ixiatrailer.type", "Type", 0, 8).named(kIxiaTypeNames),
      field::number("rocescope.ixiatrailer.length", "Length", 8, 8),
      field::bytes("ixiatrailer.generic", "Data", 16),
  };
  using HeaderView::HeaderView;
};

/// The length is that of all elements, the checksum that of RFC 1071 over all before it.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Length    |         Mark (0xAF12)         |    Checksum   |
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |
//   +-+-+-+-+-+-+-+-+
struct IxiaEnd : HeaderView<IxiaEnd> {
  static constexpr HeaderKind kKind = HeaderKind::kIxiaEnd;
  static constexpr std::string_view kName = "ixiatrailer";
  static constexpr std::string_view kTitle = "Ixia trailer";
  static constexpr std::string_view kReference = "Ixia trailer";
  static constexpr std::size_t kSize = 5;
  static constexpr Field kFields[] = {
      field::number("rocescope.ixiatrailer.fields_length", "Length of the elements", 0, 8),
      field::hex("rocescope.ixiatrailer.mark", "Mark", 8, 16),
      field::hex("rocescope.ixiatrailer.checksum", "Checksum", 24, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t fields_length() const noexcept {
    return get<"rocescope.ixiatrailer.fields_length">();
  }
  [[nodiscard]] constexpr std::uint16_t mark() const noexcept { return get<"rocescope.ixiatrailer.mark">(); }
};

// Time stamp header of Arista switches: after the MAC addresses, EtherType 0xD28B; the frame's own EtherType follows
// it.
//
// 64-bit time stamps (version 0x0010, TAI, or 0x0110, UTC):
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Subtype (1)          |            Version            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Seconds                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Nanoseconds                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |              Type             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

namespace avsp {
inline constexpr std::uint16_t kSubtype = 1;
}  // namespace avsp

inline constexpr ValueName kAvspVersionNames[] = {{0x0010, 0x0010, "64-bit TAI"},
                                                  {0x0020, 0x0020, "48-bit TAI"},
                                                  {0x0110, 0x0110, "64-bit UTC"},
                                                  {0x0120, 0x0120, "48-bit UTC"}};

struct Avsp64 : HeaderView<Avsp64> {
  static constexpr HeaderKind kKind = HeaderKind::kAvsp64;
  static constexpr std::string_view kName = "avsp";
  static constexpr std::string_view kTitle = "Arista time stamp";
  static constexpr std::string_view kReference = "Arista EOS";
  static constexpr std::size_t kSize = 14;
  static constexpr Field kFields[] = {
      field::number("avsp.sub_type", "Subtype", 0, 16),
      field::hex("avsp.ver", "Version", 16, 16).named(kAvspVersionNames),
      field::number("avsp.64sec", "Seconds", 32, 32),
      field::number("avsp.64ns", "Nanoseconds", 64, 32),
      field::hex("avsp.etype", "Type", 96, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"avsp.etype">(); }
};

/// 48-bit time stamps (versions 0x0020 and 0x0120): the low 16 bits of the seconds.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Subtype (1)          |            Version            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Seconds            |          Nanoseconds          |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |              Type             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Avsp48 : HeaderView<Avsp48> {
  static constexpr HeaderKind kKind = HeaderKind::kAvsp48;
  static constexpr std::string_view kName = "avsp";
  static constexpr std::string_view kTitle = "Arista time stamp";
  static constexpr std::string_view kReference = "Arista EOS";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("avsp.sub_type", "Subtype", 0, 16),
      field::hex("avsp.ver", "Version", 16, 16).named(kAvspVersionNames),
      field::number("avsp.48sec", "Seconds", 32, 16),
      field::number("avsp.48ns", "Nanoseconds", 48, 32),
      field::hex("avsp.etype", "Type", 80, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"avsp.etype">(); }
};

}  // namespace rocescope
