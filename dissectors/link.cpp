// Link layers: from the capture's link type to an EtherType. The Ethernet header itself is in dissect.cpp.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/link_types.hpp"

namespace rocescope::dissectors {
namespace {

void dissect_cooked(Dissection& d, std::uint16_t protocol) noexcept {
  if (protocol == sll::kLlc) return dissect_llc(d);
  if (protocol >= ether_type::kFirst) dissect_ether_type(d, protocol);
}

/// An address family; Wireshark's writers put an EtherType there as well.
void dissect_family(Dissection& d, std::uint32_t family) noexcept {
  switch (family) {
    case 2:
      return dissect_ipv4(d);
    case 10:
    case 24:
    case 28:
    case 30:
      return dissect_ipv6(d);
    default:
      if (family >= ether_type::kFirst && family <= UINT16_MAX) {
        dissect_ether_type(d, static_cast<std::uint16_t>(family));
      }
  }
}

}  // namespace

void dissect_link(Dissection& d, std::uint32_t link_type) noexcept {
  switch (link_type) {
    case link_type::kEthernet:
      return dissect_ethernet(d);
    case link_type::kRaw:
    case link_type::kIpv4:
    case link_type::kIpv6:
      return dissect_ip_by_version(d);
    case link_type::kNull:
      if (const auto null = d.take<Null>()) dissect_family(d, null->family());
      return;
    case link_type::kLoop:
      if (const auto loop = d.take<Loop>()) dissect_family(d, loop->family());
      return;
    case link_type::kLinuxSll:
      if (const auto sll = d.take<Sll>()) dissect_cooked(d, sll->protocol());
      return;
    case link_type::kLinuxSll2:
      if (const auto sll = d.take<Sll2>()) dissect_cooked(d, sll->protocol());
      return;
    case link_type::kErf:
      return dissect_erf(d);
    case link_type::kInfiniBand:
      return dissect_infiniband(d);
    default:
      return;
  }
}

void dissect_llc(Dissection& d) noexcept {
  if (!d.need(HeaderKind::kLlc, Llc::kSize)) return;
  const Llc llc(d.data.data() + d.offset);
  constexpr std::uint16_t kIpxWithoutLlc = 0xFFFF;
  constexpr std::uint16_t kIp = 0x0606;
  constexpr std::uint16_t kSnap = 0xAAAA;
  if (llc.access_points() == kIpxWithoutLlc) return;
  const bool unnumbered = (llc.bytes()[2] & 3U) == 3U;
  if (!(unnumbered ? d.take(HeaderKind::kLlc, Llc::kSize) : d.take(HeaderKind::kLlcNumbered, LlcNumbered::kSize)))
    return;
  if (!unnumbered) return;
  if (llc.access_points() == kIp) return dissect_ipv4(d);
  if (llc.access_points() != kSnap) return;
  const auto snap = d.take<Snap>();
  if (snap && snap->has_ether_type()) dissect_ether_type(d, snap->ether_type());
}

namespace {

void dissect_length(Dissection& d, std::uint16_t length) noexcept {
  d.narrow(std::uint64_t{d.offset} + length, HeaderKind::kEthernet);
  dissect_llc(d);
}

bool is_vlan(std::uint16_t type) noexcept {
  return type == ether_type::kVlan || type == ether_type::kServiceVlan || type == ether_type::kQinQ ||
         type == ether_type::kQinQ2;
}

/// Takes the tag, or the pair of tags, that `ether_type` announced. On success that is the type behind it.
bool take_vlan(Dissection& d, std::uint16_t& ether_type) noexcept {
  const std::uint8_t* tag = d.data.data() + d.offset;
  if (ether_type != ether_type::kServiceVlan) {
    if (!d.take_run(HeaderKind::kVlan, Vlan::kSize)) return false;
    ether_type = Vlan(tag).ether_type();
    return true;
  }
  if (!d.need(HeaderKind::kServiceVlan, ServiceVlan::kSize)) return false;
  if (ServiceVlan(tag).ether_type() == ether_type::kServiceVlan) {
    if (!d.take_run(HeaderKind::kServiceVlanPair, ServiceVlanPair::kSize)) return false;
    ether_type = ServiceVlanPair(tag).ether_type();
    return true;
  }
  if (!d.take(HeaderKind::kServiceVlan, ServiceVlan::kSize)) return false;
  ether_type = ServiceVlan(tag).ether_type();
  return true;
}

}  // namespace

void dissect_length_or_ether_type(Dissection& d, std::uint16_t type) noexcept {
  if (type <= ether_type::kMaxLength) return dissect_length(d, type);
  dissect_ether_type(d, type);
}

void dissect_ether_type(Dissection& d, std::uint16_t ether_type) noexcept {
  while (is_vlan(ether_type)) {
    if (!take_vlan(d, ether_type)) return;
    if (ether_type <= ether_type::kMaxLength) return dissect_length(d, ether_type);
  }
  switch (ether_type) {
    case ether_type::kIpv4:
      return dissect_ipv4(d);
    case ether_type::kIpv6:
      return dissect_ipv6(d);
    case ether_type::kRoce:
      return dissect_roce_v1(d);
    case ether_type::kArp:
      return dissect_arp(d);
    case ether_type::kMacControl:
      return dissect_mac_control(d);
    case ether_type::kLldp:
      return dissect_lldp(d);
    case ether_type::kMacsec:
      return dissect_macsec(d);
    case ether_type::kArista:
      return dissect_avsp(d);
    case ether_type::kMpls:
    case ether_type::kMplsMulticast:
      return dissect_mpls(d);
    case ether_type::kJumboLlc:
      return dissect_llc(d);
    case ether_type::kTransparentEthernet:
      if (d.enter_tunnel(HeaderKind::kEthernet)) dissect_ethernet(d);
      return;
    default:
      return;
  }
}

}  // namespace rocescope::dissectors
