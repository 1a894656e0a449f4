// Packets that carry no RoCE.
#include "other_packet.hpp"

#include <algorithm>

#include "rocescope/field_value.hpp"
#include "rocescope/headers.hpp"

namespace rocescope::render {
namespace {

/// The field of the layer that says by EtherType what follows, if it has one: of several headers the last.
const Field* ether_type_field(const Packet& packet, const Layer& layer, FieldValue& value) {
  const Field* found = nullptr;
  for_each_field(packet, layer, [&](const Layer&, const FieldValue& candidate) {
    if (candidate.field->names.data() != kEtherTypeNames) return;
    value = candidate;
    found = candidate.field;
  });
  return found;
}

/// Whether a layer tells nothing of its own about the packet that holds it.
bool is_detail(const Layer& layer) {
  return header_info(layer.kind).continues || layer.kind == HeaderKind::kPad || layer.kind == HeaderKind::kTrailer ||
         layer.kind == HeaderKind::kPayload;
}

/// The layer that says best what the packet is; null when there is none at all.
const Layer* telling_layer(const Packet& packet) {
  const std::span<const Layer> layers = packet.layers();
  const auto last = std::find_if_not(layers.rbegin(), layers.rend(), is_detail);
  return last == layers.rend() ? nullptr : &*last;
}

/// A number's name, or else the kind of number and the number.
void append_name(std::span<const ValueName> names, std::uint64_t value, std::string_view kind, std::string& out) {
  const std::string_view name = name_of(names, value);
  if (name.empty()) {
    fmt::format_to(std::back_inserter(out), "{} {:#x}", kind, value);
  } else {
    out += name;
  }
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

/// Bytes behind the TCP header, by the length in the IP header; 0 where that tells none.
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

}  // namespace

void append_protocol(const Packet& packet, std::string& out) {
  const Layer* last = telling_layer(packet);
  if (last == nullptr) {
    fmt::format_to(std::back_inserter(out), "link type {}", packet.frame.link_type);
    return;
  }
  const std::uint8_t* header = packet.frame.data.data() + last->offset;
  FieldValue type;
  if (last->kind == HeaderKind::kTcp) {
    fmt::format_to(std::back_inserter(out), "TCP {} > {}", Tcp(header).source_port(), Tcp(header).destination_port());
  } else if (last->kind == HeaderKind::kUdp) {
    fmt::format_to(std::back_inserter(out), "UDP {} > {}", Udp(header).source_port(), Udp(header).destination_port());
  } else if (last->kind == HeaderKind::kIpv4 || last->kind == HeaderKind::kIpv6) {
    append_name(kIpProtocolNames, packet.ip_protocol, "IP protocol", out);
  } else if (last->kind == HeaderKind::kArp) {
    out += "ARP";
  } else if (last->kind == HeaderKind::kIcmp || last->kind == HeaderKind::kIcmpv6) {
    out += name_of(kIpProtocolNames, packet.ip_protocol);
  } else if (ether_type_field(packet, *last, type) != nullptr) {
    append_name(kEtherTypeNames, type.number, "EtherType", out);
  } else {
    const std::string_view title = header_info(last->kind).title;
    out += title.substr(0, title.find(':'));
  }
}

void add_other_notes(const Packet& packet, Notes& notes) {
  const Layer* last = telling_layer(packet);
  if (last == nullptr || last->kind != HeaderKind::kTcp) return;
  note_tcp_flags(Tcp(packet.frame.data.data() + last->offset), notes);
  const std::uint32_t payload = tcp_payload_length(packet, *last);
  if (payload > 0) notes.add(Tone::kPlain, "payload {}", payload);
}

}  // namespace rocescope::render
