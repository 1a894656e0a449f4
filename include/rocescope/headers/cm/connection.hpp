// Messages of the communication manager that answer a REQ or end a connection: REP, RTU, MRA, REJ, DREQ, DREP.
#pragma once

#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/lustre.hpp"
#include "rocescope/headers/rds/private.hpp"
#include "rocescope/headers/rsockets.hpp"
#include "rocescope/headers/rtrs.hpp"
#include "rocescope/headers/srp/login.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

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

struct CmRep : HeaderView<CmRep> {
  static constexpr HeaderKind kKind = HeaderKind::kCmRep;
  static constexpr std::string_view kName = "infiniband.cm.rep";
  static constexpr std::string_view kTitle = "CM REP: Connect Reply";
  static constexpr std::string_view kReference = "IBTA 12.6.8";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr std::size_t kPrivate = 36;  ///< where the private data start
  static constexpr bool is_srp_login(const std::uint8_t* rep) { return SrpLoginForms::is_response(rep + kPrivate); }
  static constexpr bool is_rsockets(const std::uint8_t* rep) { return RsocketsPrivateData::is_some(rep + kPrivate); }
  static constexpr bool is_rtrs(const std::uint8_t* rep) { return RtrsPrivateData::is_response(rep + kPrivate); }
  static constexpr bool is_lustre(const std::uint8_t* rep) { return LustrePrivateData::is_connect(rep + kPrivate); }
  static constexpr bool is_rds(const std::uint8_t* rep) {
    return RdsPrivateData::is_some(rep + kPrivate, kSize - kPrivate);
  }

  static constexpr std::array kOwnFields{
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
  static constexpr auto kFields =
      detail::join(kOwnFields, detail::srp_parts(detail::srp_login_response_rows(288, 1856), 2, is_srp_login),
                   detail::srp_parts(detail::rsockets_private_rows(288, 1856), 2, is_rsockets),
                   detail::srp_parts(detail::rtrs_response_rows(288, 1856), 2, is_rtrs),
                   detail::srp_parts(detail::rds_private_rows(288, 1856), 2, is_rds),
                   detail::srp_parts(detail::lustre_reply_rows(288, 1856), 2, is_lustre));
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

// REJ, reject, and MRA, message receipt acknowledgement, of the communication manager, IBTA 12.6.7 and 12.6.6 (what
// follows the MAD header).
//
// REJ:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | M |  Reserved | Info length |R|             Reason            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /            Additional reject information (72 bytes)           /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (148 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// MRA:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | M |  Reserved | Timeout | Resv|            Private            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (220 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// M: message rejected or MRAed. Timeout: service timeout. Private: the first two of 222 bytes of private data.

struct CmRej : HeaderView<CmRej> {
  static constexpr HeaderKind kKind = HeaderKind::kCmRej;
  static constexpr std::string_view kName = "infiniband.cm.rej";
  static constexpr std::string_view kTitle = "CM REJ: Reject";
  static constexpr std::string_view kReference = "IBTA 12.6.7";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr std::size_t kPrivate = 84;  ///< where the private data start
  static constexpr bool is_srp_login(const std::uint8_t* rej) { return SrpLoginForms::is_reject(rej + kPrivate); }
  static constexpr bool is_lustre(const std::uint8_t* rej) { return LustrePrivateData::is_reject(rej + kPrivate); }

  static constexpr std::array kOwnFields{
      mad_data_field(),
      field::hex("infiniband.cm.rej.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.rej.remotecommid", "Remote communication ID", 32, 32).part(),
      cm_code("infiniband.cm.rej.msgrej", "Message rejected", 64, 2).named(kRejMessageNames),
      cm_code("infiniband.cm.rej.reserved0", "Reserved", 66, 6),
      cm_code("infiniband.cm.rej.rejinfolen", "Reject info length", 72, 7),
      cm_code("infiniband.cm.rej.reserved1", "Reserved", 79, 1),
      field::hex("infiniband.cm.rej.reason", "Reason", 80, 16).part().named(kRejReasonNames),
      field::bytes("infiniband.cm.rej.ari", "Additional reject information", 96, 576).part(),
      field::bytes("infiniband.cm.rej.private", "Private data", 672, 1184).part(),
  };
  static constexpr auto kFields =
      detail::join(kOwnFields, detail::srp_parts(detail::srp_login_reject_rows(672, 1856), 2, is_srp_login),
                   detail::srp_parts(detail::lustre_reject_rows(672, 1856), 2, is_lustre));
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.rej.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.rej.remotecommid">();
  }
  /// 0 REQ, 1 REP, 2 none.
  [[nodiscard]] constexpr std::uint8_t message_rejected() const noexcept { return get<"infiniband.cm.rej.msgrej">(); }
  [[nodiscard]] constexpr std::uint16_t reason() const noexcept { return get<"infiniband.cm.rej.reason">(); }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.rej.private">(); }
};

struct CmMra : HeaderView<CmMra> {
  static constexpr HeaderKind kKind = HeaderKind::kCmMra;
  static constexpr std::string_view kName = "infiniband.cm.mra";
  static constexpr std::string_view kTitle = "CM MRA: Message Receipt Acknowledgement";
  static constexpr std::string_view kReference = "IBTA 12.6.6";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.mra.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.mra.remotecommid", "Remote communication ID", 32, 32).part(),
      cm_code("infiniband.cm.mra.msgmraed", "Message MRAed", 64, 2).named(kMraMessageNames),
      cm_code("infiniband.cm.mra.reserved0", "Reserved", 66, 6),
      cm_code("infiniband.cm.mra.servicetout", "Service timeout", 72, 5).named(kCmTimeoutNames),
      cm_code("infiniband.cm.mra.reserved1", "Reserved", 77, 3),
      field::bytes("infiniband.cm.mra.private", "Private data", 80, 1776).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.mra.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.mra.remotecommid">();
  }
  /// 0 REQ, 1 REP, 2 LAP.
  [[nodiscard]] constexpr std::uint8_t message() const noexcept { return get<"infiniband.cm.mra.msgmraed">(); }
  [[nodiscard]] constexpr std::int64_t service_timeout_ns() const noexcept {
    return cm_timeout_ns(get<"infiniband.cm.mra.servicetout">());
  }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.mra.private">(); }
};

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
  /// The queue pair of the receiver of this message.
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
