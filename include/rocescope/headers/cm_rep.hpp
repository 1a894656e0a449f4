// REP, connect reply, and RTU, ready to use, of the communication manager, IBTA 12.6.8 and 12.6.9 (what follows the MAD
// header).
//
// REP:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Local Q_Key                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Local QPN                   |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Local EECN                  |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                  Starting PSN                 |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    RespRes    |  Init. depth  |ACK delay| O |F| RNR |S|  Resv |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Local CA GUID                         |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (196 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// RTU:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (224 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// ACK delay: target ACK delay. O: failover accepted. F: end-to-end flow control. RNR: RNR retry count. S: SRQ.
#pragma once

#include "rocescope/headers/cm_names.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct CmRep : HeaderView<CmRep> {
  static constexpr HeaderKind kKind = HeaderKind::kCmRep;
  static constexpr std::string_view kName = "infiniband.cm.rep";
  static constexpr std::string_view kTitle = "CM REP: Connect Reply";
  static constexpr std::string_view kReference = "IBTA 12.6.8";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.rep", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.rep.remotecommid", "Remote communication ID", 32, 32).part(),
      field::hex("infiniband.cm.rep.localqkey", "Local Q_Key", 64, 32).part(),
      field::hex("infiniband.cm.rep.localqpn", "Local QPN", 96, 24).part(),
      field::number("infiniband.cm.rep.reserved8", "Reserved", 120, 8).part(),
      field::hex("infiniband.cm.rep.localeecn", "Local EECN", 128, 24).part(),
      field::number("infiniband.cm.rep.reserved8_2", "Reserved", 152, 8).part(),
      field::hex("infiniband.cm.rep.startpsn", "Starting PSN", 160, 24).part(),
      field::number("infiniband.cm.rep.reserved8_3", "Reserved", 184, 8).part(),
      field::hex("infiniband.cm.rep.respres", "Responder resources", 192, 8).part(),
      field::hex("infiniband.cm.rep.initdepth", "Initiator depth", 200, 8).part(),
      cm_code("infiniband.cm.rep.tgtackdelay", "Target ACK delay", 208, 5).named(kCmTimeoutNames),
      cm_code("infiniband.cm.rep.failoveracc", "Failover accepted", 213, 2).named(kFailoverNames),
      cm_code("infiniband.cm.rep.e2eflowctrl", "End-to-end flow control", 215, 1),
      cm_code("infiniband.cm.rep.rnrretrcount", "RNR retry count", 216, 3).named(kRnrRetryNames),
      cm_code("infiniband.cm.rep.srq", "SRQ", 219, 1),
      cm_code("infiniband.cm.rep.reserved", "Reserved", 220, 4),
      field::hex("infiniband.cm.rep.localcaguid", "Local CA GUID", 224, 64).part(),
      field::bytes("infiniband.cm.rep.private", "Private data", 288, 1568).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept { return get<"infiniband.cm.rep">(); }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.rep.remotecommid">();
  }
  [[nodiscard]] constexpr Qpn local_qpn() const noexcept { return Qpn(get<"infiniband.cm.rep.localqpn">()); }
  /// The first PSN that the sender of this message will receive.
  [[nodiscard]] constexpr Psn starting_psn() const noexcept { return Psn(get<"infiniband.cm.rep.startpsn">()); }
  /// READs and ATOMICs that the sender can have outstanding as a responder.
  [[nodiscard]] constexpr std::uint8_t responder_resources() const noexcept {
    return get<"infiniband.cm.rep.respres">();
  }
  /// READs and ATOMICs that the sender wants to have outstanding as a requester.
  [[nodiscard]] constexpr std::uint8_t initiator_depth() const noexcept { return get<"infiniband.cm.rep.initdepth">(); }
  [[nodiscard]] constexpr std::int64_t target_ack_delay_ns() const noexcept {
    return cm_timeout_ns(get<"infiniband.cm.rep.tgtackdelay">());
  }
  [[nodiscard]] constexpr bool end_to_end_flow_control() const noexcept {
    return get<"infiniband.cm.rep.e2eflowctrl">() != 0;
  }
  /// 7: without end.
  [[nodiscard]] constexpr std::uint8_t rnr_retry_count() const noexcept {
    return get<"infiniband.cm.rep.rnrretrcount">();
  }
  [[nodiscard]] constexpr bool srq() const noexcept { return get<"infiniband.cm.rep.srq">() != 0; }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.rep.private">(); }
};

struct CmRtu : HeaderView<CmRtu> {
  static constexpr HeaderKind kKind = HeaderKind::kCmRtu;
  static constexpr std::string_view kName = "infiniband.cm.rtu";
  static constexpr std::string_view kTitle = "CM RTU: Ready To Use";
  static constexpr std::string_view kReference = "IBTA 12.6.9";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.rtu.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.rtu.remotecommid", "Remote communication ID", 32, 32).part(),
      field::bytes("infiniband.cm.rtu.private", "Private data", 64, 1792).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.rtu.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.rtu.remotecommid">();
  }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.rtu.private">(); }
};

}  // namespace rocescope
