// Messages of the communication manager about alternate paths and suspension: LAP, APR, SAP, SPR.
#pragma once

#include "rocescope/address.hpp"
#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/mad.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

// LAP, load alternate path, and APR, its response, of the communication manager, IBTA 12.8.1 and 12.8.2 (what follows
// the MAD header).
//
// LAP:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Reserved                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Remote QPN or EECN              |  Rem t. | Resv|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Reserved                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Alternate local LID      |      Alternate remote LID     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                      Alternate local GID                      |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                      Alternate remote GID                     |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Flow label              |  Resv | Traffic class |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Hop limit   | Rv|    Rate   |   SL  |N| Resv|  ACK t. | Resv|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (168 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// APR:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Info length  |   AP status   |            Reserved           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /               Additional information (72 bytes)               /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (148 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Rem t., ACK t.: timeout of the remote communication manager, local ACK timeout. N: subnet local.

struct CmLap : HeaderView<CmLap> {
  static constexpr HeaderKind kKind = HeaderKind::kCmLap;
  static constexpr std::string_view kName = "infiniband.cm.lap";
  static constexpr std::string_view kTitle = "CM LAP: Load Alternate Path";
  static constexpr std::string_view kReference = "IBTA 12.8.1";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.lap.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.lap.remotecommid", "Remote communication ID", 32, 32).part(),
      field::number("infiniband.cm.lap.reserved32", "Reserved", 64, 32).part(),
      field::hex("infiniband.cm.lap.remoteqpneecn", "Remote QPN or EECN", 96, 24).part(),
      cm_code("infiniband.cm.lap.remoteresptout", "Remote CM response timeout", 120, 5).named(kCmTimeoutNames),
      cm_code("infiniband.cm.lap.reserved3", "Reserved", 125, 3),
      field::number("infiniband.cm.lap.reserved32_2", "Reserved", 128, 32).part(),
      field::number("infiniband.cm.lap.alt_locallid", "Alternate local port LID", 160, 16).part(),
      field::number("infiniband.cm.lap.alt_remotelid", "Alternate remote port LID", 176, 16).part(),
      field::ipv6("infiniband.cm.lap.alt_localgid", "Alternate local port GID", 192).part(),
      field::ipv6("infiniband.cm.lap.alt_remotegid", "Alternate remote port GID", 320).part(),
      field::hex("infiniband.cm.lap.alt_flowlabel", "Alternate flow label", 448, 20).part(),
      cm_code("infiniband.cm.lap.reserved4", "Reserved", 468, 4),
      field::hex("infiniband.cm.lap.alt_tfcclass", "Alternate traffic class", 472, 8).part(),
      field::hex("infiniband.cm.lap.alt_hoplim", "Alternate hop limit", 480, 8).part(),
      cm_code("infiniband.cm.lap.reserved2", "Reserved", 488, 2),
      cm_code("infiniband.cm.lap.alt_pktrate", "Alternate packet rate", 490, 6).named(kRateNames),
      cm_code("infiniband.cm.lap.alt_sl", "Alternate SL", 496, 4),
      cm_code("infiniband.cm.lap.alt_subnetlocal", "Alternate subnet local", 500, 1),
      cm_code("infiniband.cm.lap.reserved3_2", "Reserved", 501, 3),
      cm_code("infiniband.cm.lap.alt_localacktout", "Alternate local ACK timeout", 504, 5).named(kLocalAckTimeoutNames),
      cm_code("infiniband.cm.lap.reserved3_3", "Reserved", 509, 3),
      field::bytes("infiniband.cm.lap.private", "Private data", 512, 1344).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.lap.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.lap.remotecommid">();
  }
  [[nodiscard]] constexpr Qpn remote_qpn() const noexcept { return Qpn(get<"infiniband.cm.lap.remoteqpneecn">()); }
  [[nodiscard]] constexpr IpAddress local_gid() const noexcept {
    return IpAddress::v6(get<"infiniband.cm.lap.alt_localgid">());
  }
  [[nodiscard]] constexpr IpAddress remote_gid() const noexcept {
    return IpAddress::v6(get<"infiniband.cm.lap.alt_remotegid">());
  }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.lap.private">(); }
};

struct CmApr : HeaderView<CmApr> {
  static constexpr HeaderKind kKind = HeaderKind::kCmApr;
  static constexpr std::string_view kName = "infiniband.cm.apr";
  static constexpr std::string_view kTitle = "CM APR: Alternate Path Response";
  static constexpr std::string_view kReference = "IBTA 12.8.2";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.apr.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.apr.remotecommid", "Remote communication ID", 32, 32).part(),
      field::number("infiniband.cm.apr.infolen", "Additional information length", 64, 8).part(),
      field::hex("infiniband.cm.apr.status", "AP status", 72, 8).part().named(kAprStatusNames),
      field::number("infiniband.cm.apr.reserved16", "Reserved", 80, 16).part(),
      field::bytes("infiniband.cm.apr.info", "Additional information", 96, 576).part(),
      field::bytes("infiniband.cm.apr.private", "Private data", 672, 1184).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.apr.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.apr.remotecommid">();
  }
  [[nodiscard]] constexpr std::uint8_t status() const noexcept { return get<"infiniband.cm.apr.status">(); }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.apr.private">(); }
};

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
