// Extension headers of IPv6, and the Authentication Header of both versions.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/encryption.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/ipv6/options.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope::dissectors {
namespace {

/// The end of an extension header that starts at `start` and has `units` of 8 bytes after the first.
std::uint64_t end_of(std::uint32_t start, std::uint8_t units) noexcept {
  return start + (units + 1U) * std::uint64_t{8};
}

bool take_ipv6_option_of(Dissection& d, HeaderKind kind, std::size_t size, std::size_t length) noexcept {
  return length == size ? d.take(kind, size) : d.take(HeaderKind::kIpv6Option, length);
}

/// Takes the next option. False if it cannot be read.
bool take_ipv6_option(Dissection& d) noexcept {
  if (!d.need(HeaderKind::kIpv6Option, 1)) return false;
  const std::uint8_t type = d.data[d.offset];
  if (type == ipv6_option::kPad1) return d.take_run(HeaderKind::kIpv6OptionPad1, Ipv6OptionPad1::kSize);
  if (!d.need(HeaderKind::kIpv6Option, Ipv6Option::kSize)) return false;
  const std::size_t length = Ipv6Option::kSize + d.data[d.offset + 1U];
  if (d.rest().size() < length) return d.take(HeaderKind::kIpv6Option, length);  // keeps the captured part
  switch (type) {
    case ipv6_option::kTunnelLimit:
      return take_ipv6_option_of(d, HeaderKind::kIpv6OptionTunnelLimit, Ipv6OptionTunnelLimit::kSize, length);
    case ipv6_option::kRouterAlert:
      return take_ipv6_option_of(d, HeaderKind::kIpv6OptionRouterAlert, Ipv6OptionRouterAlert::kSize, length);
    case ipv6_option::kJumbo:
      return take_ipv6_option_of(d, HeaderKind::kIpv6OptionJumbo, Ipv6OptionJumbo::kSize, length);
    case ipv6_option::kHomeAddress:
      return take_ipv6_option_of(d, HeaderKind::kIpv6OptionHomeAddress, Ipv6OptionHomeAddress::kSize, length);
    default:
      return d.take(HeaderKind::kIpv6Option, length);
  }
}

template <class OptionsHeader>
bool take_options(Dissection& d, std::uint8_t& protocol) noexcept {
  const std::uint32_t start = d.offset;
  const auto header = d.take<OptionsHeader>();
  if (!header) return false;
  protocol = header->next_header();
  return d.enclose(OptionsHeader::kKind, end_of(start, header->units()), [&] {
    while (d.left() > 0 && take_ipv6_option(d)) {
    }
  });
}

void take_segments(Dissection& d) noexcept {
  const auto routing = d.take<Ipv6SegmentRouting>();
  if (!routing) return;
  for (unsigned i = 0; i <= routing->last_entry(); ++i) {
    if (!d.take_run(HeaderKind::kIpv6Segment, Ipv6Segment::kSize)) return;
  }
}

void take_source_route(Dissection& d) noexcept {
  if (!d.take<Ipv6SourceRoute>()) return;
  while (d.left() >= Ipv6SourceRouteAddress::kSize) {
    if (!d.take_run(HeaderKind::kIpv6SourceRouteAddress, Ipv6SourceRouteAddress::kSize)) return;
  }
}

/// What follows the first four bytes of a routing header.
void take_route(Dissection& d, std::uint8_t type) noexcept {
  constexpr std::uint8_t kLastKnownType = 6;
  HeaderKind rest = HeaderKind::kIpv6RoutingData;
  switch (type) {
    case routing_type::kSourceRoute:
      take_source_route(d);
      break;
    case routing_type::kMobile:
      static_cast<void>(d.take<Ipv6MobileRoute>());
      break;
    case routing_type::kSegment:
      take_segments(d);
      break;
    default:
      if (type > kLastKnownType) rest = HeaderKind::kIpv6RoutingUnknown;
  }
  if (d.left() > 0) static_cast<void>(d.take(rest, d.left()));
}

bool take_routing(Dissection& d, std::uint8_t& protocol) noexcept {
  const std::uint32_t start = d.offset;
  const auto routing = d.take<Ipv6Routing>();
  if (!routing) return false;
  protocol = routing->next_header();
  return d.enclose(HeaderKind::kIpv6Routing, end_of(start, routing->units()), [&] { take_route(d, routing->type()); });
}

bool take_fragment(Dissection& d, std::uint8_t& protocol, IpContext& ip) noexcept {
  const auto fragment = d.take<Ipv6Fragment>();
  if (!fragment) return false;
  protocol = d.packet.ip_protocol = fragment->next_header();
  ip.first_fragment = fragment->more();
  if (fragment->offset_units() == 0) return true;
  d.stop(StopReason::kFragment, HeaderKind::kIpv6Fragment);
  return false;
}

bool take_authentication(Dissection& d, std::uint8_t& protocol) noexcept {
  if (!d.need(HeaderKind::kAh, Ah::kSize)) return false;
  const Ah ah(d.data.data() + d.offset);
  const std::size_t length = (ah.units() + std::size_t{2}) * 4;
  if (length < Ah::kSize) {
    d.stop(StopReason::kMalformed, HeaderKind::kAh, Ah::kSize);
    return false;
  }
  protocol = ah.next_header();
  return d.take(HeaderKind::kAh, length);
}

/// The length of a jumbogram is in an option (RFC 2675).
void narrow_to_jumbo(Dissection& d, std::uint32_t ip_offset) noexcept {
  const auto header = Ipv6(d.data.data() + ip_offset);
  const Layer& last = d.packet.layers().back();
  if (header.payload_length() != 0) return;
  const Layer* jumbo = d.packet.find(HeaderKind::kIpv6OptionJumbo);
  if (jumbo == nullptr || jumbo->offset < ip_offset || jumbo->offset > last.offset) return;
  const std::uint32_t length = Ipv6OptionJumbo(d.data.data() + jumbo->offset).payload_length();
  d.narrow(ip_offset + Ipv6::kSize + std::uint64_t{length}, HeaderKind::kIpv6OptionJumbo);
}

}  // namespace

bool take_extension_headers(Dissection& d, std::uint8_t& protocol, IpContext& ip) noexcept {
  while (true) {
    d.packet.ip_protocol = protocol;
    if (protocol == ip_protocol::kAuthentication) {
      if (!take_authentication(d, protocol)) return false;
      continue;
    }
    if (!ip.v6) return true;
    switch (protocol) {
      case ip_protocol::kHopByHop:
        if (!take_options<Ipv6HopByHop>(d, protocol)) return false;
        narrow_to_jumbo(d, ip.header_offset);
        break;
      case ip_protocol::kDestinationOptions:
        if (!take_options<Ipv6DestinationOptions>(d, protocol)) return false;
        break;
      case ip_protocol::kRouting:
        if (!take_routing(d, protocol)) return false;
        break;
      case ip_protocol::kFragment:
        if (!take_fragment(d, protocol, ip)) return false;
        break;
      default:
        return true;
    }
  }
}

}  // namespace rocescope::dissectors
