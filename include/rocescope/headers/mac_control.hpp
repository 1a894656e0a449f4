// MAC control, IEEE 802.3 31: PAUSE (802.3 annex 31B) and priority-based flow control (802.1Qbb, 802.3 annex 31D).
// Times are in quanta of 512 bit times; 0 lets traffic go on. The frame comes from the side that is congested.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Opcode            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

namespace mac_control {
inline constexpr std::uint16_t kPause = 0x0001;
inline constexpr std::uint16_t kGate = 0x0002;
inline constexpr std::uint16_t kRegisterAck = 0x0006;
inline constexpr std::uint16_t kPfc = 0x0101;
}  // namespace mac_control

inline constexpr ValueName kMacControlNames[] = {
    {0x0001, 0x0001, "PAUSE"},    {0x0002, 0x0002, "GATE"},
    {0x0003, 0x0003, "REPORT"},   {0x0004, 0x0004, "REGISTER_REQ"},
    {0x0005, 0x0005, "REGISTER"}, {0x0006, 0x0006, "REGISTER_ACK"},
    {0x0101, 0x0101, "PFC"},      {0xFFFE, 0xFFFE, "organization-specific"}};

struct MacControl : HeaderView<MacControl> {
  static constexpr HeaderKind kKind = HeaderKind::kMacControl;
  static constexpr std::string_view kName = "macc";
  static constexpr std::string_view kTitle = "MAC control";
  static constexpr std::string_view kReference = "IEEE 802.3 31";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::hex("macc.opcode", "Opcode", 0, 16).named(kMacControlNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t opcode() const noexcept { return get<"macc.opcode">(); }
};

struct MacPause : HeaderView<MacPause> {
  static constexpr HeaderKind kKind = HeaderKind::kMacPause;
  static constexpr std::string_view kName = "macc";
  static constexpr std::string_view kTitle = "PAUSE";
  static constexpr std::string_view kReference = "IEEE 802.3 31B";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("macc.pause_time", "Pause time", 0, 16),
  };
  using HeaderView::HeaderView;

  /// In quanta of 512 bit times.
  [[nodiscard]] constexpr std::uint16_t time() const noexcept { return get<"macc.pause_time">(); }
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |7|6|5|4|3|2|1|0|       Time of priority 0      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Time of priority 1      |       Time of priority 2      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Time of priority 3      |       Time of priority 4      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Time of priority 5      |       Time of priority 6      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Time of priority 7      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct MacPfc : HeaderView<MacPfc> {
  static constexpr HeaderKind kKind = HeaderKind::kMacPfc;
  static constexpr std::string_view kName = "macc.cbfc";
  static constexpr std::string_view kTitle = "Priority-based flow control";
  static constexpr std::string_view kReference = "IEEE 802.1Qbb";
  static constexpr std::size_t kSize = 18;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("macc.cbfc.enbv", "Class enable vector", 0, 16),
      field::hex("rocescope.macc.cbfc.enbv.reserved", "Reserved", 0, 8).part(),
      field::flag("macc.cbfc.enbv.c7", "Priority 7", 8).part(),
      field::flag("macc.cbfc.enbv.c6", "Priority 6", 9).part(),
      field::flag("macc.cbfc.enbv.c5", "Priority 5", 10).part(),
      field::flag("macc.cbfc.enbv.c4", "Priority 4", 11).part(),
      field::flag("macc.cbfc.enbv.c3", "Priority 3", 12).part(),
      field::flag("macc.cbfc.enbv.c2", "Priority 2", 13).part(),
      field::flag("macc.cbfc.enbv.c1", "Priority 1", 14).part(),
      field::flag("macc.cbfc.enbv.c0", "Priority 0", 15).part(),
      field::number("macc.cbfc.pause_time.c0", "Pause time of priority 0", 16, 16),
      field::number("macc.cbfc.pause_time.c1", "Pause time of priority 1", 32, 16),
      field::number("macc.cbfc.pause_time.c2", "Pause time of priority 2", 48, 16),
      field::number("macc.cbfc.pause_time.c3", "Pause time of priority 3", 64, 16),
      field::number("macc.cbfc.pause_time.c4", "Pause time of priority 4", 80, 16),
      field::number("macc.cbfc.pause_time.c5", "Pause time of priority 5", 96, 16),
      field::number("macc.cbfc.pause_time.c6", "Pause time of priority 6", 112, 16),
      field::number("macc.cbfc.pause_time.c7", "Pause time of priority 7", 128, 16),
  };
  using HeaderView::HeaderView;

  /// Whether the frame says anything of `priority` (0 to 7).
  [[nodiscard]] constexpr bool enabled(unsigned priority) const noexcept {
    return ((unsigned{get<"macc.cbfc.enbv">()} >> priority) & 1U) != 0;
  }
  /// How long `priority` (0 to 7) must be silent, in quanta of 512 bit times.
  [[nodiscard]] constexpr std::uint16_t time(unsigned priority) const noexcept {
    return static_cast<std::uint16_t>(load_bits(bytes().data(), 16 + 16 * std::size_t{priority}, 16));
  }
};

/// Opcodes 2 to 6, those of Ethernet PON, start with the time of the sender.
struct MacTimestamp : HeaderView<MacTimestamp> {
  static constexpr HeaderKind kKind = HeaderKind::kMacTimestamp;
  static constexpr std::string_view kName = "macc";
  static constexpr std::string_view kTitle = "MAC control time stamp";
  static constexpr std::string_view kReference = "IEEE 802.3 64.3.6";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("macc.timestamp", "Time stamp", 0, 32),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
