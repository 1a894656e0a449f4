// Management datagrams: the header that all have, and that of vendor classes.
#pragma once

#include <cstdint>

#include "rocescope/field.hpp"
#include "rocescope/header.hpp"

namespace rocescope {

// What the numbers in a MAD header are called: management classes, methods, status codes, attributes (IBTA 13.4, 14.2,
// 15.2, 16.1, 16.7).

/// Management classes (IBTA 13.4.4) whose MADs are read further than their header.
namespace mad_class {
inline constexpr std::uint8_t kSubnetLidRouted = 0x01;
inline constexpr std::uint8_t kSubnetAdministration = 0x03;
inline constexpr std::uint8_t kPerformance = 0x04;
inline constexpr std::uint8_t kCommunication = 0x07;
inline constexpr std::uint8_t kVendor2First = 0x30;
inline constexpr std::uint8_t kVendor2Last = 0x4F;
inline constexpr std::uint8_t kSubnetDirectedRoute = 0x81;
}  // namespace mad_class

inline constexpr ValueName kMadClassNames[] = {
    {0x01, 0x01, "subnet management, LID routed"},
    {0x03, 0x03, "subnet administration"},
    {0x04, 0x04, "performance management"},
    {0x05, 0x05, "baseboard management"},
    {0x06, 0x06, "device management"},
    {0x07, 0x07, "communication management"},
    {0x08, 0x08, "SNMP tunneling"},
    {0x09, 0x0F, "vendor specific"},
    {0x10, 0x20, "application specific"},
    {0x21, 0x21, "congestion control"},
    {0x22, 0x2F, "application specific"},
    {0x30, 0x4F, "vendor specific with OUI"},
    {0x81, 0x81, "subnet management, directed route"},
};

/// Methods that all classes share (IBTA 13.4.5); bit 7 marks the response.
inline constexpr ValueName kMadMethodNames[] = {
    {0x01, 0x01, "Get"},    {0x02, 0x02, "Set"},         {0x03, 0x03, "Send"},    {0x05, 0x05, "Trap"},
    {0x06, 0x06, "Report"}, {0x07, 0x07, "TrapRepress"}, {0x81, 0x81, "GetResp"}, {0x86, 0x86, "ReportResp"},
};

/// Those of subnet administration (IBTA 15.2.2).
inline constexpr ValueName kSaMethodNames[] = {
    {0x01, 0x01, "Get"},          {0x02, 0x02, "Set"},           {0x06, 0x06, "Report"},
    {0x12, 0x12, "GetTable"},     {0x13, 0x13, "GetTraceTable"}, {0x14, 0x14, "GetMulti"},
    {0x15, 0x15, "Delete"},       {0x81, 0x81, "GetResp"},       {0x86, 0x86, "ReportResp"},
    {0x92, 0x92, "GetTableResp"}, {0x94, 0x94, "GetMultiResp"},  {0x95, 0x95, "DeleteResp"},
};

/// Bits 4 to 2 of the status (IBTA 13.4.7).
inline constexpr ValueName kMadStatusCodeNames[] = {
    {0, 0, "no invalid fields"},
    {1, 1, "bad base or class version"},
    {2, 2, "method not supported"},
    {3, 3, "attribute not supported with this method"},
    {4, 6, "reserved"},
    {7, 7, "invalid value in attribute or modifier"},
};

/// Attributes that all classes share (IBTA 13.4.8).
inline constexpr ValueName kMadAttributeNames[] = {
    {0x01, 0x01, "ClassPortInfo"}, {0x02, 0x02, "Notice"}, {0x03, 0x03, "InformInfo"}};

/// IBTA 14.2.5.
inline constexpr ValueName kSmpAttributeNames[] = {
    {0x02, 0x02, "Notice"},
    {0x10, 0x10, "NodeDescription"},
    {0x11, 0x11, "NodeInfo"},
    {0x12, 0x12, "SwitchInfo"},
    {0x14, 0x14, "GUIDInfo"},
    {0x15, 0x15, "PortInfo"},
    {0x16, 0x16, "P_KeyTable"},
    {0x17, 0x17, "SLtoVLMappingTable"},
    {0x18, 0x18, "VLArbitrationTable"},
    {0x19, 0x19, "LinearForwardingTable"},
    {0x1A, 0x1A, "RandomForwardingTable"},
    {0x1B, 0x1B, "MulticastForwardingTable"},
    {0x20, 0x20, "SMInfo"},
    {0x30, 0x30, "VendorDiag"},
    {0x31, 0x31, "LedInfo"},
    {0xFF00, 0xFFFF, "vendor specific"},
};

/// IBTA 15.2.5.
inline constexpr ValueName kSaAttributeNames[] = {
    {0x01, 0x01, "ClassPortInfo"},
    {0x02, 0x02, "Notice"},
    {0x03, 0x03, "InformInfo"},
    {0x11, 0x11, "NodeRecord"},
    {0x12, 0x12, "PortInfoRecord"},
    {0x13, 0x13, "SLtoVLMappingTableRecord"},
    {0x14, 0x14, "SwitchInfoRecord"},
    {0x15, 0x15, "LinearForwardingTableRecord"},
    {0x16, 0x16, "RandomForwardingTableRecord"},
    {0x17, 0x17, "MulticastForwardingTableRecord"},
    {0x18, 0x18, "SMInfoRecord"},
    {0x20, 0x20, "LinkRecord"},
    {0x30, 0x30, "GuidInfoRecord"},
    {0x31, 0x31, "ServiceRecord"},
    {0x33, 0x33, "P_KeyTableRecord"},
    {0x35, 0x35, "PathRecord"},
    {0x36, 0x36, "VLArbitrationTableRecord"},
    {0x38, 0x38, "MCMemberRecord"},
    {0x39, 0x39, "TraceRecord"},
    {0x3A, 0x3A, "MultiPathRecord"},
    {0x3B, 0x3B, "ServiceAssociationRecord"},
    {0xF3, 0xF3, "InformInfoRecord"},
};

/// IBTA 16.1.3, 16.1.4.
inline constexpr ValueName kPerformanceAttributeNames[] = {
    {0x01, 0x01, "ClassPortInfo"},        {0x10, 0x10, "PortSamplesControl"},  {0x11, 0x11, "PortSamplesResult"},
    {0x12, 0x12, "PortCounters"},         {0x15, 0x15, "PortRcvErrorDetails"}, {0x16, 0x16, "PortXmitDiscardDetails"},
    {0x1D, 0x1D, "PortCountersExtended"},
};

/// Messages of the communication manager (IBTA 12.6, 16.7.3).
enum class CmMessage : std::uint8_t {
  kReq = 0x10,
  kMra = 0x11,
  kRej = 0x12,
  kRep = 0x13,
  kRtu = 0x14,
  kDreq = 0x15,
  kDrep = 0x16,
  kSidrReq = 0x17,
  kSidrRep = 0x18,
  kLap = 0x19,
  kApr = 0x1A,
  kSap = 0x1B,
  kSpr = 0x1C,
};

inline constexpr ValueName kCmAttributeNames[] = {
    {0x01, 0x01, "ClassPortInfo"},
    {0x10, 0x10, "REQ: connect request"},
    {0x11, 0x11, "MRA: message receipt acknowledged"},
    {0x12, 0x12, "REJ: reject"},
    {0x13, 0x13, "REP: connect reply"},
    {0x14, 0x14, "RTU: ready to use"},
    {0x15, 0x15, "DREQ: disconnect request"},
    {0x16, 0x16, "DREP: disconnect reply"},
    {0x17, 0x17, "SIDR_REQ: service ID resolution request"},
    {0x18, 0x18, "SIDR_REP: service ID resolution reply"},
    {0x19, 0x19, "LAP: load alternate path"},
    {0x1A, 0x1A, "APR: alternate path response"},
    {0x1B, 0x1B, "SAP: suggest alternate path"},
    {0x1C, 0x1C, "SPR: suggest alternate path response"},
};

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

// Vendor MADs of classes 0x30 to 0x4F after their MAD header, IBTA 16.5.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                     RMPP header (12 bytes)                    /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                      OUI                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (216 bytes)                       /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct VendorMad : HeaderView<VendorMad> {
  static constexpr HeaderKind kKind = HeaderKind::kVendorMad;
  static constexpr std::string_view kName = "infiniband.vendormad";
  static constexpr std::string_view kTitle = "Vendor MAD";
  static constexpr std::string_view kReference = "IBTA 16.5";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::bytes("infiniband.vendormad.rmpp", "RMPP header", 0, 96).part(),
      field::number("infiniband.vendormad.reserved8", "Reserved", 96, 8).part(),
      field::hex("infiniband.vendormad.oui", "OUI", 104, 24).part(),
      field::bytes("infiniband.vendormad.data", "Vendor data", 128, 1728).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t oui() const noexcept { return get<"infiniband.vendormad.oui">(); }
};

}  // namespace rocescope
