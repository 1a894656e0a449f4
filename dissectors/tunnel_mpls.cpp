// MPLS: a label stack and what it carries. RFC 3032; RFC 4448 (Ethernet pseudowires), RFC 4928 (the first nibble),
// RFC 7510 (MPLS in UDP), RFC 4023 (MPLS in GRE and IP).
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tunnels.hpp"

namespace rocescope::dissectors {
namespace {

bool looks_like_ethernet(Bytes bytes) noexcept {
  const auto ethernet = Ethernet::parse(bytes);
  return ethernet && !name_of(kEtherTypeNames, ethernet->ether_type()).empty();
}

/// Whether IP follows where the EtherType of an Ethernet header announces it.
bool looks_like_ip_in_ethernet(Bytes bytes) noexcept {
  const auto ethernet = Ethernet::parse(bytes);
  if (!ethernet || bytes.size() == Ethernet::kSize) return false;
  const unsigned version = bytes[Ethernet::kSize] >> 4;
  return (ethernet->ether_type() == ether_type::kIpv4 && version == 4) ||
         (ethernet->ether_type() == ether_type::kIpv6 && version == 6);
}

void dissect_pseudowire(Dissection& d) noexcept {
  if (d.enter_tunnel(HeaderKind::kEthernet)) dissect_ethernet(d);
}

/// Labels do not say what they carry, and MAC addresses too start with nibbles 4 and 6 (48:b0:2d is NVIDIA's, RFC 8469).
/// It is Ethernet if IP follows an Ethernet header, or if the IP length is impossible and the EtherType is known.
void dissect_ip_or_pseudowire(Dissection& d, std::uint64_t ip_length) noexcept {
  const Bytes here = d.rest();
  if (looks_like_ip_in_ethernet(here) || (ip_length > d.left() && looks_like_ethernet(here))) {
    return dissect_pseudowire(d);
  }
  dissect_ip_by_version(d);
}

/// An Ethernet frame, perhaps after a control word. A control word starts with sixteen zero bits, many MAC addresses with four.
void dissect_pseudowire_with_control_word(Dissection& d) noexcept {
  if (!d.need(HeaderKind::kEthernet, PseudowireControl::kSize + Ethernet::kSize)) return;
  const Bytes here = d.rest();
  const bool zeros = here[0] == 0 && here[1] == 0;
  const bool has_control_word =
      !looks_like_ethernet(here) || (zeros && looks_like_ethernet(here.subspan(PseudowireControl::kSize)));
  if (has_control_word && !d.take<PseudowireControl>()) return;
  dissect_pseudowire(d);
}

void dissect_labelled(Dissection& d) noexcept {
  constexpr unsigned kControlWord = 0;
  constexpr unsigned kAssociatedChannel = 1;  // RFC 5586
  if (!d.need(HeaderKind::kEthernet, 1)) return;
  switch (d.data[d.offset] >> 4) {
    case 4:
      if (d.rest().size() < Ipv4::kSize) return dissect_ipv4(d);
      return dissect_ip_or_pseudowire(d, Ipv4(d.rest().data()).total_length());
    case 6:
      if (d.rest().size() < Ipv6::kSize) return dissect_ipv6(d);
      return dissect_ip_or_pseudowire(d, Ipv6::kSize + Ipv6(d.rest().data()).payload_length());
    case kControlWord:
      return dissect_pseudowire_with_control_word(d);
    case kAssociatedChannel:
      return;
    default:
      return dissect_pseudowire(d);
  }
}

}  // namespace

void dissect_mpls(Dissection& d) noexcept {
  bool bottom = false;
  while (!bottom) {
    const std::uint32_t label = d.offset;
    if (!d.take_run(HeaderKind::kMpls, Mpls::kSize)) return;
    bottom = Mpls(d.data.data() + label).is_bottom();
  }
  dissect_labelled(d);
}

}  // namespace rocescope::dissectors
