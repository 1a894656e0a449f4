// DREQ and DREP, disconnect request and reply of the communication manager, IBTA 12.6.10 and 12.6.11 (what follows the
// MAD header).
//
// DREQ:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Remote QPN or EECN              |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (220 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// DREP:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (224 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/headers/cm_names.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct CmDreq : HeaderView<CmDreq> {
  static constexpr HeaderKind kKind = HeaderKind::kCmDreq;
  static constexpr std::string_view kName = "infiniband.cm.dreq";
  static constexpr std::string_view kTitle = "CM DREQ: Disconnect Request";
  static constexpr std::string_view kReference = "IBTA 12.6.10";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.dreq.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.dreq.remotecommid", "Remote communication ID", 32, 32).part(),
      field::hex("infiniband.cm.req.remoteqpneecn", "Remote QPN or EECN", 64, 24).part(),
      field::number("infiniband.cm.dreq.reserved8", "Reserved", 88, 8).part(),
      field::bytes("infiniband.cm.dreq.private", "Private data", 96, 1760).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.dreq.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.dreq.remotecommid">();
  }
  /// The queue pair of whoever receives this message.
  [[nodiscard]] constexpr Qpn remote_qpn() const noexcept { return Qpn(get<"infiniband.cm.req.remoteqpneecn">()); }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.dreq.private">(); }
};

struct CmDrep : HeaderView<CmDrep> {
  static constexpr HeaderKind kKind = HeaderKind::kCmDrep;
  static constexpr std::string_view kName = "infiniband.cm.drsp";
  static constexpr std::string_view kTitle = "CM DREP: Disconnect Reply";
  static constexpr std::string_view kReference = "IBTA 12.6.11";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.drsp.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.drsp.remotecommid", "Remote communication ID", 32, 32).part(),
      field::bytes("infiniband.cm.drsp.private", "Private data", 64, 1792).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.drsp.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.drsp.remotecommid">();
  }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.drsp.private">(); }
};

}  // namespace rocescope
