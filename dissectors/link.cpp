// Link layers: from the capture's link type to an EtherType.
#include "dissectors.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/vlan.hpp"

namespace rocescope::dissectors {

void dissect_link(Dissection& d, std::uint32_t link_type) noexcept {
  switch (link_type) {
    case link_type::kEthernet:
      return dissect_ethernet(d);
    case link_type::kRaw:
    case link_type::kIpv4:
    case link_type::kIpv6:
      return dissect_ip_by_version(d);
    case link_type::kInfiniBand:
      return dissect_infiniband(d);
    default:
      return;
  }
}

void dissect_ethernet(Dissection& d) noexcept {
  if (const auto ethernet = d.take<Ethernet>()) dissect_ether_type(d, ethernet->ether_type());
}

namespace {

bool is_vlan(std::uint16_t type) noexcept {
  return type == ether_type::kVlan || type == ether_type::kServiceVlan || type == ether_type::kQinQ ||
         type == ether_type::kQinQ2;
}

}  // namespace

void dissect_ether_type(Dissection& d, std::uint16_t ether_type) noexcept {
  for (bool first = true; is_vlan(ether_type); first = false) {
    const std::uint32_t at = d.offset;
    if (first ? !d.take(HeaderKind::kVlan, Vlan::kSize) : !d.extend_last(Vlan::kSize)) return;
    ether_type = Vlan(d.data.data() + at).ether_type();
  }
  switch (ether_type) {
    case ether_type::kIpv4:
      return dissect_ipv4(d);
    case ether_type::kIpv6:
      return dissect_ipv6(d);
    case ether_type::kRoce:
      return dissect_roce_v1(d);
    case ether_type::kMpls:
    case ether_type::kMplsMulticast:
      return dissect_mpls(d);
    default:
      return;
  }
}

}  // namespace rocescope::dissectors
