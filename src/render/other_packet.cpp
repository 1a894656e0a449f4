// Packets that carry no RoCE.
#include "other_packet.hpp"

#include "rocescope/headers.hpp"

namespace rocescope::render {
namespace {

/// The type that the last Ethernet header or VLAN tag announces.
std::uint16_t last_ether_type(const Packet& packet) {
  for (std::size_t i = packet.layer_count; i > 0; --i) {
    const Layer& layer = packet.layers()[i - 1];
    const std::uint8_t* end = packet.frame.data.data() + layer.offset + layer.length;
    if (layer.kind == HeaderKind::kVlan) return Vlan(end - Vlan::kSize).ether_type();
    if (layer.kind == HeaderKind::kEthernet) return Ethernet(end - Ethernet::kSize).ether_type();
  }
  return 0;
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
  if (packet.layer_count == 0) {
    fmt::format_to(std::back_inserter(out), "link type {}", packet.frame.link_type);
  } else if (const auto tcp = packet.header<Tcp>()) {
    fmt::format_to(std::back_inserter(out), "TCP {} > {}", tcp->source_port(), tcp->destination_port());
  } else if (const auto udp = packet.header<Udp>()) {
    fmt::format_to(std::back_inserter(out), "UDP {} > {}", udp->source_port(), udp->destination_port());
  } else if (packet.find(HeaderKind::kIpv4) != nullptr || packet.find(HeaderKind::kIpv6) != nullptr) {
    append_name(kIpProtocolNames, packet.ip_protocol, "IP protocol", out);
  } else if (const std::uint16_t type = last_ether_type(packet); type != 0) {
    append_name(kEtherTypeNames, type, "EtherType", out);
  } else {
    out += header_info(packet.layers().back().kind).title;
  }
}

void add_other_notes(const Packet& packet, Notes& notes) {
  if (const auto tcp = packet.header<Tcp>()) {
    note_tcp_flags(*tcp, notes);
    const std::uint32_t payload = tcp_payload_length(packet, *packet.find(HeaderKind::kTcp));
    if (payload > 0) notes.add(Tone::kPlain, "payload {}", payload);
  }
}

}  // namespace rocescope::render
