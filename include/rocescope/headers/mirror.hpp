// Bytes that a switch puts between GRE and the frame that it mirrors, and whose meaning is not public: 22 on NVIDIA
// Spectrum (GRE protocol 0x8949), or as many as the user says.
//
//   | vendor's bytes | Ethernet frame |
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct MirrorHeader : HeaderView<MirrorHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kMirrorHeader;
  static constexpr std::string_view kName = "rocescope.mirror";
  static constexpr std::string_view kTitle = "Mirror header";
  static constexpr std::string_view kReference = "as observed";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.mirror.data", "Data", 0),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
