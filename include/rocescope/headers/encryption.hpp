// Encrypted and authenticated frames and packets: MACsec, IPsec.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

// MACsec, IEEE 802.1AE 9: the tag; the packet number of the frame; an identifier of the channel where the SC bit says
// so. Frames without encryption go on with their EtherType.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |V|E|S|B|E|C| AN|  Short length |         Packet number         |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// V: version. First E: end station. S: channel identifier present. B: single copy broadcast. Second E: encrypted. C:
// changed text.

struct Macsec : HeaderView<Macsec> {
  static constexpr HeaderKind kKind = HeaderKind::kMacsec;
  static constexpr std::string_view kName = "macsec";
  static constexpr std::string_view kTitle = "802.1AE security tag";
  static constexpr std::string_view kReference = "IEEE 802.1AE 9.3";
  static constexpr std::size_t kSize = 6;
  static constexpr Field kFields[] = {
      field::hex("macsec.TCI", "Tag control information", 0, 6).digits(2),
      field::hex("macsec.TCI.V", "Version", 0, 1).digits(2).part(),
      field::flag("macsec.TCI.ES", "End station", 1).part(),
      field::flag("macsec.TCI.SC", "Channel identifier present", 2).part(),
      field::flag("macsec.TCI.SCB", "Single copy broadcast", 3).part(),
      field::flag("macsec.TCI.E", "Encrypted", 4).part(),
      field::flag("macsec.TCI.C", "Changed text", 5).part(),
      field::hex("macsec.AN", "Association number", 6, 2).digits(2),
      field::number("macsec.SL", "Short length", 8, 8),
      field::number("macsec.PN", "Packet number", 16, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"macsec.TCI.V">(); }
  [[nodiscard]] constexpr bool has_channel() const noexcept { return get<"macsec.TCI.SC">(); }
  /// Neither encrypted nor changed: only authenticated.
  [[nodiscard]] constexpr bool readable() const noexcept { return !get<"macsec.TCI.E">() && !get<"macsec.TCI.C">(); }
  /// Bytes between the tag and the integrity check value; 0 where they are 48 or more.
  [[nodiscard]] constexpr std::uint8_t short_length() const noexcept { return get<"macsec.SL">(); }
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       System identifier                       |
//   +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                               |        Port identifier        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct MacsecChannel : HeaderView<MacsecChannel> {
  static constexpr HeaderKind kKind = HeaderKind::kMacsecChannel;
  static constexpr std::string_view kName = "macsec.SCI";
  static constexpr std::string_view kTitle = "802.1AE secure channel identifier";
  static constexpr std::string_view kReference = "IEEE 802.1AE 9.9";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::mac("macsec.SCI.system_identifier", "System identifier", 0),
      field::number("macsec.SCI.port_identifier", "Port identifier", 48, 16),
  };
  using HeaderView::HeaderView;
};

struct MacsecType : HeaderView<MacsecType> {
  static constexpr HeaderKind kKind = HeaderKind::kMacsecType;
  static constexpr std::string_view kName = "macsec";
  static constexpr std::string_view kTitle = "802.1AE protected type";
  static constexpr std::string_view kReference = "IEEE 802.1AE 9.4";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("macsec.etype", "EtherType", 0, 16).named(kEtherTypeNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t ether_type() const noexcept { return get<"macsec.etype">(); }
};

/// The last 16 bytes.
struct MacsecIcv : HeaderView<MacsecIcv> {
  static constexpr HeaderKind kKind = HeaderKind::kMacsecIcv;
  static constexpr std::string_view kName = "macsec";
  static constexpr std::string_view kTitle = "802.1AE integrity check value";
  static constexpr std::string_view kReference = "IEEE 802.1AE 9.11";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::bytes("macsec.ICV", "Integrity check value", 0, 128),
  };
  using HeaderView::HeaderView;
};

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
