// LLDP elements of organizations: those of IEEE 802.1 and 802.3, Data Center Bridging Exchange of IEEE and of CEE.
#include "rocescope/headers/dcbx.hpp"

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/cee.hpp"

namespace rocescope::dissectors {
namespace {

/// Takes the bytes behind the subtype; notes an error if they are too short.
bool take_content(Dissection& d, HeaderKind kind) noexcept { return d.take(kind, header_info(kind).size); }

/// Headers of one kind, as many as there are.
void take_entries(Dissection& d, HeaderKind kind) noexcept {
  const std::size_t size = header_info(kind).size;
  while (d.left() >= size) {
    if (!d.take_run(kind, size)) return;
  }
}

void take_ieee_8021(Dissection& d, std::uint8_t subtype) noexcept {
  constexpr HeaderKind kKinds[] = {HeaderKind::kNone,
                                   HeaderKind::kLldpPortVlan,
                                   HeaderKind::kNone,
                                   HeaderKind::kLldpVlanName,
                                   HeaderKind::kNone,
                                   HeaderKind::kNone,
                                   HeaderKind::kNone,
                                   HeaderKind::kNone,
                                   HeaderKind::kDcbxCongestion,
                                   HeaderKind::kDcbxEts,
                                   HeaderKind::kDcbxEtsRecommendation,
                                   HeaderKind::kDcbxPfc,
                                   HeaderKind::kDcbxApplication};
  if (subtype >= std::size(kKinds) || kKinds[subtype] == HeaderKind::kNone) return;
  if (kKinds[subtype] == HeaderKind::kLldpVlanName) {
    if (d.need(HeaderKind::kLldpVlanName, LldpVlanName::kSize))
      static_cast<void>(d.take(HeaderKind::kLldpVlanName, d.left()));
    return;
  }
  if (!take_content(d, kKinds[subtype])) return;
  if (kKinds[subtype] == HeaderKind::kDcbxApplication) take_entries(d, HeaderKind::kDcbxApplicationEntry);
}

void take_feature(Dissection& d) noexcept {
  const auto feature = d.take<CeeFeature>();
  if (!feature) return;
  switch (feature->type()) {
    case cee_type::kPriorityGroups:
      static_cast<void>(take_content(d, HeaderKind::kCeePriorityGroups));
      return;
    case cee_type::kPfc:
      if (take_content(d, HeaderKind::kCeePfc) && d.left() > 0)
        static_cast<void>(take_content(d, HeaderKind::kCeePfcClasses));
      return;
    case cee_type::kApplication:
      return take_entries(d, HeaderKind::kCeeApplication);
    case cee_type::kLanDown:
    case cee_type::kSanDown:
      static_cast<void>(take_content(d, HeaderKind::kCeeLogicalLink));
      return;
    default:
      return;
  }
}

/// Elements with the same head as those of LLDP.
void take_cee(Dissection& d) noexcept {
  while (d.left() > 0) {
    if (!d.need(HeaderKind::kCeeFeature, LldpTlv::kSize)) return;
    const LldpTlv element(d.data.data() + d.offset);
    const std::uint64_t element_end = d.offset + LldpTlv::kSize + std::uint64_t{element.length()};
    const bool complete = d.enclose(HeaderKind::kCeeFeature, element_end, [&] {
      if (element.type() == cee_type::kControl) {
        static_cast<void>(d.take<CeeControl>());
      } else {
        take_feature(d);
      }
      if (d.left() > 0) static_cast<void>(d.take(HeaderKind::kLldpRest, d.left()));
    });
    if (!complete) return;
  }
}

}  // namespace

void dissect_lldp_organization(Dissection& d) noexcept {
  constexpr std::uint8_t kMaxFrameSize = 4;
  const auto organization = d.take<LldpOrganization>();
  if (!organization || d.left() == 0) return;
  switch (organization->organization()) {
    case lldp_organization::kIeee8021:
      return take_ieee_8021(d, organization->subtype());
    case lldp_organization::kIeee8023:
      if (organization->subtype() == kMaxFrameSize) static_cast<void>(take_content(d, HeaderKind::kLldpMaxFrameSize));
      return;
    case lldp_organization::kCee:
      if (organization->subtype() == 1 || organization->subtype() == 2) take_cee(d);
      return;
    default:
      if (name_of(kLldpOrganizationNames, organization->organization()).empty()) {
        static_cast<void>(d.take(HeaderKind::kLldpUnknownContent, d.left()));
      }
  }
}

}  // namespace rocescope::dissectors
