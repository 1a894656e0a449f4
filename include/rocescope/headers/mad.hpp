// Management Datagram header, IBTA 13.4.2; it opens the 256 bytes of every SEND to or from QP 0 and QP 1.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Base version |   Mgmt class  | Class version |     Method    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Status            |         Class specific        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Transaction ID                        |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Attribute ID         |            Reserved           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Attribute modifier                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// In a directed-route SMP (IBTA 14.2.1.2) bit 15 of the status is the direction and the class-specific bytes are hop
// pointer and hop count.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/mad_names.hpp"

namespace rocescope {

/// Bytes of a MAD, and of what follows its header.
inline constexpr std::size_t kMadSize = 256;
inline constexpr std::size_t kMadDataSize = 232;

/// The first row of every header that follows the MAD header; the rows after it are its parts.
[[nodiscard]] constexpr Field mad_data_field() {
  return field::bytes("infiniband.mad.data", "MAD data", 0, kMadDataSize * 8);
}

struct Mad : HeaderView<Mad> {
  static constexpr HeaderKind kKind = HeaderKind::kMad;
  static constexpr std::string_view kName = "infiniband.mad";
  static constexpr std::string_view kTitle = "Management Datagram";
  static constexpr std::string_view kReference = "IBTA 13.4.2";
  static constexpr std::size_t kSize = 24;

  static constexpr bool always(const std::uint8_t*) { return true; }
  static constexpr bool is_directed(const std::uint8_t* mad) { return mad[1] == mad_class::kSubnetDirectedRoute; }
  static constexpr bool is_smp(const std::uint8_t* mad) {
    return mad[1] == mad_class::kSubnetLidRouted || is_directed(mad);
  }
  static constexpr bool is_sa(const std::uint8_t* mad) { return mad[1] == mad_class::kSubnetAdministration; }
  static constexpr bool is_not_sa(const std::uint8_t* mad) { return !is_sa(mad); }
  static constexpr bool is_performance(const std::uint8_t* mad) { return mad[1] == mad_class::kPerformance; }
  static constexpr bool is_cm(const std::uint8_t* mad) { return mad[1] == mad_class::kCommunication; }
  static constexpr bool is_other(const std::uint8_t* mad) {
    return !is_smp(mad) && !is_sa(mad) && !is_performance(mad) && !is_cm(mad);
  }

  static constexpr Field kFields[] = {
      field::hex("infiniband.mad.baseversion", "Base version", 0, 8),
      field::hex("infiniband.mad.mgmtclass", "Management class", 8, 8).named(kMadClassNames),
      field::hex("infiniband.mad.classversion", "Class version", 16, 8),
      field::hex("infiniband.mad.method", "Method", 24, 8).named(kMadMethodNames).when(is_not_sa),
      field::hex("infiniband.mad.method", "Method", 24, 8).named(kSaMethodNames).when(is_sa),
      field::flag("infiniband.mad.method.response", "Response", 24).part(),
      field::hex("infiniband.mad.method.code", "Code", 25, 7).part(),
      field::hex("infiniband.mad.status", "Status", 32, 16).when(always),
      field::hex("infiniband.mad.status.classspecific", "Class-specific status", 32, 8).part(),
      field::number("infiniband.mad.status.reserved", "Reserved", 40, 3).part(),
      field::number("infiniband.mad.status.code", "Invalid field", 43, 3).part().named(kMadStatusCodeNames),
      field::flag("infiniband.mad.status.redirect", "Redirection required", 46).part(),
      field::flag("infiniband.mad.status.busy", "Busy", 47).part(),
      field::hex("infiniband.smpdirected.smpstatus", "Directed-route status", 32, 16).when(is_directed),
      field::hex("infiniband.smpdirected.d", "Direction", 32, 1).part().digits(16).when(is_directed),
      field::hex("infiniband.smpdirected.status15", "Status", 33, 15).part().when(is_directed),
      field::hex("infiniband.mad.classspecific", "Class specific", 48, 16),
      field::hex("infiniband.smpdirected.hoppointer", "Hop pointer", 48, 8).part().when(is_directed),
      field::hex("infiniband.smpdirected.hopcount", "Hop count", 56, 8).part().when(is_directed),
      field::hex("infiniband.mad.transactionid", "Transaction ID", 64, 64),
      field::hex("infiniband.mad.attributeid", "Attribute", 128, 16).named(kCmAttributeNames).when(is_cm),
      field::hex("infiniband.mad.attributeid", "Attribute", 128, 16).named(kSmpAttributeNames).when(is_smp),
      field::hex("infiniband.mad.attributeid", "Attribute", 128, 16).named(kSaAttributeNames).when(is_sa),
      field::hex("infiniband.mad.attributeid", "Attribute", 128, 16)
          .named(kPerformanceAttributeNames)
          .when(is_performance),
      field::hex("infiniband.mad.attributeid", "Attribute", 128, 16).named(kMadAttributeNames).when(is_other),
      field::number("infiniband.mad.reserved16", "Reserved", 144, 16),
      field::hex("infiniband.mad.attributemodifier", "Attribute modifier", 160, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t management_class() const noexcept { return get<"infiniband.mad.mgmtclass">(); }
  [[nodiscard]] constexpr std::uint8_t method() const noexcept { return get<"infiniband.mad.method">(); }
  [[nodiscard]] constexpr bool response() const noexcept { return get<"infiniband.mad.method.response">(); }
  [[nodiscard]] constexpr std::uint16_t status() const noexcept { return get<"infiniband.mad.status">(); }
  /// Repeated by every retry of the same message.
  [[nodiscard]] constexpr std::uint64_t transaction_id() const noexcept {
    return get<"infiniband.mad.transactionid">();
  }
  [[nodiscard]] constexpr std::uint16_t attribute_id() const noexcept { return get<"infiniband.mad.attributeid">(); }
};

/// What follows the MAD header in classes and attributes that are not read further.
struct MadData : HeaderView<MadData> {
  static constexpr HeaderKind kKind = HeaderKind::kMadData;
  static constexpr std::string_view kName = "infiniband.maddata";
  static constexpr std::string_view kTitle = "MAD Data";
  static constexpr std::string_view kReference = "IBTA 13.4.2";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {mad_data_field()};
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto data() const noexcept { return get<"infiniband.mad.data">(); }
};

}  // namespace rocescope
