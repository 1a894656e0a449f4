// Generic Network Virtualization Encapsulation, RFC 8926 3.4:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |Ver|  Opt len  |O|C|    Rsvd   |            Protocol           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      VNI                      |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// and its options, RFC 8926 3.5:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Option class         |C|     Type    | Rsv |  Length |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                 Data, length words of 4 bytes                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// O: a control packet. C: options that a receiver must know are present; the option is one.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

struct Geneve : HeaderView<Geneve> {
  static constexpr HeaderKind kKind = HeaderKind::kGeneve;
  static constexpr std::string_view kName = "geneve";
  static constexpr std::string_view kTitle = "Generic Network Virtualization Encapsulation";
  static constexpr std::string_view kReference = "RFC 8926 3.4";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("geneve.version", "Version", 0, 2),
      field::number("geneve.option.length", "Length of the options", 2, 6).times(4),
      field::hex("geneve.flags", "Flags", 8, 8),
      field::flag("geneve.flags.oam", "Control packet", 8).part(),
      field::flag("geneve.flags.critical", "Critical options present", 9).part(),
      field::hex("rocescope.geneve.flags.reserved", "Reserved", 10, 6).part(),
      field::hex("geneve.proto_type", "Protocol", 16, 16).named(kEtherTypeNames),
      field::hex("geneve.vni", "VNI", 32, 24),
      field::hex("geneve.reserved", "Reserved", 56, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"geneve.version">(); }
  [[nodiscard]] constexpr std::uint8_t option_words() const noexcept { return get<"geneve.option.length">(); }
  [[nodiscard]] constexpr std::uint16_t protocol() const noexcept { return get<"geneve.proto_type">(); }
  [[nodiscard]] constexpr std::uint32_t vni() const noexcept { return get<"geneve.vni">(); }
};

struct GeneveOption : HeaderView<GeneveOption> {
  static constexpr HeaderKind kKind = HeaderKind::kGeneveOption;
  static constexpr std::string_view kName = "geneve.option";
  static constexpr std::string_view kTitle = "GENEVE option";
  static constexpr std::string_view kReference = "RFC 8926 3.5";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr bool has_data(const std::uint8_t* header) { return (header[3] & 0x1F) != 0; }
  static constexpr Field kFields[] = {
      field::bytes("geneve.option", "Option", 0),
      field::hex("geneve.option.class", "Class", 0, 16).part(),
      field::hex("geneve.option.type", "Type", 16, 8).part(),
      field::flag("geneve.option.type.critical", "Critical", 16).part(2),
      field::number("rocescope.geneve.option.type.number", "Number", 17, 7).part(2),
      field::hex("geneve.option.flags", "Flags", 24, 3).part().digits(2),
      field::number("geneve.option.length", "Length", 27, 5).part().times(4).plus(4),
      field::bytes("geneve.option.unknown.data", "Data", 32).part().when(has_data),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t data_words() const noexcept { return get<"geneve.option.length">(); }
};

}  // namespace rocescope
