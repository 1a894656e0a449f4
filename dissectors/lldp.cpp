// Link Layer Discovery Protocol.
#include "rocescope/headers/lldp.hpp"

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/dcbx.hpp"

namespace rocescope::dissectors {
namespace {

/// The header that reads the element at the offset.
HeaderKind kind_of(const Dissection& d) noexcept {
  const std::uint8_t* element = d.data.data() + d.offset;
  const LldpTlv tlv(element);
  const auto subtype_is = [&](std::uint8_t subtype) { return tlv.length() > 0 && element[LldpTlv::kSize] == subtype; };
  switch (tlv.type()) {
    case lldp_type::kChassisId:
      return subtype_is(LldpChassisAddress::kSubtype) ? HeaderKind::kLldpChassisAddress : HeaderKind::kLldpChassisId;
    case lldp_type::kPortId:
      return subtype_is(LldpPortAddress::kSubtype) ? HeaderKind::kLldpPortAddress : HeaderKind::kLldpPortId;
    case lldp_type::kTimeToLive:
      return HeaderKind::kLldpTimeToLive;
    case lldp_type::kPortDescription:
    case lldp_type::kSystemName:
    case lldp_type::kSystemDescription:
      return HeaderKind::kLldpText;
    case lldp_type::kSystemCapabilities:
      return HeaderKind::kLldpCapabilities;
    case lldp_type::kManagementAddress:
      return HeaderKind::kLldpManagement;
    case lldp_type::kOrganization:
      return HeaderKind::kLldpOrganization;
    default:
      return HeaderKind::kLldpTlv;
  }
}

/// Takes an element that is too short for its type.
void take_broken(Dissection& d, HeaderKind kind, std::size_t needed) noexcept {
  d.stop(StopReason::kMalformed, kind, needed);
  static_cast<void>(d.take(HeaderKind::kLldpTlv, d.left()));
}

/// The address, then its interface, each as long as it says. The rest of the element is taken by the caller.
void take_management(Dissection& d) noexcept {
  const LldpManagement management(d.data.data() + d.offset);
  // The length of the address counts its family, which the header has.
  const std::size_t length = LldpManagement::kSize + std::max<std::size_t>(management.address_length(), 1) - 1;
  if (d.left() < length) return take_broken(d, HeaderKind::kLldpManagement, length);
  if (!d.take(HeaderKind::kLldpManagement, length)) return;
  if (!d.need(HeaderKind::kLldpManagementInterface, LldpManagementInterface::kSize)) return;
  static_cast<void>(d.take(HeaderKind::kLldpManagementInterface, d.left()));
}

/// Takes the element that fills the bytes from the offset to the end, all of them captured.
void take_element(Dissection& d) noexcept {
  const HeaderKind kind = kind_of(d);
  const std::size_t size = header_info(kind).size;
  if (d.left() < size) return take_broken(d, kind, size);
  switch (kind) {
    case HeaderKind::kLldpManagement:
      take_management(d);
      break;
    case HeaderKind::kLldpOrganization:
      dissect_lldp_organization(d);
      break;
    case HeaderKind::kLldpTimeToLive:
    case HeaderKind::kLldpCapabilities:
      static_cast<void>(d.take(kind, size));
      break;
    default:
      static_cast<void>(d.take(kind, d.left()));
  }
  if (d.left() > 0) static_cast<void>(d.take(HeaderKind::kLldpRest, d.left()));
}

}  // namespace

void dissect_lldp(Dissection& d) noexcept {
  // The end element may be left out.
  for (bool first = true; first || d.left() > 0; first = false) {
    if (!d.need(HeaderKind::kLldpTlv, LldpTlv::kSize)) return;
    const LldpTlv tlv(d.data.data() + d.offset);
    const std::size_t length = LldpTlv::kSize + tlv.length();
    if (!d.need(HeaderKind::kLldpTlv, length)) return;
    if (!d.enclose(HeaderKind::kLldpTlv, d.offset + length, [&] { take_element(d); })) return;
    if (tlv.type() == lldp_type::kEnd) return d.end_here();
  }
}

}  // namespace rocescope::dissectors
