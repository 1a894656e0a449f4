// Vendor MADs of classes 0x30 to 0x4F after their MAD header, IBTA 16.5.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                     RMPP header (12 bytes)                    /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                      OUI                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (216 bytes)                       /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/headers/mad.hpp"

namespace rocescope {

struct VendorMad : HeaderView<VendorMad> {
  static constexpr HeaderKind kKind = HeaderKind::kVendorMad;
  static constexpr std::string_view kName = "infiniband.vendormad";
  static constexpr std::string_view kTitle = "Vendor MAD";
  static constexpr std::string_view kReference = "IBTA 16.5";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::bytes("infiniband.vendormad.rmpp", "RMPP header", 0, 96).part(),
      field::number("infiniband.vendormad.reserved8", "Reserved", 96, 8).part(),
      field::hex("infiniband.vendormad.oui", "OUI", 104, 24).part(),
      field::bytes("infiniband.vendormad.data", "Vendor data", 128, 1728).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t oui() const noexcept { return get<"infiniband.vendormad.oui">(); }
};

}  // namespace rocescope
