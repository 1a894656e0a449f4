// Dynamically connected transport, of NVIDIA.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

// NVIDIA Dynamically Connected transport header, as observed on the wire after BTH opcodes 0x40 to 0x5F; no public
// specification. The low five bits of the opcode say what follows.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Flags     |                   Source QP                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Unknown                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          DCT context                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        DC key or Q_Key                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                              Zero                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Dceth : HeaderView<Dceth> {
  static constexpr HeaderKind kKind = HeaderKind::kDceth;
  static constexpr std::string_view kName = "rocescope.dceth";
  static constexpr std::string_view kTitle = "Dynamically Connected Transport Header";
  static constexpr std::string_view kReference = "as observed";
  static constexpr std::size_t kSize = 20;
  static constexpr Field kFields[] = {
      field::hex("rocescope.dceth.flags", "Flags", 0, 8),
      field::hex("rocescope.dceth.srcqp", "Source queue pair", 8, 24),
      field::hex("rocescope.dceth.unknown", "Unknown", 32, 32),
      field::hex("rocescope.dceth.context", "DCT context", 64, 32),
      field::hex("rocescope.dceth.key", "DC key or Q_Key", 96, 32),
      field::hex("rocescope.dceth.reserved", "Reserved", 128, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr Qpn src_qp() const noexcept { return Qpn(get<"rocescope.dceth.srcqp">()); }
  [[nodiscard]] constexpr std::uint32_t key() const noexcept { return get<"rocescope.dceth.key">(); }
};

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
