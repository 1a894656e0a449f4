// IPv6, and the protocols above IP. IPv4 is in dissect.cpp.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/encryption.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/transport.hpp"

namespace rocescope::dissectors {

void dissect_ip_by_version(Dissection& d) noexcept {
  if (!d.need(HeaderKind::kIpv4, 1)) return;
  const unsigned version = d.data[d.offset] >> 4;
  if (version == 4) return dissect_ipv4(d);
  if (version == 6) return dissect_ipv6(d);
  d.stop(StopReason::kMalformed, HeaderKind::kIpv4);
}

void dissect_after_ip(Dissection& d, std::uint8_t protocol, IpContext ip) noexcept {
  if (take_extension_headers(d, protocol, ip)) dissect_ip_protocol(d, protocol, ip);
}

void dissect_ipv6(Dissection& d) noexcept {
  const std::uint32_t start = d.offset;
  const auto header = d.take<Ipv6>();
  if (!header) return;
  if (header->version() != 6) return d.stop(StopReason::kMalformed, HeaderKind::kIpv6);
  d.packet.source = IpAddress::v6(header->source());
  d.packet.destination = IpAddress::v6(header->destination());
  d.packet.traffic_class = header->traffic_class();
  d.packet.ip_protocol = header->next_header();
  // Payload length 0: a jumbogram, or left to the NIC.
  if (header->payload_length() != 0) d.narrow(start + Ipv6::kSize + header->payload_length(), HeaderKind::kIpv6);
  dissect_after_ip(d, header->next_header(), {start, true, false});
}

void dissect_ip_protocol(Dissection& d, std::uint8_t protocol, const IpContext& ip) noexcept {
  switch (protocol) {
    case ip_protocol::kUdp:
      return dissect_udp(d, ip);
    case ip_protocol::kTcp:
      return dissect_tcp(d);
    case ip_protocol::kIcmp:
      static_cast<void>(d.take<Icmp>());
      return;
    case ip_protocol::kIcmpv6:
      static_cast<void>(d.take<Icmpv6>());
      return;
    case ip_protocol::kEsp:
      if (d.take<Esp>()) d.stop(StopReason::kEncrypted, HeaderKind::kEsp);
      return;
    default:
      return dissect_ip_tunnel(d, protocol, ip);
  }
}

}  // namespace rocescope::dissectors
