// What follows the DC transport header of a DC Connect (opcode 0x55), and the AETH of a DC Acknowledge that is a NAK;
// as observed on the wire, no public specification.
//
// Connect:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Unknown                            |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Access key                          |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// NAK:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Unknown                            |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct DcConnect : HeaderView<DcConnect> {
  static constexpr HeaderKind kKind = HeaderKind::kDcConnect;
  static constexpr std::string_view kName = "rocescope.dcconnect";
  static constexpr std::string_view kTitle = "DC Connect";
  static constexpr std::string_view kReference = "as observed";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::hex("rocescope.dcconnect.unknown", "Unknown", 0, 64),
      field::hex("rocescope.dcconnect.accesskey", "Access key", 64, 64),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint64_t access_key() const noexcept { return get<"rocescope.dcconnect.accesskey">(); }
};

struct DcNak : HeaderView<DcNak> {
  static constexpr HeaderKind kKind = HeaderKind::kDcNak;
  static constexpr std::string_view kName = "rocescope.dcnak";
  static constexpr std::string_view kTitle = "DC NAK";
  static constexpr std::string_view kReference = "as observed";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("rocescope.dcnak.unknown", "Unknown", 0, 64),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
