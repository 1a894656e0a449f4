// Link Layer Discovery Protocol, IEEE 802.1AB 8: what a port announces to its neighbour, as type-length-value elements. Those
// of organizations go on in dcbx.hpp.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |             Value             /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

namespace lldp_type {
inline constexpr std::uint8_t kEnd = 0;
inline constexpr std::uint8_t kChassisId = 1;
inline constexpr std::uint8_t kPortId = 2;
inline constexpr std::uint8_t kTimeToLive = 3;
inline constexpr std::uint8_t kPortDescription = 4;
inline constexpr std::uint8_t kSystemName = 5;
inline constexpr std::uint8_t kSystemDescription = 6;
inline constexpr std::uint8_t kSystemCapabilities = 7;
inline constexpr std::uint8_t kManagementAddress = 8;
inline constexpr std::uint8_t kOrganization = 127;
}  // namespace lldp_type

inline constexpr ValueName kLldpTypeNames[] = {{0, 0, "end"},
                                               {1, 1, "chassis ID"},
                                               {2, 2, "port ID"},
                                               {3, 3, "time to live"},
                                               {4, 4, "port description"},
                                               {5, 5, "system name"},
                                               {6, 6, "system description"},
                                               {7, 7, "system capabilities"},
                                               {8, 8, "management address"},
                                               {127, 127, "organization-specific"}};
inline constexpr ValueName kChassisIdNames[] = {
    {1, 1, "chassis component"}, {2, 2, "interface alias"}, {3, 3, "port component"},  {4, 4, "MAC address"},
    {5, 5, "network address"},   {6, 6, "interface name"},  {7, 7, "locally assigned"}};
inline constexpr ValueName kPortIdNames[] = {
    {1, 1, "interface alias"}, {2, 2, "port component"},   {3, 3, "MAC address"},     {4, 4, "network address"},
    {5, 5, "interface name"},  {6, 6, "agent circuit ID"}, {7, 7, "locally assigned"}};
/// IANA address family numbers.
inline constexpr ValueName kIanaFamilyNames[] = {{1, 1, "IPv4"}, {2, 2, "IPv6"}, {6, 6, "MAC"}};
inline constexpr ValueName kInterfaceNumberingNames[] = {
    {1, 1, "unknown"}, {2, 2, "ifIndex"}, {3, 3, "system port number"}};

/// An element without a header of its own here, and the end.
struct LldpTlv : HeaderView<LldpTlv> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpTlv;
  static constexpr std::string_view kName = "lldp.tlv";
  static constexpr std::string_view kTitle = "LLDP element";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.4";
  static constexpr std::size_t kSize = 2;
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::bytes("rocescope.lldp.data", "Value", 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t type() const noexcept { return get<"lldp.tlv.type">(); }
  /// Of the value, in bytes.
  [[nodiscard]] constexpr std::uint16_t length() const noexcept { return get<"lldp.tlv.len">(); }
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |    Subtype    |       ID      /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpChassisId : HeaderView<LldpChassisId> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpChassisId;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP chassis ID";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.2";
  static constexpr std::size_t kSize = 3;
  static constexpr bool is_mac(const std::uint8_t* header) { return header[2] == 4 && load_bits(header, 7, 9) == 7; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_mac(header); }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.chassis.subtype", "Subtype", 16, 8).named(kChassisIdNames),
      Field{"lldp.chassis.id.mac", "Chassis ID", 24, kRestOfLayer, FieldType::kMac}.when(is_mac),
      field::bytes("lldp.chassis.id", "Chassis ID", 24).when(is_other),
  };
  using HeaderView::HeaderView;
};

/// A chassis ID that is a network address.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |    Subtype    |     Family    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                            Address                            /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpChassisAddress : HeaderView<LldpChassisAddress> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpChassisAddress;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP chassis ID";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.2";
  static constexpr std::size_t kSize = 4;
  static constexpr std::uint8_t kSubtype = 5;
  static constexpr bool is_ipv4(const std::uint8_t* header) { return header[3] == 1 && load_bits(header, 7, 9) == 6; }
  static constexpr bool is_ipv6(const std::uint8_t* header) { return header[3] == 2 && load_bits(header, 7, 9) == 18; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_ipv4(header) && !is_ipv6(header); }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.chassis.subtype", "Subtype", 16, 8).named(kChassisIdNames),
      field::number("lldp.network_address.subtype", "Address family", 24, 8).named(kIanaFamilyNames),
      Field{"lldp.chassis.id.ip4", "Chassis ID", 32, kRestOfLayer, FieldType::kIpv4}.when(is_ipv4),
      Field{"lldp.chassis.id.ip6", "Chassis ID", 32, kRestOfLayer, FieldType::kIpv6}.when(is_ipv6),
      field::bytes("rocescope.lldp.chassis.address", "Chassis ID", 32).when(is_other),
  };
  using HeaderView::HeaderView;
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |    Subtype    |       ID      /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpPortId : HeaderView<LldpPortId> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpPortId;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP port ID";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.3";
  static constexpr std::size_t kSize = 3;
  static constexpr bool is_mac(const std::uint8_t* header) { return header[2] == 3 && load_bits(header, 7, 9) == 7; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_mac(header); }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.port.subtype", "Subtype", 16, 8).named(kPortIdNames),
      Field{"lldp.port.id.mac", "Port ID", 24, kRestOfLayer, FieldType::kMac}.when(is_mac),
      field::text("lldp.port.id", "Port ID", 24).when(is_other),
  };
  using HeaderView::HeaderView;
};

/// A port ID that is a network address.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |    Subtype    |     Family    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                            Address                            /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpPortAddress : HeaderView<LldpPortAddress> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpPortAddress;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP port ID";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.3";
  static constexpr std::size_t kSize = 4;
  static constexpr std::uint8_t kSubtype = 4;
  static constexpr bool is_ipv4(const std::uint8_t* header) { return header[3] == 1 && load_bits(header, 7, 9) == 6; }
  static constexpr bool is_ipv6(const std::uint8_t* header) { return header[3] == 2 && load_bits(header, 7, 9) == 18; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_ipv4(header) && !is_ipv6(header); }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.port.subtype", "Subtype", 16, 8).named(kPortIdNames),
      field::number("lldp.network_address.subtype", "Address family", 24, 8).named(kIanaFamilyNames),
      Field{"lldp.port.id.ip4", "Port ID", 32, kRestOfLayer, FieldType::kIpv4}.when(is_ipv4),
      Field{"lldp.port.id.ip6", "Port ID", 32, kRestOfLayer, FieldType::kIpv6}.when(is_ipv6),
      field::bytes("rocescope.lldp.port.address", "Port ID", 32).when(is_other),
  };
  using HeaderView::HeaderView;
};

/// How long the neighbour may believe this.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |            Seconds            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpTimeToLive : HeaderView<LldpTimeToLive> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpTimeToLive;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP time to live";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.4";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.time_to_live", "Seconds", 16, 16),
  };
  using HeaderView::HeaderView;
};

/// Port description, system name, system description.
struct LldpText : HeaderView<LldpText> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpText;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP text";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.5 to 8.5.7";
  static constexpr std::size_t kSize = 2;
  template <std::uint8_t Type>
  static constexpr bool is_type(const std::uint8_t* header) {
    return load_bits(header, 0, 7) == Type;
  }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::text("lldp.port.desc", "Port description", 16).when(is_type<lldp_type::kPortDescription>),
      field::text("lldp.tlv.system.name", "System name", 16).when(is_type<lldp_type::kSystemName>),
      field::text("lldp.tlv.system.desc", "System description", 16).when(is_type<lldp_type::kSystemDescription>),
  };
  using HeaderView::HeaderView;
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |          Capabilities         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Enabled capabilities     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpCapabilities : HeaderView<LldpCapabilities> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpCapabilities;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP system capabilities";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.8";
  static constexpr std::size_t kSize = 6;
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::hex("lldp.tlv.system_cap", "Capabilities", 16, 16),
      field::hex("rocescope.lldp.tlv.system_cap.reserved", "Reserved", 16, 8).part(),
      field::flag("lldp.tlv.system_cap.station_only", "Station only", 24).part(),
      field::flag("lldp.tlv.system_cap.docsis_cable_device", "DOCSIS cable device", 25).part(),
      field::flag("lldp.tlv.system_cap.telephone", "Telephone", 26).part(),
      field::flag("lldp.tlv.system_cap.router", "Router", 27).part(),
      field::flag("lldp.tlv.system_cap.wlan_access_pt", "WLAN access point", 28).part(),
      field::flag("lldp.tlv.system_cap.bridge", "Bridge", 29).part(),
      field::flag("lldp.tlv.system_cap.repeater", "Repeater", 30).part(),
      field::flag("lldp.tlv.system_cap.other", "Other", 31).part(),
      field::hex("lldp.tlv.enable_system_cap", "Enabled capabilities", 32, 16),
      field::hex("rocescope.lldp.tlv.enable_system_cap.reserved", "Reserved", 32, 8).part(),
      field::flag("lldp.tlv.enable_system_cap.station_only", "Station only", 40).part(),
      field::flag("lldp.tlv.enable_system_cap.docsis_cable_device", "DOCSIS cable device", 41).part(),
      field::flag("lldp.tlv.enable_system_cap.telephone", "Telephone", 42).part(),
      field::flag("lldp.tlv.enable_system_cap.router", "Router", 43).part(),
      field::flag("lldp.tlv.enable_system_cap.wlan_access_pt", "WLAN access point", 44).part(),
      field::flag("lldp.tlv.enable_system_cap.bridge", "Bridge", 45).part(),
      field::flag("lldp.tlv.enable_system_cap.repeater", "Repeater", 46).part(),
      field::flag("lldp.tlv.enable_system_cap.other", "Other", 47).part(),
  };
  using HeaderView::HeaderView;
};

/// The address length counts the family too.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Type    |      Length     |  Addr. length |     Family    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                            Address                            /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpManagement : HeaderView<LldpManagement> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpManagement;
  static constexpr std::string_view kName = "lldp.mgn";
  static constexpr std::string_view kTitle = "LLDP management address";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.9";
  static constexpr std::size_t kSize = 4;
  static constexpr bool is_ipv4(const std::uint8_t* header) { return header[3] == 1 && header[2] == 5; }
  static constexpr bool is_ipv6(const std::uint8_t* header) { return header[3] == 2 && header[2] == 17; }
  static constexpr bool is_other(const std::uint8_t* header) { return !is_ipv4(header) && !is_ipv6(header); }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.mgn.address.len", "Address length", 16, 8),
      field::number("lldp.mgn.address.subtype", "Address family", 24, 8).named(kIanaFamilyNames),
      Field{"lldp.mgn.addr.ip4", "Management address", 32, kRestOfLayer, FieldType::kIpv4}.when(is_ipv4),
      Field{"lldp.mgn.addr.ip6", "Management address", 32, kRestOfLayer, FieldType::kIpv6}.when(is_ipv6),
      field::bytes("lldp.mgn.addr.hex", "Management address", 32).when(is_other),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t address_length() const noexcept { return get<"lldp.mgn.address.len">(); }
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Numbering   |                Interface number               |
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |   OID length  |           Object ID           /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpManagementInterface : HeaderView<LldpManagementInterface> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpManagementInterface;
  static constexpr std::string_view kName = "lldp.mgn";
  static constexpr std::string_view kTitle = "LLDP management interface";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.5.9";
  static constexpr std::size_t kSize = 6;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.mgn.interface.subtype", "Interface numbering", 0, 8).named(kInterfaceNumberingNames),
      field::number("lldp.mgn.interface.number", "Interface number", 8, 32),
      field::number("lldp.mgn.obj.len", "Object ID length", 40, 8),
      field::bytes("rocescope.lldp.mgn.obj.id", "Object ID", 48),
  };
  using HeaderView::HeaderView;
};

/// What an element holds beyond its fields.
struct LldpRest : HeaderView<LldpRest> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpRest;
  static constexpr std::string_view kName = "rocescope.lldp";
  static constexpr std::string_view kTitle = "LLDP data";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.4";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.lldp.rest", "Data", 0),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
