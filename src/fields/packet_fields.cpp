// Fields of a packet as a whole.
#include "fields/packet_fields.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "rocescope/headers/ipv6.hpp"

namespace rocescope::fields {
namespace {

using Text = std::string_view;

// How the readers below end.

bool give(FieldValue& value, std::uint64_t number) {
  value.number = number;
  return true;
}
bool give(FieldValue& value, Bytes bytes) {
  value.bytes = bytes;
  return true;
}
/// Text that lasts as long as the record; empty text is no value.
bool give(FieldValue& value, Text text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  value.bytes = {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  return !text.empty();
}
/// Nanoseconds from `earlier` to the packet.
bool give_since(FieldValue& value, const PacketRecord& record, std::int64_t earlier) {
  // Modulo 2^64: hostile time stamps may lie further apart than 63 bits of nanoseconds.
  return give(value, static_cast<std::uint64_t>(record.packet->frame.timestamp) - static_cast<std::uint64_t>(earlier));
}

const Packet& packet_of(const PacketRecord& record) { return *record.packet; }

/// A field with its functions: a row of the table below.
constexpr Field time(Text name, Text label) { return {name, label, 0, 64, FieldType::kTime}; }
constexpr Field duration(Text name, Text label) { return {name, label, 0, 64, FieldType::kDuration}; }
constexpr Field number(Text name, Text label, std::uint32_t width = 32) { return field::number(name, label, 0, width); }
constexpr Field text(Text name, Text label) { return field::text(name, label, 0); }

// The innermost address has the type that fits it, so that 10.0.0.1, 10.0.0.0/8 and fe80::1 all work on one name.

template <IpAddress Packet::*Member>
bool read_v4(const PacketRecord& record, FieldValue& value) {
  const IpAddress& address = packet_of(record).*Member;
  // An IPv6 header or GRH may hold an IPv4-mapped address; it is an IPv4 address all the same.
  return address.is_v4() && give(value, Bytes(address.bytes).subspan(12));
}
template <IpAddress Packet::*Member>
bool read_v6(const PacketRecord& record, FieldValue& value) {
  const IpAddress& address = packet_of(record).*Member;
  // The unspecified address `::` counts as a source if a header has it.
  const bool there = !address.empty() || packet_of(record).find(HeaderKind::kIpv6) != nullptr ||
                     packet_of(record).find(HeaderKind::kGrh) != nullptr;
  return there && !address.is_v4() && !address.is_lid() && give(value, Bytes(address.bytes));
}
template <IpAddress Packet::*Member>
bool read_lid(const PacketRecord& record, FieldValue& value) {
  const IpAddress& address = packet_of(record).*Member;
  return address.is_lid() && give(value, address.to_lid());
}

bool is_v2(const Packet& packet) {
  return packet.roce.encapsulation == Encapsulation::kRoceV2Ipv4 ||
         packet.roce.encapsulation == Encapsulation::kRoceV2Ipv6;
}

bool is_defined(const OpcodeInfo& opcode) {
  return opcode.operation != Operation::kReserved && opcode.operation != Operation::kManufacturer;
}

template <VerdictKind Kind>
constexpr PacketField verdict_flag(Text name, Text label) {
  return {field::flag(name, label, 0),
          [](const PacketRecord& record, FieldValue& value) { return record.verdict.kind == Kind && give(value, 1); },
          kVerdictPart};
}

constexpr PacketField kPacketFields[] = {
    {number("frame.number", "Frame number"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, packet_of(record).frame.number); }},
    {time("frame.time", "Arrival time"),
     [](const PacketRecord& record, FieldValue& value) {
       return give(value, static_cast<std::uint64_t>(packet_of(record).frame.timestamp));
     }},
    {duration("frame.time_epoch", "Arrival time, seconds since 1970"),
     [](const PacketRecord& record, FieldValue& value) {
       return give(value, static_cast<std::uint64_t>(packet_of(record).frame.timestamp));
     }},
    {duration("frame.time_delta", "Time since the frame before"),
     [](const PacketRecord& record, FieldValue& value) {
       return give_since(value, record, record.previous_timestamp.value_or(packet_of(record).frame.timestamp));
     }},
    {duration("frame.time_delta_displayed", "Time since the frame displayed before"),
     [](const PacketRecord& record, FieldValue& value) {
       return give_since(value, record,
                         record.previous_displayed_timestamp.value_or(packet_of(record).frame.timestamp));
     }},
    {duration("frame.time_relative", "Time since the first frame"),
     [](const PacketRecord& record, FieldValue& value) { return give_since(value, record, record.first_timestamp); }},
    {number("frame.len", "Length on the wire"),
     [](const PacketRecord& record, FieldValue& value) {
       const Packet& packet = packet_of(record);
       const std::uint32_t header = packet.record_header_length();
       return give(value, packet.frame.original_length - std::min(header, packet.frame.original_length));
     }},
    {number("frame.cap_len", "Length captured"),
     [](const PacketRecord& record, FieldValue& value) {
       const Packet& packet = packet_of(record);
       return give(value, packet.frame.data.size() - packet.record_header_length());
     }},
    {number("frame.interface_id", "Interface number"),
     [](const PacketRecord& record, FieldValue& value) {
       return record.interface != nullptr && give(value, record.interface->number);
     }},
    {text("frame.interface_name", "Interface name"),
     [](const PacketRecord& record, FieldValue& value) {
       return record.interface != nullptr && give(value, Text(record.interface->name));
     }},
    {number("rocescope.capture_point", "Capture point", 8),
     [](const PacketRecord& record, FieldValue& value) { return give(value, packet_of(record).frame.capture_point); }},

    {text("rocescope.encapsulation", "What carries the packet"),
     [](const PacketRecord& record, FieldValue& value) {
       return give(value, to_string(packet_of(record).roce.encapsulation));
     }},
    {text("rocescope.transport", "Transport service"),
     [](const PacketRecord& record, FieldValue& value) {
       return packet_of(record).is_roce() && give(value, to_string(packet_of(record).roce.opcode->transport));
     }},
    {text("rocescope.operation", "Operation"),
     [](const PacketRecord& record, FieldValue& value) {
       return packet_of(record).is_roce() && is_defined(*packet_of(record).roce.opcode) &&
              give(value, to_string(packet_of(record).roce.opcode->operation));
     }},
    {text("rocescope.opcode.name", "Name of the opcode"),
     [](const PacketRecord& record, FieldValue& value) {
       return packet_of(record).is_roce() && give(value, packet_of(record).roce.opcode->name());
     }},
    {text("rocescope.position", "Position in the message"),
     [](const PacketRecord& record, FieldValue& value) {
       return packet_of(record).is_roce() && is_defined(*packet_of(record).roce.opcode) &&
              give(value, to_string(packet_of(record).roce.opcode->position));
     }},
    {field::ipv4("rocescope.src", "Innermost source address", 0).also("rocescope.addr"), read_v4<&Packet::source>},
    {field::ipv6("rocescope.src", "Innermost source address", 0).also("rocescope.addr"), read_v6<&Packet::source>},
    {number("rocescope.src", "Source LID", 16).also("rocescope.addr"), read_lid<&Packet::source>},
    {field::ipv4("rocescope.dst", "Innermost destination address", 0).also("rocescope.addr"),
     read_v4<&Packet::destination>},
    {field::ipv6("rocescope.dst", "Innermost destination address", 0).also("rocescope.addr"),
     read_v6<&Packet::destination>},
    {number("rocescope.dst", "Destination LID", 16).also("rocescope.addr"), read_lid<&Packet::destination>},
    {number("rocescope.vni", "Innermost virtual network identifier"),
     [](const PacketRecord& record, FieldValue& value) {
       return packet_of(record).overlay_id != 0 && give(value, packet_of(record).overlay_id);
     }},
    {number("rocescope.tunnel_depth", "Tunnels around the packet"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, packet_of(record).tunnel_depth); }},
    {number("rocescope.payload_length", "Payload length without pad"),
     [](const PacketRecord& record, FieldValue& value) {
       // Payload always comes after a BTH: offset 0 means that dissection ended before it.
       return packet_of(record).roce.payload_offset != 0 && give(value, packet_of(record).roce.payload_length);
     }},
    {number("rocescope.source_port", "UDP source port as sent", 16),
     [](const PacketRecord& record, FieldValue& value) {
       return is_v2(packet_of(record)) &&
              give(value, record.true_source_port.value_or(packet_of(record).roce.udp_source_port));
     },
     kIcrcPart},
    {field::flag("rocescope.source_port_rewritten", "The capture rewrote the UDP source port", 0),
     [](const PacketRecord& record, FieldValue& value) { return record.true_source_port && give(value, 1); },
     kIcrcPart},
    {text("rocescope.icrc.status", "ICRC check"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, to_string(record.icrc.status)); },
     kIcrcPart},
    {text("rocescope.icrc.obstacle", "Why the ICRC cannot be verified"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, to_string(record.icrc.obstacle)); },
     kIcrcPart},
    {field::hex("rocescope.icrc.expected", "ICRC that would be right", 0, 32),
     [](const PacketRecord& record, FieldValue& value) {
       return (record.icrc.status == IcrcStatus::kGood || record.icrc.status == IcrcStatus::kBad) &&
              give(value, record.icrc.expected);
     },
     kIcrcPart},
    {number("rocescope.connection", "Connection"),
     [](const PacketRecord& record, FieldValue& value) {
       return record.verdict.connection != 0 && give(value, record.verdict.connection);
     },
     kAllParts},
    {number("rocescope.message.id", "Message", 64),
     [](const PacketRecord& record, FieldValue& value) {
       return record.verdict.message != 0 && give(value, record.verdict.message);
     },
     kVerdictPart},
    {text("rocescope.verdict", "Verdict"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, to_string(record.verdict.kind)); },
     kVerdictPart},
    verdict_flag<VerdictKind::kInOrder>("rocescope.verdict.in_order", "The next PSN"),
    verdict_flag<VerdictKind::kGap>("rocescope.verdict.gap", "PSNs before it were not seen"),
    verdict_flag<VerdictKind::kOutOfOrder>("rocescope.verdict.out_of_order", "Overtaken on its way"),
    verdict_flag<VerdictKind::kRetransmission>("rocescope.verdict.retransmission", "Sent again"),
    verdict_flag<VerdictKind::kCaptureDuplicate>("rocescope.verdict.capture_duplicate", "In the capture twice"),
    verdict_flag<VerdictKind::kUsedPsn>("rocescope.verdict.used_psn", "Another request on a PSN that was used"),
    verdict_flag<VerdictKind::kResponse>("rocescope.verdict.response", "Answers what is outstanding"),
    verdict_flag<VerdictKind::kDuplicateAck>("rocescope.verdict.duplicate_ack",
                                             "Repeats the acknowledgement before it"),
    verdict_flag<VerdictKind::kReadResponseGap>("rocescope.verdict.read_response_gap",
                                                "READ responses before it were not seen"),
    verdict_flag<VerdictKind::kReadResponseRetransmission>("rocescope.verdict.read_response_retransmission",
                                                           "READ response sent again"),
    verdict_flag<VerdictKind::kStale>("rocescope.verdict.stale", "Of requests that were answered before"),
    verdict_flag<VerdictKind::kAckOfUnseen>("rocescope.verdict.ack_of_unseen", "Of a request that was not seen"),
    {field::flag("rocescope.verdict.damaged", "Damaged on its way", 0),
     [](const PacketRecord& record, FieldValue& value) { return record.verdict.damaged && give(value, 1); },
     kVerdictPart},
    {field::flag("rocescope.verdict.acknowledged", "Sent again although acknowledged", 0),
     [](const PacketRecord& record, FieldValue& value) { return record.verdict.acknowledged && give(value, 1); },
     kVerdictPart},
    {text("rocescope.verdict.cause", "Why it was sent again"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, to_string(record.verdict.cause)); },
     kVerdictPart},
    {text("rocescope.verdict.lost", "Where it was lost, seen from the capture"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, to_string(record.verdict.lost)); },
     kVerdictPart},
    {text("rocescope.verdict.lost_response", "Where the READ responses were lost that it asks for again"),
     [](const PacketRecord& record, FieldValue& value) { return give(value, to_string(record.verdict.lost_response)); },
     kVerdictPart},
    {number("rocescope.verdict.missing", "PSNs not seen"),
     [](const PacketRecord& record, FieldValue& value) {
       return record.verdict.missing != 0 && give(value, record.verdict.missing);
     },
     kVerdictPart},
    {number("rocescope.verdict.related", "Frame that it relates to", 64),
     [](const PacketRecord& record, FieldValue& value) {
       return record.verdict.related != 0 && give(value, record.verdict.related);
     },
     kVerdictPart},
    {number("rocescope.verdict.evidence", "Frame that asked for it", 64),
     [](const PacketRecord& record, FieldValue& value) {
       return record.verdict.evidence != 0 && give(value, record.verdict.evidence);
     },
     kVerdictPart},
    {text("rocescope.stop.reason", "Why dissection ended early"),
     [](const PacketRecord& record, FieldValue& value) {
       return give(value, to_string(packet_of(record).stop.reason));
     }},
    {text("rocescope.stop.layer", "Header that could not be read"),
     [](const PacketRecord& record, FieldValue& value) {
       const Stop& stop = packet_of(record).stop;
       return stop.layer != HeaderKind::kNone && give(value, header_info(stop.layer).name);
     }},
    {number("rocescope.stop.offset", "Where dissection ended"),
     [](const PacketRecord& record, FieldValue& value) {
       const Stop& stop = packet_of(record).stop;
       return stop.reason != StopReason::kNone && give(value, stop.offset);
     }},
    {number("rocescope.stop.needed", "Bytes needed there"),
     [](const PacketRecord& record, FieldValue& value) {
       const Stop& stop = packet_of(record).stop;
       return stop.needed != 0 && give(value, stop.needed);
     }},
    {number("rocescope.stop.available", "Bytes available there"),
     [](const PacketRecord& record, FieldValue& value) {
       const Stop& stop = packet_of(record).stop;
       return stop.needed != 0 && give(value, stop.available);
     }},
};

}  // namespace

std::span<const PacketField> packet_fields() noexcept { return kPacketFields; }

}  // namespace rocescope::fields
