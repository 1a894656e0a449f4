// Wireshark's frames as the library takes them.
#include <optional>

#include "wireshark/plugin.hpp"

namespace rocescope::wireshark {
namespace {

/// The frame is without its record header here, which is in the pseudo header.
std::optional<std::uint32_t> link_type_of_erf(unsigned type) {
  constexpr unsigned kMoreHeaders = 0x80;
  switch (type & ~kMoreHeaders) {
    case 2:
    case 11:
    case 16:
    case 20:
      return link_type::kEthernet;
    case 21:
      return link_type::kInfiniBand;
    case 22:
      return link_type::kIpv4;
    case 23:
      return link_type::kIpv6;
    default:
      return std::nullopt;
  }
}

/// libwiretap has a function for this, which it does not export.
std::optional<std::uint32_t> link_type_of(int encapsulation, const wtap_pseudo_header& pseudo) {
  switch (encapsulation) {
    case WTAP_ENCAP_ETHERNET:
      return link_type::kEthernet;
    case WTAP_ENCAP_NULL:
      return link_type::kNull;
    case WTAP_ENCAP_LOOP:
      return link_type::kLoop;
    case WTAP_ENCAP_RAW_IP:
      return link_type::kRaw;
    case WTAP_ENCAP_RAW_IP4:
      return link_type::kIpv4;
    case WTAP_ENCAP_RAW_IP6:
      return link_type::kIpv6;
    case WTAP_ENCAP_SLL:
      return link_type::kLinuxSll;
    case WTAP_ENCAP_SLL2:
      return link_type::kLinuxSll2;
    case WTAP_ENCAP_INFINIBAND:
      return link_type::kInfiniBand;
    case WTAP_ENCAP_ERF:
      return link_type_of_erf(pseudo.erf.phdr.type);
    default:
      return std::nullopt;
  }
}

}  // namespace

bool frame_of(tvbuff_t* tvb, packet_info* pinfo, Frame& frame) {
  if (pinfo->rec->rec_type != REC_TYPE_PACKET || pinfo->fd->ignored) return false;
  const auto link_type = link_type_of(pinfo->rec->rec_header.packet_header.pkt_encap, *pinfo->pseudo_header);
  if (!link_type) return false;
  const auto length = tvb_captured_length(tvb);
  frame.data = {tvb_get_ptr(tvb, 0, static_cast<int>(length)), length};
  frame.original_length = pinfo->fd->pkt_len;
  frame.link_type = *link_type;
  frame.timestamp = std::int64_t{pinfo->abs_ts.secs} * 1'000'000'000 + pinfo->abs_ts.nsecs;
  frame.number = pinfo->num;
  return true;
}

Interface interface_of(const packet_info* pinfo) {
  const wtap_rec& record = *pinfo->rec;
  if ((record.presence_flags & WTAP_HAS_INTERFACE_ID) == 0) return {};
  const bool has_section = (record.presence_flags & WTAP_HAS_SECTION_NUMBER) != 0;
  const std::uint32_t section = has_section ? record.section_number : 0;
  const std::uint32_t number = record.rec_header.packet_header.interface_id;
  return {.section = section + 1, .number = number, .name = interface_name(pinfo, number, section)};
}

}  // namespace rocescope::wireshark
