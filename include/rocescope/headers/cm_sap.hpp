// SAP, suggest alternate path, and SPR, its response, of the communication manager, IBTA 12.8 (what follows the MAD
// header). Like every message of a connection they open with the communication IDs; the rest is not read.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                        Data (224 bytes)                       /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/headers/mad.hpp"

namespace rocescope {

struct CmSap : HeaderView<CmSap> {
  static constexpr HeaderKind kKind = HeaderKind::kCmSap;
  static constexpr std::string_view kName = "infiniband.cm.sap";
  static constexpr std::string_view kTitle = "CM SAP: Suggest Alternate Path";
  static constexpr std::string_view kReference = "IBTA 12.8";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.sap.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.sap.remotecommid", "Remote communication ID", 32, 32).part(),
      field::bytes("infiniband.cm.sap.data", "Data", 64, 1792).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.sap.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.sap.remotecommid">();
  }
};

struct CmSpr : HeaderView<CmSpr> {
  static constexpr HeaderKind kKind = HeaderKind::kCmSpr;
  static constexpr std::string_view kName = "infiniband.cm.spr";
  static constexpr std::string_view kTitle = "CM SPR: Suggest Alternate Path Response";
  static constexpr std::string_view kReference = "IBTA 12.8";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.spr.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.spr.remotecommid", "Remote communication ID", 32, 32).part(),
      field::bytes("infiniband.cm.spr.data", "Data", 64, 1792).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.spr.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.spr.remotecommid">();
  }
};

}  // namespace rocescope
