// What stands after the last header: payload, pad, CRCs, and bytes that belong to no protocol.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                            Payload                            /
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |           Pad, zero to three bytes            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Invariant CRC                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Variant CRC (native IB only) |            Trailer            /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Trailer: Ethernet padding, time stamps of taps, a frame check sequence.
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

/// IBTA 9.2.3: the message bytes of a packet, without pad.
struct Payload : HeaderView<Payload> {
  static constexpr HeaderKind kKind = HeaderKind::kPayload;
  static constexpr std::string_view kName = "infiniband.payload";
  static constexpr std::string_view kTitle = "Payload";
  static constexpr std::string_view kReference = "IBTA 9.2";
  static constexpr std::size_t kSize = 0;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.payload", "Payload", 0),
  };
  using HeaderView::HeaderView;
};

/// IBTA 9.2.3: zero to three bytes that make the payload a multiple of four.
struct Pad : HeaderView<Pad> {
  static constexpr HeaderKind kKind = HeaderKind::kPad;
  static constexpr std::string_view kName = "infiniband.pad";
  static constexpr std::string_view kTitle = "Pad";
  static constexpr std::string_view kReference = "IBTA 9.2.3";
  static constexpr std::size_t kSize = 0;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.pad", "Pad", 0),
  };
  using HeaderView::HeaderView;
};

/// Invariant CRC, IBTA 7.8.1. It is sent least significant byte first; the field shows the four bytes in the order of
/// the wire, as Wireshark does.
struct Icrc : HeaderView<Icrc> {
  static constexpr HeaderKind kKind = HeaderKind::kIcrc;
  static constexpr std::string_view kName = "infiniband.icrc";
  static constexpr std::string_view kTitle = "Invariant CRC";
  static constexpr std::string_view kReference = "IBTA 7.8.1";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::hex("infiniband.invariant.crc", "Invariant CRC", 0, 32),
  };
  using HeaderView::HeaderView;
};

/// Variant CRC, IBTA 7.8.2: native InfiniBand only.
struct Vcrc : HeaderView<Vcrc> {
  static constexpr HeaderKind kKind = HeaderKind::kVcrc;
  static constexpr std::string_view kName = "infiniband.vcrc";
  static constexpr std::string_view kTitle = "Variant CRC";
  static constexpr std::string_view kReference = "IBTA 7.8.2";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::hex("infiniband.variant.crc", "Variant CRC", 0, 16),
  };
  using HeaderView::HeaderView;
};

/// Captured bytes after the end of the last protocol.
struct Trailer : HeaderView<Trailer> {
  static constexpr HeaderKind kKind = HeaderKind::kTrailer;
  static constexpr std::string_view kName = "rocescope.trailer";
  static constexpr std::string_view kTitle = "Trailer";
  static constexpr std::string_view kReference = "IEEE 802.3 4.2.3.3";
  static constexpr std::size_t kSize = 0;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.trailer", "Trailer", 0),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
