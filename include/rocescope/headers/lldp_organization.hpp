// LLDP elements of organizations, IEEE 802.1AB 8.6: which one and what, and the contents of some of IEEE 802.1 and
// 802.3. dcbx.hpp has those of data centre bridging.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Type (127) |      Length     |       Organization code       |
//   +               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               |    Subtype    |             Value             /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/lldp.hpp"

namespace rocescope {

namespace lldp_organization {
inline constexpr std::uint32_t kIeee8021 = 0x0080C2;
inline constexpr std::uint32_t kIeee8023 = 0x00120F;
inline constexpr std::uint32_t kMedia = 0x0012BB;
inline constexpr std::uint32_t kCee = 0x001B21;  ///< Intel's, for DCBX before 802.1Qaz
}  // namespace lldp_organization

inline constexpr ValueName kLldpOrganizationNames[] = {{0x00005E, 0x00005E, "IANA"},
                                                       {0x000142, 0x000142, "Cisco"},
                                                       {0x00040D, 0x00040D, "Avaya"},
                                                       {0x000ECF, 0x000ECF, "PROFIBUS"},
                                                       {0x00120F, 0x00120F, "IEEE 802.3"},
                                                       {0x0012BB, 0x0012BB, "TIA TR-41"},
                                                       {0x001B21, 0x001B21, "Intel (CEE DCBX)"},
                                                       {0x001B3F, 0x001B3F, "IEEE 802.1Qbg"},
                                                       {0x0080C2, 0x0080C2, "IEEE 802.1"},
                                                       {0x30B216, 0x30B216, "Hytec"},
                                                       {0xA42305, 0xA42305, "ONOS"}};
inline constexpr ValueName kIeee8021Names[] = {{1, 1, "port VLAN ID"},
                                               {2, 2, "port and protocol VLAN ID"},
                                               {3, 3, "VLAN name"},
                                               {4, 4, "protocol identity"},
                                               {5, 5, "VID usage digest"},
                                               {6, 6, "management VID"},
                                               {7, 7, "link aggregation"},
                                               {8, 8, "congestion notification"},
                                               {9, 9, "ETS configuration"},
                                               {10, 10, "ETS recommendation"},
                                               {11, 11, "priority-based flow control"},
                                               {12, 12, "application priority"},
                                               {13, 13, "EVB"},
                                               {14, 14, "CDCP"}};
inline constexpr ValueName kIeee8023Names[] = {
    {1, 1, "MAC/PHY configuration"},     {2, 2, "power via MDI"},
    {3, 3, "link aggregation"},          {4, 4, "maximum frame size"},
    {5, 5, "energy-efficient Ethernet"}, {7, 7, "additional Ethernet capabilities"}};
inline constexpr ValueName kMediaNames[] = {{1, 1, "capabilities"},      {2, 2, "network policy"},
                                            {3, 3, "location"},          {4, 4, "extended power via MDI"},
                                            {5, 5, "hardware revision"}, {6, 6, "firmware revision"},
                                            {7, 7, "software revision"}, {8, 8, "serial number"},
                                            {9, 9, "manufacturer"},      {10, 10, "model"},
                                            {11, 11, "asset ID"}};
inline constexpr ValueName kDcbxVersionNames[] = {{1, 1, "1.0 CIN"}, {2, 2, "1.01 CEE"}};

struct LldpOrganization : HeaderView<LldpOrganization> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpOrganization;
  static constexpr std::string_view kName = "lldp.orgtlv";
  static constexpr std::string_view kTitle = "LLDP organization-specific element";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.6";
  static constexpr std::size_t kSize = 6;
  static constexpr std::uint64_t code(const std::uint8_t* header) { return load_bits(header, 16, 24); }
  template <std::uint32_t Code>
  static constexpr bool is_of(const std::uint8_t* header) {
    return code(header) == Code;
  }
  static constexpr bool is_unknown(const std::uint8_t* header) {
    return name_of(kLldpOrganizationNames, code(header)).empty();
  }
  /// Of an organization that has a name but no header here.
  static constexpr bool is_known(const std::uint8_t* header) {
    return !is_unknown(header) && code(header) != lldp_organization::kIeee8021 &&
           code(header) != lldp_organization::kIeee8023 && code(header) != lldp_organization::kMedia &&
           code(header) != lldp_organization::kCee;
  }
  static constexpr Field kFields[] = {
      field::number("lldp.tlv.type", "Type", 0, 7).named(kLldpTypeNames),
      field::number("lldp.tlv.len", "Length", 7, 9),
      field::number("lldp.orgtlv.oui", "Organization code", 16, 24).named(kLldpOrganizationNames),
      field::hex("lldp.ieee.802_1.subtype", "Subtype", 40, 8)
          .named(kIeee8021Names)
          .when(is_of<lldp_organization::kIeee8021>),
      field::hex("lldp.ieee.802_3.subtype", "Subtype", 40, 8)
          .named(kIeee8023Names)
          .when(is_of<lldp_organization::kIeee8023>),
      field::hex("lldp.media.subtype", "Subtype", 40, 8).named(kMediaNames).when(is_of<lldp_organization::kMedia>),
      field::hex("lldp.dcbx.proto", "DCBX protocol", 40, 8)
          .named(kDcbxVersionNames)
          .when(is_of<lldp_organization::kCee>),
      field::number("rocescope.lldp.orgtlv.subtype", "Subtype", 40, 8).when(is_known),
      field::number("lldp.unknown_subtype", "Subtype", 40, 8).when(is_unknown),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t organization() const noexcept { return get<"lldp.orgtlv.oui">(); }
  [[nodiscard]] constexpr std::uint8_t subtype() const noexcept { return get<"lldp.unknown_subtype">(); }
};

/// The value of an element that nobody knows.
struct LldpUnknownContent : HeaderView<LldpUnknownContent> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpUnknownContent;
  static constexpr std::string_view kName = "lldp";
  static constexpr std::string_view kTitle = "LLDP unknown content";
  static constexpr std::string_view kReference = "IEEE 802.1AB 8.6";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("lldp.unknown_subtype.content", "Content", 0),
  };
  using HeaderView::HeaderView;
};

struct LldpPortVlan : HeaderView<LldpPortVlan> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpPortVlan;
  static constexpr std::string_view kName = "lldp.ieee.802_1";
  static constexpr std::string_view kTitle = "LLDP port VLAN ID";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.1";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.ieee.802_1.port_vlan.id", "Port VLAN ID", 0, 16),
  };
  using HeaderView::HeaderView;
};

//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            VLAN ID            |  Name length  |      Name     /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct LldpVlanName : HeaderView<LldpVlanName> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpVlanName;
  static constexpr std::string_view kName = "lldp.ieee.802_1";
  static constexpr std::string_view kTitle = "LLDP VLAN name";
  static constexpr std::string_view kReference = "IEEE 802.1Q D.2.3";
  static constexpr std::size_t kSize = 3;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.ieee.802_1.vlan.id", "VLAN ID", 0, 16),
      field::number("lldp.ieee.802_1.vlan.name_len", "Name length", 16, 8),
      field::text("lldp.ieee.802_1.vlan.name", "Name", 24),
  };
  using HeaderView::HeaderView;
};

struct LldpMaxFrameSize : HeaderView<LldpMaxFrameSize> {
  static constexpr HeaderKind kKind = HeaderKind::kLldpMaxFrameSize;
  static constexpr std::string_view kName = "lldp.ieee.802_3";
  static constexpr std::string_view kTitle = "LLDP maximum frame size";
  static constexpr std::string_view kReference = "IEEE 802.3 79.3.4";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("lldp.ieee.802_3.max_frame_size", "Maximum frame size", 0, 16),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
