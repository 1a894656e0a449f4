// The entry, and the path of nearly every packet: Ethernet, IPv4, UDP, BTH, ICRC. They share one file so that the compiler can
// make one function of them with known offsets; rarer headers are calls. Tunnels call the same code at the end of the file.
#include "rocescope/dissect.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "dissectors/dissectors.hpp"
#include "rocescope/headers.hpp"

namespace rocescope {
namespace dissectors {
namespace {

/// Bytes of a header of each kind.
constexpr auto kHeaderSizes = [] {
  std::array<std::uint16_t, kHeaderKinds> sizes{};
  using Size = std::pair<HeaderKind, std::size_t>;
  // No fold: clang takes 256 operands at most, and there are more headers.
  const auto each = []<class... H>(HeaderList<H...>) {
    return std::array<Size, sizeof...(H)>{Size{H::kKind, H::kSize}...};
  }(AllHeaders{});
  for (const auto& [kind, size] : each) sizes[static_cast<std::size_t>(kind)] = static_cast<std::uint16_t>(size);
  return sizes;
}();
constexpr std::size_t size_of(HeaderKind kind) noexcept { return kHeaderSizes[static_cast<std::size_t>(kind)]; }

/// The extension headers of the opcode. False, and noted, when they are not all here.
[[gnu::always_inline]] inline bool take_extension_headers(Dissection& d, const OpcodeInfo& opcode) noexcept {
  const auto& kinds = opcode.headers;
  const bool usual = kinds[2] == HeaderKind::kNone;
  if (usual && d.take_all({{kinds[0], size_of(kinds[0])}, {kinds[1], size_of(kinds[1])}})) return true;
  for (const HeaderKind kind : kinds) {
    if (kind == HeaderKind::kNone) break;
    if (!d.take(kind, size_of(kind))) return false;
  }
  return true;
}

[[gnu::always_inline]] inline void bth(Dissection& d, Encapsulation encapsulation,
                                       std::uint32_t network_offset) noexcept {
  const std::uint32_t start = d.offset;
  const auto bth = d.take<Bth>();
  if (!bth) return;
  RocePacket& roce = d.packet.roce;
  const OpcodeInfo& opcode =
      d.options.reliable_datagram ? reliable_datagram_opcode(bth->opcode()) : opcode_info(bth->opcode());
  roce.encapsulation = encapsulation;
  roce.opcode = &opcode;
  roce.dest_qp = bth->dest_qp();
  roce.psn = bth->psn();
  roce.network_offset = network_offset;
  roce.bth_offset = start;
  roce.end_offset = static_cast<std::uint32_t>(d.end);

  if (!take_extension_headers(d, opcode)) return;
  const std::uint8_t pad = bth->pad_count();
  const std::uint32_t tail = pad + static_cast<std::uint32_t>(Icrc::kSize);
  if (d.left() < tail) return d.stop(StopReason::kMalformed, HeaderKind::kIcrc, tail);
  roce.pad_length = pad;
  if (opcode.transport == Transport::kDc && !take_dc_nak(d, tail)) return;
  roce.payload_offset = d.offset;
  roce.payload_length = static_cast<std::uint32_t>(d.left()) - tail;
  const std::uint32_t payload_end = roce.payload_offset + roce.payload_length;
  if (opcode.transport == Transport::kUd && opcode.operation == Operation::kSend) dissect_datagram(d);
  const std::uint32_t payload = payload_end - d.offset;  // but for what dissect_datagram() took
  if (d.take_all({{HeaderKind::kPayload, payload}, {HeaderKind::kPad, pad}, {HeaderKind::kIcrc, Icrc::kSize}})) return;
  if (!take_cut(d, HeaderKind::kPayload, payload) || !take_cut(d, HeaderKind::kPad, pad)) return;
  static_cast<void>(d.take(HeaderKind::kIcrc, Icrc::kSize));
}

/// Whether IP leaves the length open too: a jumbogram (RFC 2675), or left to the NIC to fill in.
bool ip_length_is_open(const Dissection& d, const IpContext& ip) noexcept {
  const std::uint8_t* header = d.data.data() + ip.header_offset;
  return ip.v6 ? Ipv6(header).payload_length() == 0 : Ipv4(header).total_length() == 0;
}

[[gnu::always_inline]] inline void udp(Dissection& d, const IpContext& ip) noexcept {
  const std::uint32_t start = d.offset;
  const auto header = d.take<Udp>();
  if (!header) return;
  if (ip.first_fragment) d.enter_cut_packet(StopReason::kFragment);
  if (header->length() != 0 || !ip_length_is_open(d, ip)) {
    if (header->length() < Udp::kSize) return d.stop(StopReason::kMalformed, HeaderKind::kUdp, Udp::kSize);
    d.narrow(start + header->length(), HeaderKind::kUdp);
  }
  if (header->destination_port() != udp_port::kRoce) return dissect_udp_tunnel(d, header->destination_port(), ip);
  d.packet.roce.udp_source_port = header->source_port();
  d.packet.roce.fragmented = ip.first_fragment;
  bth(d, ip.v6 ? Encapsulation::kRoceV2Ipv6 : Encapsulation::kRoceV2Ipv4, ip.header_offset);
}

[[gnu::always_inline]] inline void ipv4(Dissection& d) noexcept {
  const std::uint32_t start = d.offset;
  const auto header = d.take<Ipv4>();
  if (!header) return;
  const std::uint32_t header_length = header->header_words() * 4U;
  if (header->version() != 4 || header_length < Ipv4::kSize) return d.stop(StopReason::kMalformed, HeaderKind::kIpv4);
  d.packet.source = IpAddress::v4(header->source());
  d.packet.destination = IpAddress::v4(header->destination());
  d.packet.traffic_class = header->traffic_class();
  d.packet.ip_protocol = header->protocol();
  // Total length 0: the stack left it to the NIC (segmentation offload); the frame's length is all there is.
  if (header->total_length() != 0) {
    if (header->total_length() < header_length) return d.stop(StopReason::kMalformed, HeaderKind::kIpv4, header_length);
    d.narrow(start + header->total_length(), HeaderKind::kIpv4);
  }
  if (header_length > Ipv4::kSize && !take_ip_options(d, std::uint64_t{start} + header_length)) return;
  if (header->fragment_offset_words() != 0) return d.stop(StopReason::kFragment, HeaderKind::kIpv4);
  const IpContext ip{start, false, header->more_fragments()};
  if (header->protocol() == ip_protocol::kUdp) return udp(d, ip);
  dissect_after_ip(d, header->protocol(), ip);
}

[[gnu::always_inline]] inline void ethernet(Dissection& d) noexcept {
  const auto ethernet = d.take<Ethernet>();
  if (!ethernet) return;
  if (ethernet->ether_type() == ether_type::kIpv4) return ipv4(d);
  dissect_length_or_ether_type(d, ethernet->ether_type());
}

}  // namespace

void dissect_ethernet(Dissection& d) noexcept { ethernet(d); }
void dissect_ipv4(Dissection& d) noexcept { ipv4(d); }
void dissect_udp(Dissection& d, const IpContext& ip) noexcept { udp(d, ip); }
void dissect_bth(Dissection& d, Encapsulation encapsulation, std::uint32_t network_offset) noexcept {
  bth(d, encapsulation, network_offset);
}

}  // namespace dissectors

void dissect(const Frame& frame, Packet& packet, const DissectOptions& options) noexcept {
  if (&frame != &packet.frame) packet.frame = frame;
  packet.roce = {};
  packet.source = packet.destination = {};
  packet.overlay_id = 0;
  packet.traffic_class = packet.ip_protocol = packet.tunnel_depth = packet.layer_count = 0;
  packet.message = {};
  packet.kinds = 0;
  packet.stop = {};
  packet.partial = {};
  dissectors::Dissection d(packet, options);
  if (frame.link_type == link_type::kEthernet) {
    dissectors::ethernet(d);
  } else {
    dissectors::dissect_link(d, frame.link_type);
  }
  const std::size_t captured = frame.data.size();
  if (d.end != captured || d.data.size() != captured) dissectors::dissect_trailer(d);
  const std::uint64_t shown = std::max<std::uint64_t>(frame.original_length, captured);
  packet.wire_length = std::max<std::uint64_t>(shown, packet.roce.end_offset) - packet.record_header_length();
}

}  // namespace rocescope
