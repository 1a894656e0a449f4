// Generic Routing Encapsulation, RFC 2784 with RFC 2890 (key, sequence number), RFC 1701 (routing), RFC 2637 (PPTP) and
// RFC 7637 (NVGRE). The flags say which of the optional words follow, in this order.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |C|R|K|S|s|Recur|  Flags  | Ver |            Protocol           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Checksum (C or R)       |        Offset (C or R)        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Key (K): in NVGRE 24 bits VSID, 8 bits flow ID        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Sequence number (S)                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |              Acknowledgment number (A, PPTP only)             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Routing (R): source route entries               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// s: strict source route. The first of the flags is A in PPTP. Of a source route entry:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Address family        |     Offset    |     Length    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Routing information                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

/// Protocols that only GRE carries; the others are EtherTypes.
namespace gre_protocol {
inline constexpr std::uint16_t kPptp = 0x880B;    ///< RFC 2637
inline constexpr std::uint16_t kErspan = 0x88BE;  ///< type I (no sequence number) and II
inline constexpr std::uint16_t kErspan3 = 0x22EB;
inline constexpr std::uint16_t kSpectrumMirror = 0x8949;  ///< NVIDIA Spectrum switches
}  // namespace gre_protocol

inline constexpr ValueName kGreProtocolNames[] = {
    {0x0800, 0x0800, "IPv4"},
    {0x22EB, 0x22EB, "ERSPAN III"},
    {0x6558, 0x6558, "Transparent Ethernet bridging"},
    {0x86DD, 0x86DD, "IPv6"},
    {0x880B, 0x880B, "PPP"},
    {0x8847, 0x8847, "MPLS"},
    {0x8848, 0x8848, "MPLS multicast"},
    {0x88BE, 0x88BE, "ERSPAN"},
    {0x8949, 0x8949, "NVIDIA Spectrum mirror"},
};

struct Gre : HeaderView<Gre> {
  static constexpr HeaderKind kKind = HeaderKind::kGre;
  static constexpr std::string_view kName = "gre";
  static constexpr std::string_view kTitle = "Generic Routing Encapsulation";
  static constexpr std::string_view kReference = "RFC 2784";
  static constexpr std::size_t kSize = 4;
  static constexpr bool is_pptp(const std::uint8_t* header) { return load_bits(header, 16, 16) == gre_protocol::kPptp; }
  static constexpr bool is_not_pptp(const std::uint8_t* header) { return !is_pptp(header); }
  static constexpr Field kFields[] = {
      field::hex("gre.flags_and_version", "Flags and version", 0, 16),
      field::flag("gre.flags.checksum", "Checksum", 0).part(),
      field::flag("gre.flags.routing", "Routing", 1).part(),
      field::flag("gre.flags.key", "Key", 2).part(),
      field::flag("gre.flags.sequence_number", "Sequence number", 3).part(),
      field::flag("gre.flags.strict_source_route", "Strict source route", 4).part(),
      field::number("gre.flags.recursion_control", "Recursion control", 5, 3).part(),
      field::number("gre.flags.reserved", "Reserved", 8, 5).part().when(is_not_pptp),
      field::number("rocescope.gre.flags.pptp", "PPTP flags", 8, 5).part().when(is_pptp),
      field::flag("gre.flags.ack", "Acknowledgment number", 8).part(2).when(is_pptp),
      field::number("gre.flags.reserved", "Reserved", 9, 4).part(2).when(is_pptp),
      field::number("gre.flags.version", "Version", 13, 3).part(),
      field::hex("gre.proto", "Protocol", 16, 16).named(kGreProtocolNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool has_checksum() const noexcept { return get<"gre.flags.checksum">(); }
  [[nodiscard]] constexpr bool has_routing() const noexcept { return get<"gre.flags.routing">(); }
  [[nodiscard]] constexpr bool has_key() const noexcept { return get<"gre.flags.key">(); }
  [[nodiscard]] constexpr bool has_sequence_number() const noexcept { return get<"gre.flags.sequence_number">(); }
  [[nodiscard]] constexpr bool has_acknowledgment() const noexcept {
    return protocol() == gre_protocol::kPptp && get<"gre.flags.ack">();
  }
  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"gre.flags.version">(); }
  [[nodiscard]] constexpr std::uint16_t protocol() const noexcept { return get<"gre.proto">(); }
};

struct GreChecksum : HeaderView<GreChecksum> {
  static constexpr HeaderKind kKind = HeaderKind::kGreChecksum;
  static constexpr std::string_view kName = "gre.checksum";
  static constexpr std::string_view kTitle = "GRE checksum";
  static constexpr std::string_view kReference = "RFC 1701";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("gre.checksum", "Checksum", 0, 16),
      field::number("gre.offset", "Offset", 16, 16),
  };
  using HeaderView::HeaderView;
};

struct GreKey : HeaderView<GreKey> {
  static constexpr HeaderKind kKind = HeaderKind::kGreKey;
  static constexpr std::string_view kName = "gre.key";
  static constexpr std::string_view kTitle = "GRE key";
  static constexpr std::string_view kReference = "RFC 2890 2";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("gre.key", "Key", 0, 32),
  };
  using HeaderView::HeaderView;
};

/// The key of a GRE tunnel that carries Ethernet.
struct NvgreKey : HeaderView<NvgreKey> {
  static constexpr HeaderKind kKind = HeaderKind::kNvgreKey;
  static constexpr std::string_view kName = "rocescope.nvgre";
  static constexpr std::string_view kTitle = "NVGRE key";
  static constexpr std::string_view kReference = "RFC 7637 3.2";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("gre.key", "Key", 0, 32),
      field::number("rocescope.nvgre.vsid", "Virtual subnet ID", 0, 24).part(),
      field::number("rocescope.nvgre.flow_id", "Flow ID", 24, 8).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t virtual_subnet_id() const noexcept { return get<"rocescope.nvgre.vsid">(); }
};

struct PptpKey : HeaderView<PptpKey> {
  static constexpr HeaderKind kKind = HeaderKind::kPptpKey;
  static constexpr std::string_view kName = "rocescope.pptp.key";
  static constexpr std::string_view kTitle = "PPTP key";
  static constexpr std::string_view kReference = "RFC 2637 4.1";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("gre.key.payload_length", "Payload length", 0, 16),
      field::number("gre.key.call_id", "Call ID", 16, 16),
  };
  using HeaderView::HeaderView;
};

struct GreSequence : HeaderView<GreSequence> {
  static constexpr HeaderKind kKind = HeaderKind::kGreSequence;
  static constexpr std::string_view kName = "gre.sequence_number";
  static constexpr std::string_view kTitle = "GRE sequence number";
  static constexpr std::string_view kReference = "RFC 2890 2.2";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("gre.sequence_number", "Sequence number", 0, 32),
  };
  using HeaderView::HeaderView;
};

struct GreAcknowledgment : HeaderView<GreAcknowledgment> {
  static constexpr HeaderKind kKind = HeaderKind::kGreAcknowledgment;
  static constexpr std::string_view kName = "gre.ack_number";
  static constexpr std::string_view kTitle = "GRE acknowledgment number";
  static constexpr std::string_view kReference = "RFC 2637 4.1";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("gre.ack_number", "Acknowledgment number", 0, 32),
  };
  using HeaderView::HeaderView;
};

/// The list ends with an entry that is all zero.
struct GreRouting : HeaderView<GreRouting> {
  static constexpr HeaderKind kKind = HeaderKind::kGreRouting;
  static constexpr std::string_view kName = "gre.routing";
  static constexpr std::string_view kTitle = "GRE source route entry";
  static constexpr std::string_view kReference = "RFC 1701";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr bool has_information(const std::uint8_t* header) { return header[3] != 0; }
  static constexpr Field kFields[] = {
      field::number("gre.routing.address_family", "Address family", 0, 16),
      field::number("gre.routing.sre_offset", "Offset", 16, 8),
      field::number("gre.routing.src_length", "Length", 24, 8),
      field::bytes("gre.routing.information", "Routing information", 32).when(has_information),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t address_family() const noexcept { return get<"gre.routing.address_family">(); }
  [[nodiscard]] constexpr std::uint8_t length() const noexcept { return get<"gre.routing.src_length">(); }
};

}  // namespace rocescope
