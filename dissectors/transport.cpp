// UDP and TCP.
#include "dissectors.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tcp.hpp"
#include "rocescope/headers/udp.hpp"

namespace rocescope::dissectors {

namespace {

/// Whether IP leaves the length open too: a jumbogram (RFC 2675), or left to the NIC to fill in.
bool ip_length_is_open(const Dissection& d, const IpContext& ip) noexcept {
  const std::uint8_t* header = d.data.data() + ip.header_offset;
  return ip.v6 ? Ipv6(header).payload_length() == 0 : Ipv4(header).total_length() == 0;
}

}  // namespace

void dissect_udp(Dissection& d, const IpContext& ip) noexcept {
  const std::uint32_t start = d.offset;
  const auto header = d.take<Udp>();
  if (!header) return;
  if (ip.first_fragment) d.enter_cut_packet(StopReason::kFragment);
  if (header->length() != 0 || !ip_length_is_open(d, ip)) {
    if (header->length() < Udp::kSize) return d.stop(StopReason::kMalformed, HeaderKind::kUdp, Udp::kSize);
    d.narrow(start + header->length(), HeaderKind::kUdp);
  }
  switch (header->destination_port()) {
    case udp_port::kRoce:
      d.packet.roce.udp_source_port = header->source_port();
      d.packet.roce.fragmented = ip.first_fragment;
      return dissect_bth(d, ip.v6 ? Encapsulation::kRoceV2Ipv6 : Encapsulation::kRoceV2Ipv4, ip.header_offset);
    default:
      return dissect_udp_tunnel(d, header->destination_port(), ip);
  }
}

void dissect_tcp(Dissection& d) noexcept {
  const auto header = d.take<Tcp>();
  if (!header) return;
  const std::size_t length = header->header_words() * 4U;
  if (length < Tcp::kSize) return d.stop(StopReason::kMalformed, HeaderKind::kTcp, Tcp::kSize);
  if (length > Tcp::kSize) static_cast<void>(d.extend_last(length - Tcp::kSize));
}

}  // namespace rocescope::dissectors
