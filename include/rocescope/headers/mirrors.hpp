// What switches put before the frames that they mirror or sample: ERSPAN, headers of vendors, sFlow.
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

// Encapsulated Remote Switched Port Analyzer, draft-foschiano-erspan-03: Ethernet frames that a switch mirrors. Type I
// has no header of its own. Type II:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Ver 1 |          VLAN         | COS | En|T|     Session ID    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |        Reserved       |                 Index                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Type III, and the platform sub-header that follows where O is set:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Ver 2 |          VLAN         | COS |BSO|T|     Session ID    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Timestamp                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Security group tag      |P|    FT   |   HW ID   |D| Gr|O|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Platf ID |                 Platform specific                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Platform specific                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// En: what became of the frame's VLAN tag. T: the mirror cut the frame. BSO: bad, short, oversized. P: an Ethernet
// frame follows. FT: frame type. D: direction. Gr: granularity of the timestamp.

inline constexpr ValueName kErspanVersionNames[] = {{1, 1, "type II"}, {2, 2, "type III"}};
inline constexpr ValueName kErspanEncapNames[] = {
    {0, 0, "untagged"}, {1, 1, "ISL"}, {2, 2, "802.1Q"}, {3, 3, "tag preserved"}};
inline constexpr ValueName kErspanTruncatedNames[] = {{0, 0, "not truncated"}, {1, 1, "truncated by the mirror"}};
inline constexpr ValueName kErspanBsoNames[] = {
    {0, 0, "good or unknown"}, {1, 1, "short"}, {2, 2, "oversized"}, {3, 3, "CRC or alignment error"}};
inline constexpr ValueName kErspanFrameTypeNames[] = {{0, 0, "Ethernet"}, {2, 2, "IP"}};
inline constexpr ValueName kErspanGranularityNames[] = {
    {0, 0, "100 us"}, {1, 1, "100 ns"}, {2, 2, "IEEE 1588"}, {3, 3, "user configured"}};

struct ErspanII : HeaderView<ErspanII> {
  static constexpr HeaderKind kKind = HeaderKind::kErspanII;
  static constexpr std::string_view kName = "erspan";
  static constexpr std::string_view kTitle = "ERSPAN type II";
  static constexpr std::string_view kReference = "draft-foschiano-erspan-03 4.2";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("erspan.version", "Version", 0, 4).named(kErspanVersionNames),
      field::number("erspan.vlan", "VLAN", 4, 12),
      field::number("erspan.cos", "Class of service", 16, 3),
      field::number("erspan.encap", "Encapsulation", 19, 2).named(kErspanEncapNames),
      field::number("erspan.truncated", "Truncated", 21, 1).named(kErspanTruncatedNames),
      field::number("erspan.spanid", "Session ID", 22, 10),
      field::number("erspan.reserved", "Reserved", 32, 12),
      field::number("erspan.index", "Index", 44, 20),
  };
  using HeaderView::HeaderView;
};

struct ErspanIII : HeaderView<ErspanIII> {
  static constexpr HeaderKind kKind = HeaderKind::kErspanIII;
  static constexpr std::string_view kName = "erspan";
  static constexpr std::string_view kTitle = "ERSPAN type III";
  static constexpr std::string_view kReference = "draft-foschiano-erspan-03 4.3";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("erspan.version", "Version", 0, 4).named(kErspanVersionNames),
      field::number("erspan.vlan", "VLAN", 4, 12),
      field::number("erspan.cos", "Class of service", 16, 3),
      field::number("erspan.bso", "Bad, short, oversized", 19, 2).named(kErspanBsoNames),
      field::number("erspan.truncated", "Truncated", 21, 1).named(kErspanTruncatedNames),
      field::number("erspan.spanid", "Session ID", 22, 10),
      field::number("erspan.timestamp", "Timestamp", 32, 32),
      field::number("erspan.sgt", "Security group tag", 64, 16),
      field::number("erspan.p", "Ethernet frame follows", 80, 1),
      field::number("erspan.ft", "Frame type", 81, 5).named(kErspanFrameTypeNames),
      field::number("erspan.hw", "Hardware ID", 86, 6),
      field::flag("erspan.direction", "Egress", 92),
      field::number("erspan.gra", "Timestamp granularity", 93, 2).named(kErspanGranularityNames),
      field::number("erspan.o", "Platform sub-header follows", 95, 1),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t frame_type() const noexcept { return get<"erspan.ft">(); }
  [[nodiscard]] constexpr bool has_platform_header() const noexcept { return get<"erspan.o">() != 0; }
};

/// The sub-header of type III: the platform ID says how the rest is read.
struct ErspanPlatform : HeaderView<ErspanPlatform> {
  static constexpr HeaderKind kKind = HeaderKind::kErspanPlatform;
  static constexpr std::string_view kName = "erspan.platform";
  static constexpr std::string_view kTitle = "ERSPAN platform sub-header";
  static constexpr std::string_view kReference = "draft-foschiano-erspan-03 4.4";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kContinues = true;
  static constexpr unsigned kUnknownPlatform = 0xFF;
  /// The platform IDs that share a layout are counted as one: 0 as 7, 6 as 5, all that are not known.
  static constexpr unsigned layout_of(unsigned platform_id) {
    switch (platform_id) {
      case 0:
        return 7;
      case 6:
        return 5;
      case 1:
      case 3:
      case 4:
      case 5:
      case 7:
        return platform_id;
      default:
        return kUnknownPlatform;
    }
  }
  template <unsigned Layout>
  static constexpr bool is_platform(const std::uint8_t* header) {
    return layout_of(header[0] >> 2) == Layout;
  }
  static constexpr Field kFields[] = {
      field::number("erspan.platid", "Platform ID", 0, 6),
      field::number("erspan.pid1.rsvd1", "Reserved", 6, 14).when(is_platform<1>),
      field::number("erspan.pid1.vsmid", "VSM domain ID", 20, 12).when(is_platform<1>),
      field::number("erspan.pid1.port_index", "Port", 32, 32).when(is_platform<1>),
      field::number("erspan.pid3.rsvd1", "Reserved", 6, 12).when(is_platform<3>),
      field::number("erspan.pid3.port_index", "Port", 18, 14).when(is_platform<3>),
      field::number("erspan.pid3.timestamp", "Upper half of the timestamp", 32, 32).when(is_platform<3>),
      field::number("erspan.pid4.rsvd1", "Reserved", 6, 12).when(is_platform<4>),
      field::number("erspan.pid4.rsvd2", "Reserved", 18, 14).when(is_platform<4>),
      field::number("erspan.pid4.rsvd3", "Reserved", 32, 32).when(is_platform<4>),
      field::number("erspan.pid5.switchid", "Switch ID", 6, 10).when(is_platform<5>),
      field::number("erspan.pid5.port_index", "Port", 16, 16).when(is_platform<5>),
      field::number("erspan.pid5.timestamp", "Timestamp (seconds)", 32, 32).when(is_platform<5>),
      field::number("erspan.pid7.rsvd1", "Reserved", 6, 6).when(is_platform<7>),
      field::number("erspan.pid7.source_index", "Source index", 12, 20).when(is_platform<7>),
      field::number("erspan.pid7.timestamp", "Upper half of the timestamp", 32, 32).when(is_platform<7>),
      field::hex("rocescope.erspan.platform_data", "Platform data", 6, 58).when(is_platform<kUnknownPlatform>),
  };
  using HeaderView::HeaderView;
};

// Bytes that a switch puts between GRE and the frame that it mirrors, and whose meaning is not public: 22 on NVIDIA
// Spectrum (GRE protocol 0x8949), or as many as the user says.
//
//   | vendor's bytes | Ethernet frame |

struct MirrorHeader : HeaderView<MirrorHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kMirrorHeader;
  static constexpr std::string_view kName = "rocescope.mirror";
  static constexpr std::string_view kTitle = "Mirror header";
  static constexpr std::string_view kReference = "as observed";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.mirror.data", "Data", 0),
  };
  using HeaderView::HeaderView;
};

// sFlow version 5 (sflow.org/sflow_version_5.txt): packets that a switch samples. A datagram, here of an agent with an
// IPv4 address:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Version 5                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                  Address type: 1 IPv4, 2 IPv6                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                  Agent address: 4 or 16 bytes                 |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Sub-agent ID                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Sequence number                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Uptime (ms)                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Number of samples                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// then the samples, each with a header, records in it, each with a header, and in a raw packet header record the first
// bytes of the sampled packet, padded to words:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Enterprise              |         Format        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Length of the sample                     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Enterprise              |         Format        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Length of the record                     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Protocol: 1 Ethernet, 11 IPv4, 12 IPv6            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Frame length                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Bytes stripped at its end                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Header length                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

/// Formats of samples, enterprise 0.
namespace sflow_sample {
inline constexpr std::uint16_t kFlow = 1;
inline constexpr std::uint16_t kExpandedFlow = 3;
}  // namespace sflow_sample

inline constexpr ValueName kSflowSampleNames[] = {
    {1, 1, "flow"}, {2, 2, "counters"}, {3, 3, "expanded flow"}, {4, 4, "expanded counters"}, {5, 5, "dropped packet"}};
inline constexpr ValueName kSflowRecordNames[] = {
    {1, 1, "raw packet header"}, {2, 2, "Ethernet frame"}, {3, 3, "IPv4"},         {4, 4, "IPv6"},
    {1001, 1001, "switch"},      {1002, 1002, "router"},   {1003, 1003, "gateway"}};
inline constexpr ValueName kSflowAddressNames[] = {{1, 1, "IPv4"}, {2, 2, "IPv6"}};
inline constexpr ValueName kSflowProtocolNames[] = {{1, 1, "Ethernet"}, {11, 11, "IPv4"}, {12, 12, "IPv6"}};
inline constexpr ValueName kSflowInterfaceNames[] = {
    {0, 0, "one interface"}, {1, 1, "discarded"}, {2, 2, "several interfaces"}};

/// A datagram of an agent with an IPv4 address.
struct Sflow : HeaderView<Sflow> {
  static constexpr HeaderKind kKind = HeaderKind::kSflow;
  static constexpr std::string_view kName = "sflow";
  static constexpr std::string_view kTitle = "sFlow datagram";
  static constexpr std::string_view kReference = "sFlow v5 5";
  static constexpr std::size_t kSize = 28;
  static constexpr Field kFields[] = {
      field::number("sflow_245.version", "Version", 0, 32),
      field::number("sflow_245.agenttype", "Agent address type", 32, 32).named(kSflowAddressNames),
      field::ipv4("sflow_245.agent", "Agent address", 64),
      field::number("sflow_245.sub_agent_id", "Sub-agent ID", 96, 32),
      field::number("sflow_245.sequence_number", "Sequence number", 128, 32),
      field::number("sflow_245.sysuptime", "Uptime (ms)", 160, 32),
      field::number("sflow_245.numsamples", "Number of samples", 192, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t sample_count() const noexcept { return get<"sflow_245.numsamples">(); }
};

/// A datagram of an agent with an IPv6 address.
struct SflowV6 : HeaderView<SflowV6> {
  static constexpr HeaderKind kKind = HeaderKind::kSflowV6;
  static constexpr std::string_view kName = "sflow";
  static constexpr std::string_view kTitle = "sFlow datagram";
  static constexpr std::string_view kReference = "sFlow v5 5";
  static constexpr std::size_t kSize = 40;
  static constexpr Field kFields[] = {
      field::number("sflow_245.version", "Version", 0, 32),
      field::number("sflow_245.agenttype", "Agent address type", 32, 32).named(kSflowAddressNames),
      field::ipv6("sflow_245.agent.v6", "Agent address", 64),
      field::number("sflow_245.sub_agent_id", "Sub-agent ID", 192, 32),
      field::number("sflow_245.sequence_number", "Sequence number", 224, 32),
      field::number("sflow_245.sysuptime", "Uptime (ms)", 256, 32),
      field::number("sflow_245.numsamples", "Number of samples", 288, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t sample_count() const noexcept { return get<"sflow_245.numsamples">(); }
};

struct SflowSample : HeaderView<SflowSample> {
  static constexpr HeaderKind kKind = HeaderKind::kSflowSample;
  static constexpr std::string_view kName = "sflow.sample";
  static constexpr std::string_view kTitle = "sFlow sample";
  static constexpr std::string_view kReference = "sFlow v5 5";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("rocescope.sflow.enterprise", "Enterprise", 0, 20),
      field::number("sflow_245.sampletype", "Format", 20, 12).named(kSflowSampleNames),
      field::number("sflow_5.sample_length", "Length", 32, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t enterprise() const noexcept { return get<"rocescope.sflow.enterprise">(); }
  [[nodiscard]] constexpr std::uint16_t format() const noexcept { return get<"sflow_245.sampletype">(); }
  [[nodiscard]] constexpr std::uint32_t length() const noexcept { return get<"sflow_5.sample_length">(); }
};

struct SflowFlow : HeaderView<SflowFlow> {
  static constexpr HeaderKind kKind = HeaderKind::kSflowFlow;
  static constexpr std::string_view kName = "sflow.flow_sample";
  static constexpr std::string_view kTitle = "sFlow flow sample";
  static constexpr std::string_view kReference = "sFlow v5 5";
  static constexpr std::size_t kSize = 32;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("sflow.flow_sample.sequence_number", "Sequence number", 0, 32),
      field::number("sflow.flow_sample.source_id_class", "Source class", 32, 8),
      field::number("sflow.flow_sample.index", "Source index", 40, 24),
      field::number("sflow.flow_sample.sampling_rate", "Sampling rate", 64, 32),
      field::number("sflow.flow_sample.sample_pool", "Packets that could have been sampled", 96, 32),
      field::number("sflow.flow_sample.dropped_packets", "Samples dropped", 128, 32),
      field::number("sflow.flow_sample.input_interface", "Input interface", 160, 32),
      field::hex("sflow.flow_sample.output_interface", "Output interface", 192, 32),
      field::number("sflow.flow_sample.output_interface_format", "Format", 192, 2).part().named(kSflowInterfaceNames),
      field::number("sflow.flow_sample.output_interface_value", "Value", 194, 30).part(),
      field::number("sflow.flow_sample.flow_record", "Number of records", 224, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t record_count() const noexcept { return get<"sflow.flow_sample.flow_record">(); }
};

struct SflowExpandedFlow : HeaderView<SflowExpandedFlow> {
  static constexpr HeaderKind kKind = HeaderKind::kSflowExpandedFlow;
  static constexpr std::string_view kName = "sflow.expanded_flow_sample";
  static constexpr std::string_view kTitle = "sFlow expanded flow sample";
  static constexpr std::string_view kReference = "sFlow v5 5";
  static constexpr std::size_t kSize = 44;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("sflow.flow_sample.sequence_number", "Sequence number", 0, 32),
      field::number("sflow.flow_sample.source_id_type", "Source class", 32, 32),
      field::number("sflow.flow_sample.source_id_index", "Source index", 64, 32),
      field::number("sflow.flow_sample.sampling_rate", "Sampling rate", 96, 32),
      field::number("sflow.flow_sample.sample_pool", "Packets that could have been sampled", 128, 32),
      field::number("sflow.flow_sample.dropped_packets", "Samples dropped", 160, 32),
      field::number("sflow.flow_sample.input_interface_format", "Input interface format", 192, 32)
          .named(kSflowInterfaceNames),
      field::number("sflow.flow_sample.input_interface_value", "Input interface", 224, 32),
      field::number("sflow.flow_sample.output_interface.format", "Output interface format", 256, 32)
          .named(kSflowInterfaceNames),
      field::number("sflow.flow_sample.output_interface_value", "Output interface", 288, 32),
      field::number("sflow.flow_sample.flow_record", "Number of records", 320, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t record_count() const noexcept { return get<"sflow.flow_sample.flow_record">(); }
};

struct SflowRecord : HeaderView<SflowRecord> {
  static constexpr HeaderKind kKind = HeaderKind::kSflowRecord;
  static constexpr std::string_view kName = "sflow.record";
  static constexpr std::string_view kTitle = "sFlow record";
  static constexpr std::string_view kReference = "sFlow v5 5";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("rocescope.sflow.record.enterprise", "Enterprise", 0, 20),
      field::number("sflow_245.flow_record_format", "Format", 20, 12).named(kSflowRecordNames),
      field::number("rocescope.sflow.record.length", "Length", 32, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t enterprise() const noexcept {
    return get<"rocescope.sflow.record.enterprise">();
  }
  [[nodiscard]] constexpr std::uint16_t format() const noexcept { return get<"sflow_245.flow_record_format">(); }
  [[nodiscard]] constexpr std::uint32_t length() const noexcept { return get<"rocescope.sflow.record.length">(); }
};

struct SflowRawHeader : HeaderView<SflowRawHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kSflowRawHeader;
  static constexpr std::string_view kName = "sflow.raw";
  static constexpr std::string_view kTitle = "sFlow raw packet header";
  static constexpr std::string_view kReference = "sFlow v5 5.3";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("sflow_245.header_protocol", "Protocol", 0, 32).named(kSflowProtocolNames),
      field::number("sflow_245.header.frame_length", "Frame length", 32, 32),
      field::number("sflow_245.header.payload_stripped", "Bytes stripped", 64, 32),
      field::number("sflow_245.header.sampled_header_length", "Header length", 96, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t protocol() const noexcept { return get<"sflow_245.header_protocol">(); }
  [[nodiscard]] constexpr std::uint32_t header_length() const noexcept {
    return get<"sflow_245.header.sampled_header_length">();
  }
};

}  // namespace rocescope
