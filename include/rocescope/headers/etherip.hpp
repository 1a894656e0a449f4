// Ethernet in IP, RFC 3378.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Ver  |        Reserved       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct EtherIp : HeaderView<EtherIp> {
  static constexpr HeaderKind kKind = HeaderKind::kEtherIp;
  static constexpr std::string_view kName = "etherip";
  static constexpr std::string_view kTitle = "Ethernet within IP";
  static constexpr std::string_view kReference = "RFC 3378";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::number("etherip.ver", "Version", 0, 4),
      field::hex("etherip.reserved", "Reserved", 4, 12).digits(4),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"etherip.ver">(); }
};

}  // namespace rocescope
