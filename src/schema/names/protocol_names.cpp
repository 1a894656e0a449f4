#include "schema/names/protocol_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope::schema {
namespace {

using Space = ProtocolId::Space;

constexpr ValueName kLinkTypeNames[] = {
    {link_type::kNull, link_type::kNull, "BSD loopback"},
    {link_type::kEthernet, link_type::kEthernet, "Ethernet"},
    {link_type::kRaw, link_type::kRaw, "raw IP"},
    {link_type::kLoop, link_type::kLoop, "OpenBSD loopback"},
    {link_type::kLinuxSll, link_type::kLinuxSll, "Linux cooked v1"},
    {link_type::kErf, link_type::kErf, "ERF"},
    {link_type::kIpv4, link_type::kIpv4, "raw IPv4"},
    {link_type::kIpv6, link_type::kIpv6, "raw IPv6"},
    {link_type::kInfiniBand, link_type::kInfiniBand, "InfiniBand"},
    {link_type::kLinuxSll2, link_type::kLinuxSll2, "Linux cooked v2"},
};

std::string_view header_protocol(ProtocolId protocol) {
  const std::string_view name = header_info(static_cast<HeaderKind>(protocol.number)).name;
  return name.substr(0, name.find('.'));
}

/// Short names in capitals, as protocols are written; those that are not written so by name.
std::string header_label(std::string_view protocol) {
  constexpr struct {
    std::string_view name;
    std::string_view label;
  } kLabels[] = {{"avsp", "Arista time stamp"},
                 {"eth", "Ethernet"},
                 {"etherip", "EtherIP"},
                 {"icmpv6", "ICMPv6"},
                 {"ieee8021ad", "802.1ad"},
                 {"infiniband", "InfiniBand"},
                 {"infiniband_link", "InfiniBand link"},
                 {"ip", "IPv4"},
                 {"ipv6", "IPv6"},
                 {"macc", "MAC control"},
                 {"macsec", "MACsec"},
                 {"null", "loopback"},
                 {"pweth", "pseudowire"},
                 {"sflow", "sFlow"},
                 {"sll", "Linux cooked"},
                 {"vxlan_gpe", "VXLAN-GPE"}};
  for (const auto& entry : kLabels) {
    if (entry.name == protocol) return std::string(entry.label);
  }
  std::string label(protocol);
  std::transform(label.begin(), label.end(), label.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return label;
}

}  // namespace

std::string protocol_name(ProtocolId protocol) {
  switch (protocol.space) {
    case Space::kHeader:
      return std::string(header_protocol(protocol));
    case Space::kEtherType:
      return protocol.number == ProtocolId::kLlc ? "llc" : fmt::format("ethertype 0x{:04x}", protocol.number);
    case Space::kIpProtocol:
      return fmt::format("ip protocol {}", protocol.number);
    case Space::kLinkType:
      return fmt::format("link type {}", protocol.number);
  }
  return {};
}

std::string protocol_label(ProtocolId protocol) {
  std::string_view name;
  switch (protocol.space) {
    case Space::kHeader:
      return header_label(header_protocol(protocol));
    case Space::kEtherType:
      if (protocol.number == ProtocolId::kLlc) return "LLC";
      name = name_of(kEtherTypeNames, protocol.number);
      return name.empty() ? fmt::format("EtherType 0x{:04x}", protocol.number) : std::string(name);
    case Space::kIpProtocol:
      name = name_of(kIpProtocolNames, protocol.number);
      return name.empty() ? fmt::format("IP protocol {}", protocol.number) : std::string(name);
    case Space::kLinkType:  // of a link type that is read, its header is not all there
      name = name_of(kLinkTypeNames, protocol.number);
      return name.empty() ? link_type_name(protocol.number) : fmt::format("incomplete {}", name);
  }
  return {};
}

std::string link_type_name(std::uint32_t link_type) {
  const std::string_view name = name_of(kLinkTypeNames, link_type);
  return name.empty() ? fmt::format("link type {}", link_type) : std::string(name);
}

std::vector<std::string_view> transport_names(TransportSet transports) {
  using enum Transport;
  std::vector<std::string_view> names;
  for (const Transport transport : {kRc, kUc, kUd, kXrc, kDc, kRd, kCnp, kManufacturer}) {
    if (transports.contains(transport)) names.push_back(to_string(transport));
  }
  return names;
}

}  // namespace rocescope::schema
