// IPsec: the Authentication Header, RFC 4302 2, which leaves the packet readable, and the start of the Encapsulating
// Security Payload, RFC 4303 2, which encrypts what follows.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Next header  |     Length    |            Reserved           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Security parameters index                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Sequence number                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                     Integrity check value                     /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

/// The length counts 4 bytes each, without the first 8.
struct Ah : HeaderView<Ah> {
  static constexpr HeaderKind kKind = HeaderKind::kAh;
  static constexpr std::string_view kName = "ah";
  static constexpr std::string_view kTitle = "Authentication Header";
  static constexpr std::string_view kReference = "RFC 4302";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("ah.next_header", "Next header", 0, 8).named(kIpProtocolNames),
      field::number("ah.length", "Length in 4 bytes", 8, 8),
      field::bytes("ah.reserved", "Reserved", 16, 16),
      field::hex("ah.spi", "Security parameters index", 32, 32),
      field::number("ah.sequence", "Sequence number", 64, 32),
      field::bytes("ah.icv", "Integrity check value", 96),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t next_header() const noexcept { return get<"ah.next_header">(); }
  [[nodiscard]] constexpr std::uint8_t units() const noexcept { return get<"ah.length">(); }
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Security parameters index                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Sequence number                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct Esp : HeaderView<Esp> {
  static constexpr HeaderKind kKind = HeaderKind::kEsp;
  static constexpr std::string_view kName = "esp";
  static constexpr std::string_view kTitle = "Encapsulating Security Payload";
  static constexpr std::string_view kReference = "RFC 4303";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("esp.spi", "Security parameters index", 0, 32),
      field::number("esp.sequence", "Sequence number", 32, 32),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
