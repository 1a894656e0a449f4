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
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

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
