// Records of Endace's cards: the link type is in the record.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/link_types.hpp"

namespace rocescope::dissectors {
namespace {

bool take_extensions(Dissection& d) noexcept {
  bool more = true;
  while (more) {
    const std::uint32_t at = d.offset;
    if (!d.take_run(HeaderKind::kErfExtension, ErfExtension::kSize)) return false;
    more = ErfExtension(d.data.data() + at).more();
  }
  return true;
}

bool holds_ethernet(std::uint8_t type) noexcept {
  return type == erf_type::kEthernet || type == erf_type::kColorEthernet || type == erf_type::kDsmColorEthernet ||
         type == erf_type::kColorHashEthernet;
}

}  // namespace

void dissect_erf(Dissection& d) noexcept {
  const std::uint32_t start = d.offset;
  const auto erf = d.take<Erf>();
  if (!erf || (erf->extended() && !take_extensions(d))) return;
  const bool ethernet = holds_ethernet(erf->type());
  if (ethernet && !d.take(HeaderKind::kErfEthernetPad, ErfEthernetPad::kSize)) return;
  if (erf->record_length() < d.offset - start)
    return d.stop(StopReason::kMalformed, HeaderKind::kErf, d.offset - start);
  // The wire length stands for the frame's: the record may hold less of the frame, or padding behind it.
  d.end = d.frame_end = d.offset + std::uint64_t{erf->wire_length()};
  if (ethernet) return dissect_ethernet(d);
  switch (erf->type()) {
    case erf_type::kInfiniBand:
      return dissect_infiniband(d);
    case erf_type::kInfiniBandLink:
      static_cast<void>(d.take<InfinibandLink>());
      return;
    case erf_type::kIpv4:
    case erf_type::kIpv6:
      return dissect_ip_by_version(d);
    default:
      return;
  }
}

}  // namespace rocescope::dissectors
