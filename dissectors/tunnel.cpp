// Tunnels over IP and UDP: their list, and those with short headers. RFC 7348 (VXLAN), RFC 8926 (GENEVE),
// RFC 2003 and 2473 (IP in IP), RFC 3378 (EtherIP), RFC 8986 (Ethernet in IPv6).
#include <algorithm>

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tunnels.hpp"

namespace rocescope::dissectors {
namespace {

/// Enters a tunnel. `kind` is its header, or its inner packet if it has no header.
bool enter(Dissection& d, HeaderKind kind, const IpContext& ip) noexcept {
  if (ip.first_fragment) d.enter_cut_packet(StopReason::kFragment);
  return d.enter_tunnel(kind);
}

void dissect_vxlan(Dissection& d) noexcept {
  const auto vxlan = d.take<Vxlan>();
  if (!vxlan) return;
  if (vxlan->vni_is_valid()) d.packet.overlay_id = vxlan->vni();
  dissect_ethernet(d);
}

void dissect_vxlan_gpe(Dissection& d) noexcept {
  const auto vxlan = d.take<VxlanGpe>();
  if (!vxlan) return;
  if (vxlan->vni_is_valid()) d.packet.overlay_id = vxlan->vni();
  switch (vxlan->next_protocol_is_valid() ? vxlan->next_protocol() : vxlan_next_protocol::kEthernet) {
    case vxlan_next_protocol::kIpv4:
      return dissect_ipv4(d);
    case vxlan_next_protocol::kIpv6:
      return dissect_ipv6(d);
    case vxlan_next_protocol::kEthernet:
      return dissect_ethernet(d);
    case vxlan_next_protocol::kMpls:
      return dissect_mpls(d);
    default:
      return;
  }
}

/// Takes the options. A length that reaches beyond them breaks that option alone: the GENEVE header says where they end.
bool take_geneve_options(Dissection& d, std::uint32_t end) noexcept {
  while (d.offset < end) {
    if (!d.need(HeaderKind::kGeneveOption, GeneveOption::kSize)) return false;
    const std::uint32_t length = GeneveOption::kSize + GeneveOption(d.data.data() + d.offset).data_words() * 4U;
    if (!d.take(HeaderKind::kGeneveOption, std::min(length, end - d.offset))) return false;
  }
  return true;
}

void dissect_geneve(Dissection& d) noexcept {
  const auto geneve = d.take<Geneve>();
  if (!geneve) return;
  if (geneve->version() != 0) return d.stop(StopReason::kMalformed, HeaderKind::kGeneve);
  d.packet.overlay_id = geneve->vni();
  if (!take_geneve_options(d, d.offset + geneve->option_words() * 4U)) return;
  if (geneve->protocol() == ether_type::kTransparentEthernet) return dissect_ethernet(d);
  dissect_ether_type(d, geneve->protocol());
}

void dissect_ether_ip(Dissection& d) noexcept {
  constexpr unsigned kVersion = 3;
  const auto ether_ip = d.take<EtherIp>();
  if (!ether_ip) return;
  if (ether_ip->version() != kVersion) return d.stop(StopReason::kMalformed, HeaderKind::kEtherIp);
  dissect_ethernet(d);
}

}  // namespace

void dissect_udp_tunnel(Dissection& d, std::uint16_t destination_port, const IpContext& ip) noexcept {
  switch (destination_port) {
    case udp_port::kVxlan:
    case udp_port::kVxlanLinux:
      if (enter(d, HeaderKind::kVxlan, ip)) dissect_vxlan(d);
      return;
    case udp_port::kVxlanGpe:
      if (enter(d, HeaderKind::kVxlanGpe, ip)) dissect_vxlan_gpe(d);
      return;
    case udp_port::kGeneve:
      if (enter(d, HeaderKind::kGeneve, ip)) dissect_geneve(d);
      return;
    case udp_port::kMpls:
      if (enter(d, HeaderKind::kMpls, ip)) dissect_mpls(d);
      return;
    case udp_port::kSflow:
      if (enter(d, HeaderKind::kSflow, ip)) dissect_sflow(d);
      return;
    default:
      return;
  }
}

void dissect_ip_tunnel(Dissection& d, std::uint8_t protocol, const IpContext& ip) noexcept {
  switch (protocol) {
    case ip_protocol::kIpv4:
      if (enter(d, HeaderKind::kIpv4, ip)) dissect_ipv4(d);
      return;
    case ip_protocol::kIpv6:
      if (enter(d, HeaderKind::kIpv6, ip)) dissect_ipv6(d);
      return;
    case ip_protocol::kGre:
      if (enter(d, HeaderKind::kGre, ip)) dissect_gre(d);
      return;
    case ip_protocol::kEtherIp:
      if (enter(d, HeaderKind::kEtherIp, ip)) dissect_ether_ip(d);
      return;
    case ip_protocol::kMpls:
      if (enter(d, HeaderKind::kMpls, ip)) dissect_mpls(d);
      return;
    case ip_protocol::kEthernet:
      if (enter(d, HeaderKind::kEthernet, ip)) dissect_ethernet(d);
      return;
    default:
      return;
  }
}

}  // namespace rocescope::dissectors
