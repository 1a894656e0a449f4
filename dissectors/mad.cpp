// Management datagrams: their header, then the headers of their class.
#include "rocescope/headers/mad.hpp"

#include "dissectors/dissectors.hpp"

namespace rocescope::dissectors {
namespace {

/// The header after the MAD header.
HeaderKind data_kind(const Mad& mad) noexcept {
  const std::uint8_t management_class = mad.management_class();
  switch (management_class) {
    case mad_class::kSubnetLidRouted:
      return HeaderKind::kSmpLid;
    case mad_class::kSubnetDirectedRoute:
      return HeaderKind::kSmpDirected;
    case mad_class::kSubnetAdministration:
      return HeaderKind::kSaMad;
    case mad_class::kCommunication:
      return cm_message_kind(mad.attribute_id());
    default:
      break;
  }
  const bool vendor = management_class >= mad_class::kVendor2First && management_class <= mad_class::kVendor2Last;
  return vendor ? HeaderKind::kVendorMad : HeaderKind::kMadData;
}

}  // namespace

void dissect_mad(Dissection& d) noexcept {
  if (const auto mad = d.take<Mad>()) static_cast<void>(d.take(data_kind(*mad), kMadDataSize));
}

}  // namespace rocescope::dissectors
