// Packets that carry no RoCE.
#include "render/packets/other_packet.hpp"

#include <optional>
#include <span>
#include <string_view>

#include "render/value_text.hpp"
#include "rocescope/field_value.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/mac_control.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/smc_clc.hpp"
#include "rocescope/headers/transport.hpp"
#include "rocescope/text.hpp"
#include "text/append.hpp"

namespace rocescope::render {
namespace {

/// The EtherType by which a link header, or the last of several tags, announces what follows; nothing for other layers.
std::optional<std::uint64_t> announced_type(const Packet& packet, const Layer& layer) {
  std::optional<std::uint64_t> type;
  if (layer.kind == HeaderKind::kArp) return type;  // the protocol of its addresses
  for_each_field(packet, layer, [&](const Layer&, const FieldValue& value) {
    if (value.field->names.data() == kEtherTypeNames && value.number > ether_type::kMaxLength) type = value.number;
  });
  return type;
}

/// Whether the packet's protocol is named after this layer.
bool names_protocol(const Packet& packet, const Layer& layer) {
  switch (layer.kind) {
    case HeaderKind::kTcp:
    case HeaderKind::kUdp:
    case HeaderKind::kIpv4:
    case HeaderKind::kIpv6:
    case HeaderKind::kMacControl:
      return true;
    default:
      return announced_type(packet, layer).has_value();
  }
}

/// The innermost layer that names the protocol; if none does, the innermost layer of a protocol; null if there is none.
const Layer* protocol_layer(const Packet& packet) {
  const Layer* innermost = nullptr;
  for (const Layer& layer : packet.layers()) {
    if (layer.kind >= HeaderKind::kPayload) break;  // from here on, what stands behind all protocols
    innermost = &layer;
  }
  for (const Layer* layer = innermost; layer != nullptr;
       layer = layer == packet.layers().data() ? nullptr : layer - 1) {
    if (names_protocol(packet, *layer)) return layer;
  }
  return innermost;
}

/// A number's name, or else the kind of number and the number.
void append_name(std::span<const ValueName> names, std::uint64_t value, std::string_view kind, std::string& out) {
  const std::string_view name = name_of(names, value);
  if (name.empty()) {
    text::append(out, "{} {:#x}", kind, value);
  } else {
    out += name;
  }
}

void append_ports(std::string_view protocol, std::uint16_t source, std::uint16_t destination, std::string& out) {
  text::append(out, "{} {} > {}", protocol, source, destination);
}

/// The flags as tcpdump writes them.
void note_tcp_flags(const Tcp& tcp, Notes& notes) {
  notes.add_with(Tone::kPlain, [&](std::string& out) {
    out += '[';
    if (tcp.get<"tcp.flags.syn">()) out += 'S';
    if (tcp.get<"tcp.flags.fin">()) out += 'F';
    if (tcp.get<"tcp.flags.reset">()) out += 'R';
    if (tcp.get<"tcp.flags.push">()) out += 'P';
    if (tcp.get<"tcp.flags.urg">()) out += 'U';
    if (tcp.get<"tcp.flags.ece">()) out += 'E';
    if (tcp.get<"tcp.flags.cwr">()) out += 'W';
    if (tcp.get<"tcp.flags.ack">()) out += '.';
    out += ']';
  });
}

/// Bytes behind the TCP header, by the length in the IP header; 0 if that has none.
std::uint32_t tcp_payload_length(const Packet& packet, const Layer& tcp) {
  std::uint32_t end = 0;
  const Layer* v4 = packet.find(HeaderKind::kIpv4);
  const Layer* v6 = packet.find(HeaderKind::kIpv6);
  if (v6 != nullptr && (v4 == nullptr || v6->offset > v4->offset)) {
    end = v6->offset + static_cast<std::uint32_t>(Ipv6::kSize) + packet.header<Ipv6>()->payload_length();
  } else if (v4 != nullptr) {
    end = v4->offset + packet.header<Ipv4>()->total_length();
  }
  const std::uint32_t start = tcp.offset + tcp.length;
  return end > start ? end - start : 0;
}

void note_tcp(const Packet& packet, const Layer& tcp, Notes& notes) {
  note_tcp_flags(Tcp(packet.frame.data.data() + tcp.offset), notes);
  const std::uint32_t payload = tcp_payload_length(packet, tcp);
  if (payload > 0) notes.add(Tone::kPlain, "payload {}", payload);
}

/// `time` counts quanta of 512 bit times.
void note_pause_time(std::string_view whose, std::uint16_t time, Notes& notes) {
  if (time == 0) return notes.add(Tone::kCongestion, "{}resume", whose);
  notes.add(Tone::kCongestion, "{}pause for {} quanta", whose, time);
}

void note_pause(const Packet& packet, Notes& notes) {
  if (const auto pause = packet.header<MacPause>()) note_pause_time("", pause->time(), notes);
  const auto pfc = packet.header<MacPfc>();
  if (!pfc) return;
  constexpr std::string_view kPriorities[] = {"priority 0 ", "priority 1 ", "priority 2 ", "priority 3 ",
                                              "priority 4 ", "priority 5 ", "priority 6 ", "priority 7 "};
  for (unsigned priority = 0; priority < 8; ++priority) {
    if (pfc->enabled(priority)) note_pause_time(kPriorities[priority], pfc->time(priority), notes);
  }
}

void note_arp(const Packet& packet, const Arp& arp, Notes& notes) {
  constexpr std::uint16_t kRequest = 1;
  constexpr std::uint16_t kReply = 2;
  const auto addresses = packet.header<ArpEthernetIpv4>();
  const auto opcode = arp.get<"arp.opcode">();
  notes.add_with(Tone::kPlain, [&](std::string& out) {
    if (addresses && opcode == kRequest) {
      out += "who has ";
      append_ipv4(addresses->get<"arp.dst.proto_ipv4">(), out);
      out += ", tell ";
      append_ipv4(addresses->get<"arp.src.proto_ipv4">(), out);
    } else if (addresses && opcode == kReply) {
      append_ipv4(addresses->get<"arp.src.proto_ipv4">(), out);
      out += " is at ";
      append_mac(addresses->get<"arp.src.hw_mac">(), out);
    } else {
      append_name(kArpOpcodeNames, opcode, "opcode", out);
    }
  });
}

/// The first field called `name`: what its value is called, or else its label and value.
void note_field(const Packet& packet, std::string_view name, Notes& notes) {
  bool noted = false;
  for_each_field(packet, [&](const Layer&, const FieldValue& value) {
    if (noted || value.field->name != name) return;
    noted = true;
    notes.add_with(Tone::kPlain, [&](std::string& out) {
      if (!value.meaning().empty()) {
        out += value.meaning();
        return;
      }
      text::append(out, "{} ", value.field->label);
      append_value(value, out);
    });
  });
}

/// `SMC-R Accept QP 0x000011 PSN 4291690`: what sets SMC-R up over TCP.
void note_clc(const Packet& packet, Notes& notes) {
  constexpr Tone kTone = Tone::kConnection;
  if (packet.find(HeaderKind::kSmcProposal) != nullptr) notes.add(kTone, "SMC Proposal");
  if (const auto accept = packet.header<SmcAccept>()) {
    notes.add(kTone, "SMC-R Accept QP {} PSN {}", to_text(Qpn(accept->get<"smc.accept.server.qp.number">())),
              accept->get<"smc.accept.initial.psn">());
  }
  if (const auto confirm = packet.header<SmcConfirm>()) {
    notes.add(kTone, "SMC-R Confirm QP {} PSN {}", to_text(Qpn(confirm->get<"smc.confirm.client.qp.number">())),
              confirm->get<"smc.initial.psn">());
  }
  if (const auto decline = packet.header<SmcDecline>()) {
    const std::uint32_t diagnosis = decline->get<"smc.peer.diag.info">();
    const std::string_view name = name_of(kSmcDeclineNames, diagnosis);
    if (name.empty()) return notes.add(Tone::kError, "SMC Decline: diagnosis {:#010x}", diagnosis);
    notes.add(Tone::kError, "SMC Decline: {}", name);
  }
}

}  // namespace

void append_protocol(const Packet& packet, std::string& out) {
  const Layer* layer = protocol_layer(packet);
  if (layer == nullptr) {
    text::append(out, "link type {}", packet.frame.link_type);
    return;
  }
  const std::uint8_t* header = packet.bytes_with(*layer).data() + layer->offset;
  switch (layer->kind) {
    case HeaderKind::kTcp:
      return append_ports("TCP", Tcp(header).source_port(), Tcp(header).destination_port(), out);
    case HeaderKind::kUdp:
      return append_ports("UDP", Udp(header).source_port(), Udp(header).destination_port(), out);
    case HeaderKind::kIpv4:
    case HeaderKind::kIpv6:
      if (packet.stop.reason == StopReason::kMalformed && packet.stop.layer == layer->kind) {
        out += layer->kind == HeaderKind::kIpv4 ? "IPv4" : "IPv6";
        return;
      }
      return append_name(kIpProtocolNames, packet.ip_protocol, "IP protocol", out);
    case HeaderKind::kMacControl:
      return append_name(kMacControlNames, MacControl(header).opcode(), "MAC control", out);
    default:
      break;
  }
  if (const auto type = announced_type(packet, *layer)) return append_name(kEtherTypeNames, *type, "EtherType", out);
  out += header_info(layer->kind).title;
}

void add_other_notes(const Packet& packet, Notes& notes) {
  note_pause(packet, notes);
  if (const auto arp = packet.header<Arp>()) note_arp(packet, *arp, notes);
  if (const Layer* layer = protocol_layer(packet); layer != nullptr && layer->kind == HeaderKind::kTcp) {
    note_tcp(packet, *layer, notes);
    note_clc(packet, notes);
  }
  for (const std::string_view name : {"icmp.type", "icmpv6.type", "llc.dsap", "lldp.tlv.system.name", "lldp.port.id"}) {
    note_field(packet, name, notes);
  }
}

}  // namespace rocescope::render
