// User Datagram Protocol, RFC 768.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Source port          |        Destination port       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Length            |            Checksum           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct Udp : HeaderView<Udp> {
  static constexpr HeaderKind kKind = HeaderKind::kUdp;
  static constexpr std::string_view kName = "udp";
  static constexpr std::string_view kTitle = "User Datagram Protocol";
  static constexpr std::string_view kReference = "RFC 768";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("udp.srcport", "Source port", 0, 16).also("udp.port"),
      field::number("udp.dstport", "Destination port", 16, 16).also("udp.port"),
      field::number("udp.length", "Length", 32, 16),
      field::hex("udp.checksum", "Checksum", 48, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t source_port() const noexcept { return get<"udp.srcport">(); }
  [[nodiscard]] constexpr std::uint16_t destination_port() const noexcept { return get<"udp.dstport">(); }
  [[nodiscard]] constexpr std::uint16_t length() const noexcept { return get<"udp.length">(); }
};

}  // namespace rocescope
