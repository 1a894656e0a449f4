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
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

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
