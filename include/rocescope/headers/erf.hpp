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
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

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

}  // namespace rocescope
