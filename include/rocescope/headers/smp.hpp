// Subnet management packets after their MAD header: LID routed, IBTA 14.2.1.1, and directed route, 14.2.1.2.
//
// LID routed:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             M_Key                             |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                      Reserved (32 bytes)                      /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (64 bytes)                        /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                      Reserved (128 bytes)                     /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Directed route:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             M_Key                             |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             DrSLID            |             DrDLID            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                      Reserved (28 bytes)                      /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (64 bytes)                        /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Initial path (64 bytes)                    /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                     Return path (64 bytes)                    /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/headers/mad.hpp"

namespace rocescope {

struct SmpLid : HeaderView<SmpLid> {
  static constexpr HeaderKind kKind = HeaderKind::kSmpLid;
  static constexpr std::string_view kName = "infiniband.smplid";
  static constexpr std::string_view kTitle = "Subnet Management Packet (LID routed)";
  static constexpr std::string_view kReference = "IBTA 14.2.1.1";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.smplid.mkey", "M_Key", 0, 64).part(),
      field::bytes("infiniband.smp.reserved256", "Reserved", 64, 256).part(),
      field::bytes("infiniband.smp.data", "SMP data", 320, 512).part(),
      field::bytes("infiniband.smp.reserved1024", "Reserved", 832, 1024).part(),
  };
  using HeaderView::HeaderView;
};

struct SmpDirected : HeaderView<SmpDirected> {
  static constexpr HeaderKind kKind = HeaderKind::kSmpDirected;
  static constexpr std::string_view kName = "infiniband.smpdirected";
  static constexpr std::string_view kTitle = "Subnet Management Packet (directed route)";
  static constexpr std::string_view kReference = "IBTA 14.2.1.2";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.smplid.mkey", "M_Key", 0, 64).part(),
      field::hex("infiniband.smpdirected.drslid", "DrSLID", 64, 16).part(),
      field::hex("infiniband.smpdirected.drdlid", "DrDLID", 80, 16).part(),
      field::bytes("infiniband.smp.reserved224", "Reserved", 96, 224).part(),
      field::bytes("infiniband.smp.data", "SMP data", 320, 512).part(),
      field::bytes("infiniband.smpdirected.initialpath", "Initial path", 832, 512).part(),
      field::bytes("infiniband.smpdirected.returnpath", "Return path", 1344, 512).part(),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
