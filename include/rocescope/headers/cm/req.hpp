// REQ, connect request of the communication manager, IBTA 12.6.5 (what follows the MAD header).
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                   Vendor ID                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Service ID                          |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Local CA GUID                         |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Reserved                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Local Q_Key                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Local QPN                   |    RespRes    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Local EECN                  |  Init. depth  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                  Remote EECN                  |  Rem t. | T |F|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                  Starting PSN                 |  Loc t. |Retry|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             P_Key             |  MTU  |D| RNR | CM ret|S|Ext T|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Primary local LID       |       Primary remote LID      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                       Primary local GID                       |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                       Primary remote GID                      |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |               Flow label              |    Resv   |    Rate   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Traffic class |   Hop limit   |   SL  |N| Resv|  ACK t. | Resv|
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
//   |               Flow label              |    Resv   |    Rate   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Traffic class |   Hop limit   |   SL  |N| Resv|  ACK t. | Resv|
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (92 bytes)                    /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Rem t., Loc t., ACK t.: timeouts of remote and local communication manager, local ACK timeout. T: transport
// service type. Ext T: extended transport type. F: end-to-end flow control. D: RDC exists. S: SRQ. N: subnet local.
#pragma once

#include <optional>

#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/lustre.hpp"
#include "rocescope/headers/rds/private.hpp"
#include "rocescope/headers/rsockets.hpp"
#include "rocescope/headers/rtrs.hpp"
#include "rocescope/headers/srp/login.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct CmReq : HeaderView<CmReq> {
  static constexpr HeaderKind kKind = HeaderKind::kCmReq;
  static constexpr std::string_view kName = "infiniband.cm.req";
  static constexpr std::string_view kTitle = "CM REQ: Connect Request";
  static constexpr std::string_view kReference = "IBTA 12.6.5";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr std::size_t kPrivate = 140;  ///< where the private data start

  static constexpr bool is_ip_cm(const std::uint8_t* req) { return is_ip_cm_service(req + 8); }
  static constexpr bool is_not_ip_cm(const std::uint8_t* req) { return !is_ip_cm(req); }
  static constexpr bool is_tcp(const std::uint8_t* req) { return is_rdma_tcp_service(req + 8); }
  static constexpr bool is_not_tcp(const std::uint8_t* req) { return is_ip_cm(req) && !is_tcp(req); }
  static constexpr bool is_ip_cm_v4(const std::uint8_t* req) { return is_ip_cm(req) && IpCm::is_v4<kPrivate>(req); }
  static constexpr bool is_ip_cm_v6(const std::uint8_t* req) { return is_ip_cm(req) && !IpCm::is_v4<kPrivate>(req); }

  static constexpr bool is_srp_login(const std::uint8_t* req) {
    return is_ip_cm(req) && SrpLoginForms::is_rdma_request(req + kPrivate + IpCm::kSize);
  }
  static constexpr bool is_rsockets(const std::uint8_t* req) {
    return is_ip_cm(req) && RsocketsPrivateData::is_some(req + kPrivate + IpCm::kSize);
  }
  static constexpr bool is_rtrs(const std::uint8_t* req) {
    return is_ip_cm(req) && RtrsPrivateData::is_request(req + kPrivate + IpCm::kSize);
  }
  static constexpr bool is_lustre(const std::uint8_t* req) {
    return is_ip_cm(req) && LustrePrivateData::is_connect(req + kPrivate + IpCm::kSize);
  }
  static constexpr bool is_rds(const std::uint8_t* req) {
    constexpr std::size_t kLeft = 56;
    return is_tcp(req) && RdsPrivateData::is_some(req + kPrivate + IpCm::kSize, kLeft);
  }
  static constexpr bool is_plain_srp_login(const std::uint8_t* req) {
    return is_not_ip_cm(req) && SrpLoginForms::is_plain_request(req + kPrivate);
  }

  static constexpr std::array kOwnFields{
      mad_data_field(),
      field::hex("infiniband.cm.req", "Local communication ID", 0, 32).part(),
      field::number("infiniband.cm.req.reserved8", "Reserved", 32, 8).part(),
      field::hex("infiniband.cm.req.vendorid", "Vendor ID", 40, 24).part(),
      field::hex("infiniband.cm.req.serviceid", "Service ID", 64, 64).part(),
      field::bytes("infiniband.cm.req.serviceid.prefix", "Prefix", 64, 40).part(2).when(is_ip_cm),
      field::hex("infiniband.cm.req.serviceid.protocol", "Port space", 104, 8)
          .part(2)
          .named(kRdmaPortSpaceNames)
          .when(is_ip_cm),
      field::hex("infiniband.cm.req.serviceid.dport", "Destination port", 112, 16)
          .part(2)
          .named(kRdmaTcpPortNames)
          .when(is_tcp),
      field::hex("infiniband.cm.req.serviceid.dport", "Destination port", 112, 16).part(2).when(is_not_tcp),
      field::hex("infiniband.cm.req.localcaguid", "Local CA GUID", 128, 64).part(),
      field::number("infiniband.cm.req.reserved32", "Reserved", 192, 32).part(),
      field::hex("infiniband.cm.req.localqkey", "Local Q_Key", 224, 32).part(),
      field::hex("infiniband.cm.req.localqpn", "Local QPN", 256, 24).part(),
      field::hex("infiniband.cm.req.responderres", "Responder resources", 280, 8).part(),
      field::hex("infiniband.cm.req.localeecn", "Local EECN", 288, 24).part(),
      field::hex("infiniband.cm.req.initdepth", "Initiator depth", 312, 8).part(),
      field::hex("infiniband.cm.req.remoteeecn", "Remote EECN", 320, 24).part(),
      cm_code("infiniband.cm.req.remoteresptout", "Remote CM response timeout", 344, 5).named(kCmTimeoutNames),
      cm_code("infiniband.cm.req.transpsvctype", "Transport service type", 349, 2).named(kCmTransportNames),
      cm_code("infiniband.cm.req.e2eflowctrl", "End-to-end flow control", 351, 1),
      field::hex("infiniband.cm.req.startpsn", "Starting PSN", 352, 24).part(),
      cm_code("infiniband.cm.req.localresptout", "Local CM response timeout", 376, 5).named(kCmTimeoutNames),
      cm_code("infiniband.cm.req.retrcount", "Retry count", 381, 3),
      field::hex("infiniband.cm.req.pkey", "P_Key", 384, 16).part(),
      cm_code("infiniband.cm.req.pppmtu", "Path MTU", 400, 4).named(kMtuNames),
      cm_code("infiniband.cm.req.rdcexist", "RDC exists", 404, 1),
      cm_code("infiniband.cm.req.rnrretrcount", "RNR retry count", 405, 3).named(kRnrRetryNames),
      cm_code("infiniband.cm.req.maxcmretr", "Max CM retries", 408, 4),
      cm_code("infiniband.cm.req.srq", "SRQ", 412, 1),
      cm_code("infiniband.cm.req.ext_transport", "Extended transport", 413, 3).named(kCmExtendedTransportNames),
      field::number("infiniband.cm.req.prim_locallid", "Primary local port LID", 416, 16).part(),
      field::number("infiniband.cm.req.prim_remotelid", "Primary remote port LID", 432, 16).part(),
      field::ipv6("infiniband.cm.req.prim_localgid", "Primary local port GID", 448).part().when(gid_is_not_ipv4<56>),
      field::bytes("infiniband.cm.req.prim_localgid_mapped", "Primary local port GID", 448, 128)
          .part()
          .when(gid_is_ipv4<56>),
      field::bytes("infiniband.cm.req.prim_localgid_prefix", "IPv4-mapped prefix", 448, 96)
          .part(2)
          .when(gid_is_ipv4<56>),
      field::ipv4("infiniband.cm.req.prim_localgid_ipv4", "Primary local port GID", 544).part(2).when(gid_is_ipv4<56>),
      field::ipv6("infiniband.cm.req.prim_remotegid", "Primary remote port GID", 576).part().when(gid_is_not_ipv4<72>),
      field::bytes("infiniband.cm.req.prim_remotegid_mapped", "Primary remote port GID", 576, 128)
          .part()
          .when(gid_is_ipv4<72>),
      field::bytes("infiniband.cm.req.prim_remotegid_prefix", "IPv4-mapped prefix", 576, 96)
          .part(2)
          .when(gid_is_ipv4<72>),
      field::ipv4("infiniband.cm.req.prim_remotegid_ipv4", "Primary remote port GID", 672)
          .part(2)
          .when(gid_is_ipv4<72>),
      field::hex("infiniband.cm.req.prim_flowlabel", "Primary flow label", 704, 20).part().digits(8),
      field::hex("infiniband.cm.req.prim_reserved0", "Reserved", 724, 6).part().digits(8),
      field::hex("infiniband.cm.req.prim_pktrate", "Primary packet rate", 730, 6).part().digits(8).named(kRateNames),
      field::hex("infiniband.cm.req.prim_tfcclass", "Primary traffic class", 736, 8).part(),
      field::hex("infiniband.cm.req.prim_hoplim", "Primary hop limit", 744, 8).part(),
      cm_code("infiniband.cm.req.prim_sl", "Primary SL", 752, 4),
      cm_code("infiniband.cm.req.prim_subnetlocal", "Primary subnet local", 756, 1),
      cm_code("infiniband.cm.req.prim_reserved1", "Reserved", 757, 3),
      cm_code("infiniband.cm.req.prim_localacktout", "Primary local ACK timeout", 760, 5).named(kLocalAckTimeoutNames),
      cm_code("infiniband.cm.req.prim_reserved2", "Reserved", 765, 3),
      field::number("infiniband.cm.req.alt_locallid", "Alternate local port LID", 768, 16).part(),
      field::number("infiniband.cm.req.alt_remotelid", "Alternate remote port LID", 784, 16).part(),
      field::bytes("infiniband.cm.req.alt_localgid", "Alternate local port GID", 800, 128).part(),
      field::bytes("infiniband.cm.req.alt_remotegid", "Alternate remote port GID", 928, 128).part(),
      field::hex("infiniband.cm.req.alt_flowlabel", "Alternate flow label", 1056, 20).part().digits(8),
      field::hex("infiniband.cm.req.alt_reserved0", "Reserved", 1076, 6).part().digits(8),
      field::hex("infiniband.cm.req.alt_pktrate", "Alternate packet rate", 1082, 6).part().digits(8).named(kRateNames),
      field::hex("infiniband.cm.req.alt_tfcclass", "Alternate traffic class", 1088, 8).part(),
      field::hex("infiniband.cm.req.alt_hoplim", "Alternate hop limit", 1096, 8).part(),
      cm_code("infiniband.cm.req.alt_sl", "Alternate SL", 1104, 4),
      cm_code("infiniband.cm.req.alt_subnetlocal", "Alternate subnet local", 1108, 1),
      cm_code("infiniband.cm.req.alt_reserved1", "Reserved", 1109, 3),
      cm_code("infiniband.cm.req.alt_localacktout", "Alternate local ACK timeout", 1112, 5)
          .named(kLocalAckTimeoutNames),
      cm_code("infiniband.cm.req.alt_reserved1", "Reserved", 1117, 3),  // Wireshark has one name for both
      field::bytes("infiniband.cm.req.private", "Private data", 1120, 736).part().when(is_not_ip_cm),
  };
  static constexpr std::array kIpCmFields{
      field::bytes("infiniband.cm.req.ip_cm", "IP CM private data", 1120, 736).part().when(is_ip_cm),
      cm_code("infiniband.cm.req.ip_cm.majv", "Major version", 1120, 4).part(2).when(is_ip_cm),
      cm_code("infiniband.cm.req.ip_cm.minv", "Minor version", 1124, 4).part(2).when(is_ip_cm),
      cm_code("infiniband.cm.req.ip_cm.ipv", "IP version", 1128, 4).part(2).when(is_ip_cm),
      cm_code("infiniband.cm.req.ip_cm.reserved", "Reserved", 1132, 4).part(2).when(is_ip_cm),
      field::hex("infiniband.cm.req.ip_cm.sport", "Source port", 1136, 16).part(2).when(is_ip_cm),
      field::ipv6("infiniband.cm.req.ip_cm.sip6", "Source IP", 1152).part(2).when(is_ip_cm_v6),
      field::bytes("infiniband.cm.req.ip_cm.sip", "Source IP", 1152, 128).part(2).when(is_ip_cm_v4),
      field::bytes("infiniband.cm.req.ip_cm.sip.prefix", "Not used", 1152, 96).part(3).when(is_ip_cm_v4),
      field::ipv4("infiniband.cm.req.ip_cm.sip4", "Source IP", 1248).part(3).when(is_ip_cm_v4),
      field::ipv6("infiniband.cm.req.ip_cm.dip6", "Destination IP", 1280).part(2).when(is_ip_cm_v6),
      field::bytes("infiniband.cm.req.ip_cm.dip", "Destination IP", 1280, 128).part(2).when(is_ip_cm_v4),
      field::bytes("infiniband.cm.req.ip_cm.dip.prefix", "Not used", 1280, 96).part(3).when(is_ip_cm_v4),
      field::ipv4("infiniband.cm.req.ip_cm.dip4", "Destination IP", 1376).part(3).when(is_ip_cm_v4),
      field::bytes("infiniband.cm.req.ip_cm.private", "Consumer private data", 1408, 448).part(2).when(is_ip_cm),
  };
  static constexpr auto kFields =
      detail::join(kOwnFields, detail::srp_parts(detail::srp_plain_login_rows(1120, 1856), 2, is_plain_srp_login),
                   kIpCmFields, detail::srp_parts(detail::srp_rdma_login_rows(1408), 3, is_srp_login),
                   detail::srp_parts(detail::rsockets_private_rows(1408, 1856), 3, is_rsockets),
                   detail::srp_parts(detail::rtrs_request_rows(1408), 3, is_rtrs),
                   detail::srp_parts(detail::rds_private_rows(1408, 1856), 3, is_rds),
                   detail::srp_parts(detail::lustre_request_rows(1408), 3, is_lustre));
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept { return get<"infiniband.cm.req">(); }
  [[nodiscard]] constexpr std::uint64_t service_id() const noexcept { return get<"infiniband.cm.req.serviceid">(); }
  [[nodiscard]] constexpr std::uint64_t local_ca_guid() const noexcept {
    return get<"infiniband.cm.req.localcaguid">();
  }
  [[nodiscard]] constexpr Qpn local_qpn() const noexcept { return Qpn(get<"infiniband.cm.req.localqpn">()); }
  /// READs and ATOMICs that the sender can have outstanding as a responder.
  [[nodiscard]] constexpr std::uint8_t responder_resources() const noexcept {
    return get<"infiniband.cm.req.responderres">();
  }
  /// READs and ATOMICs that the sender wants to have outstanding as a requester.
  [[nodiscard]] constexpr std::uint8_t initiator_depth() const noexcept { return get<"infiniband.cm.req.initdepth">(); }
  [[nodiscard]] constexpr CmTransport transport() const noexcept {
    return static_cast<CmTransport>(get<"infiniband.cm.req.transpsvctype">());
  }
  [[nodiscard]] constexpr bool xrc() const noexcept {
    return transport() == CmTransport::kExtended && get<"infiniband.cm.req.ext_transport">() == 1;
  }
  [[nodiscard]] constexpr bool end_to_end_flow_control() const noexcept {
    return get<"infiniband.cm.req.e2eflowctrl">() != 0;
  }
  /// The first PSN that the sender of this message will receive.
  [[nodiscard]] constexpr Psn starting_psn() const noexcept { return Psn(get<"infiniband.cm.req.startpsn">()); }
  [[nodiscard]] constexpr std::int64_t remote_response_timeout_ns() const noexcept {
    return cm_timeout_ns(get<"infiniband.cm.req.remoteresptout">());
  }
  [[nodiscard]] constexpr std::int64_t local_response_timeout_ns() const noexcept {
    return cm_timeout_ns(get<"infiniband.cm.req.localresptout">());
  }
  [[nodiscard]] constexpr std::uint8_t retry_count() const noexcept { return get<"infiniband.cm.req.retrcount">(); }
  /// 7: without end.
  [[nodiscard]] constexpr std::uint8_t rnr_retry_count() const noexcept {
    return get<"infiniband.cm.req.rnrretrcount">();
  }
  [[nodiscard]] constexpr std::uint8_t max_cm_retries() const noexcept { return get<"infiniband.cm.req.maxcmretr">(); }
  [[nodiscard]] constexpr bool srq() const noexcept { return get<"infiniband.cm.req.srq">() != 0; }
  [[nodiscard]] constexpr std::uint16_t p_key() const noexcept { return get<"infiniband.cm.req.pkey">(); }
  /// Bytes; 0 when the code is reserved.
  [[nodiscard]] constexpr std::uint32_t path_mtu() const noexcept {
    return mtu_bytes(get<"infiniband.cm.req.pppmtu">());
  }
  /// 0: without end.
  [[nodiscard]] constexpr std::int64_t local_ack_timeout_ns() const noexcept {
    return rocescope::local_ack_timeout_ns(get<"infiniband.cm.req.prim_localacktout">());
  }
  [[nodiscard]] constexpr std::uint8_t traffic_class() const noexcept {
    return get<"infiniband.cm.req.prim_tfcclass">();
  }
  [[nodiscard]] constexpr IpAddress local_gid() const noexcept {
    return IpAddress::v6(get<"infiniband.cm.req.prim_localgid">());
  }
  [[nodiscard]] constexpr IpAddress remote_gid() const noexcept {
    return IpAddress::v6(get<"infiniband.cm.req.prim_remotegid">());
  }
  /// All 92 bytes.
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.req.private">(); }
  /// The header that the RDMA IP CM service puts before the application's private data, where it is that service.
  [[nodiscard]] constexpr std::optional<IpCm> ip_cm() const noexcept {
    if (!is_ip_cm(bytes().data())) return std::nullopt;
    return IpCm(private_data());
  }
};

}  // namespace rocescope
