// RNBD, the RDMA Network Block Device (Linux, drivers/block/rnbd/rnbd-proto.h): headers of requests of RTRS, and data
// of their responses. All numbers are little-endian. Each begins with:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Type              |            Padding            |
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/header.hpp"

namespace rocescope {

enum class RnbdType : std::uint16_t {
  kSessionInfo = 0,
  kSessionInfoResponse = 1,
  kOpen = 2,
  kOpenResponse = 3,
  kIo = 4,
  kClose = 5
};
inline constexpr ValueName kRnbdTypeNames[] = {{0, 0, "Session Info"}, {1, 1, "Session Info Response"},
                                               {2, 2, "Open"},         {3, 3, "Open Response"},
                                               {4, 4, "IO"},           {5, 5, "Close"}};
inline constexpr ValueName kRnbdOperationNames[] = {{0, 0, "Read"},         {1, 1, "Write"},
                                                    {2, 2, "Flush"},        {3, 3, "Discard"},
                                                    {4, 4, "Secure Erase"}, {5, 5, "Write Same or Zeroes"}};
inline constexpr ValueName kRnbdAccessNames[] = {{0, 0, "Read Only"}, {1, 1, "Read and Write"}, {2, 2, "Migration"}};

namespace detail {
[[nodiscard]] constexpr Field rnbd_type() {
  return field::number("rocescope.rnbd.type", "Type", 0, 16).named(kRnbdTypeNames).little_endian();
}
[[nodiscard]] constexpr Field rnbd_padding() { return field::bytes("rocescope.rnbd.padding", "Padding", 16, 16); }
[[nodiscard]] constexpr Field rnbd_device(std::uint32_t at) {
  return field::number("rocescope.rnbd.device", "Device", at, 32).little_endian();
}
}  // namespace detail

struct RnbdIo : HeaderView<RnbdIo> {
  static constexpr HeaderKind kKind = HeaderKind::kRnbdIo;
  static constexpr std::string_view kName = "rocescope.rnbd.io";
  static constexpr std::string_view kTitle = "RNBD IO";
  static constexpr std::string_view kReference = "Linux, struct rnbd_msg_io";
  static constexpr std::size_t kSize = 26;  // Linux pads it to 32
  static constexpr Field kFields[] = {
      detail::rnbd_type(),
      detail::rnbd_padding(),
      detail::rnbd_device(32),
      field::number("rocescope.rnbd.sector", "Sector", 64, 64).little_endian(),
      field::hex("rocescope.rnbd.rw", "Operation and flags", 128, 32).little_endian(),
      field::number("rocescope.rnbd.op", "Operation", 128, 8).named(kRnbdOperationNames).part(),
      field::hex("rocescope.rnbd.flags", "Flags", 136, 24).part(),
      field::number("rocescope.rnbd.size", "Bytes", 160, 32).little_endian(),
      field::number("rocescope.rnbd.prio", "Priority", 192, 16).little_endian(),
      field::bytes("rocescope.rnbd.pad", "Padding", 208),
  };
  using HeaderView::HeaderView;
};

struct RnbdOpen : HeaderView<RnbdOpen> {
  static constexpr HeaderKind kKind = HeaderKind::kRnbdOpen;
  static constexpr std::string_view kName = "rocescope.rnbd.open";
  static constexpr std::string_view kTitle = "RNBD Open";
  static constexpr std::string_view kReference = "Linux, struct rnbd_msg_open";
  static constexpr std::size_t kSize = 264;
  static constexpr Field kFields[] = {
      detail::rnbd_type(),
      detail::rnbd_padding(),
      field::number("rocescope.rnbd.access", "Access", 32, 8).named(kRnbdAccessNames),
      field::bytes("rocescope.rnbd.reserved", "Reserved", 40, 8),
      field::text("rocescope.rnbd.path", "Path", 48, 2'040),
      field::bytes("rocescope.rnbd.reserved", "Reserved", 2'088, 24),
  };
  using HeaderView::HeaderView;
};

struct RnbdClose : HeaderView<RnbdClose> {
  static constexpr HeaderKind kKind = HeaderKind::kRnbdClose;
  static constexpr std::string_view kName = "rocescope.rnbd.close";
  static constexpr std::string_view kTitle = "RNBD Close";
  static constexpr std::string_view kReference = "Linux, struct rnbd_msg_close";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {detail::rnbd_type(), detail::rnbd_padding(), detail::rnbd_device(32)};
  using HeaderView::HeaderView;
};

/// All others.
struct RnbdMessage : HeaderView<RnbdMessage> {
  static constexpr HeaderKind kKind = HeaderKind::kRnbdMessage;
  static constexpr std::string_view kName = "rocescope.rnbd";
  static constexpr std::string_view kTitle = "RNBD";
  static constexpr std::string_view kReference = "Linux, struct rnbd_msg_hdr";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      detail::rnbd_type(),
      detail::rnbd_padding(),
      field::bytes("rocescope.rnbd.rest", "Rest", 32),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
