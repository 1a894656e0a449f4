// SIDR_REQ and SIDR_REP, service ID resolution of the communication manager, IBTA 12.11.2 (what follows the MAD
// header): which datagram queue pair answers for a service.
//
// SIDR_REQ:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Request ID                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             P_Key             |            Reserved           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Service ID                          |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (216 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// SIDR_REP:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Request ID                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Status    |  Info length  |            Reserved           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      QPN                      |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Service ID                          |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Q_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /               Additional information (72 bytes)               /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (136 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include <optional>

#include "rocescope/headers/cm/names.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct CmSidrReq : HeaderView<CmSidrReq> {
  static constexpr HeaderKind kKind = HeaderKind::kCmSidrReq;
  static constexpr std::string_view kName = "infiniband.cm.sidrreq";
  static constexpr std::string_view kTitle = "CM SIDR_REQ: Service ID Resolution Request";
  static constexpr std::string_view kReference = "IBTA 12.11.2.1";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr std::size_t kPrivate = 16;  ///< where the private data start

  static constexpr bool is_ip_cm(const std::uint8_t* req) { return is_ip_cm_service(req + 8); }
  static constexpr bool is_not_ip_cm(const std::uint8_t* req) { return !is_ip_cm(req); }
  static constexpr bool is_tcp(const std::uint8_t* req) { return is_rdma_tcp_service(req + 8); }
  static constexpr bool is_not_tcp(const std::uint8_t* req) { return is_ip_cm(req) && !is_tcp(req); }
  static constexpr bool is_ip_cm_v4(const std::uint8_t* req) { return is_ip_cm(req) && IpCm::is_v4<kPrivate>(req); }
  static constexpr bool is_ip_cm_v6(const std::uint8_t* req) { return is_ip_cm(req) && !IpCm::is_v4<kPrivate>(req); }

  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.sidrreq.requestid", "Request ID", 0, 32).part(),
      field::hex("infiniband.cm.sidrreq.pkey", "P_Key", 32, 16).part(),
      field::number("infiniband.cm.sidrreq.reserved16", "Reserved", 48, 16).part(),
      field::hex("infiniband.cm.sidrreq.serviceid", "Service ID", 64, 64).part(),
      field::bytes("infiniband.cm.sidrreq.serviceid.prefix", "Prefix", 64, 40).part(2).when(is_ip_cm),
      field::hex("infiniband.cm.sidrreq.serviceid.protocol", "Port space", 104, 8)
          .part(2)
          .named(kRdmaPortSpaceNames)
          .when(is_ip_cm),
      field::hex("infiniband.cm.sidrreq.serviceid.dport", "Destination port", 112, 16)
          .part(2)
          .named(kRdmaTcpPortNames)
          .when(is_tcp),
      field::hex("infiniband.cm.sidrreq.serviceid.dport", "Destination port", 112, 16).part(2).when(is_not_tcp),
      field::bytes("infiniband.cm.sidrreq.private", "Private data", 128, 1728).part().when(is_not_ip_cm),
      field::bytes("infiniband.cm.sidrreq.ip_cm", "IP CM private data", 128, 1728).part().when(is_ip_cm),
      cm_code("infiniband.cm.sidrreq.ip_cm.majv", "Major version", 128, 4).part(2).when(is_ip_cm),
      cm_code("infiniband.cm.sidrreq.ip_cm.minv", "Minor version", 132, 4).part(2).when(is_ip_cm),
      cm_code("infiniband.cm.sidrreq.ip_cm.ipv", "IP version", 136, 4).part(2).when(is_ip_cm),
      cm_code("infiniband.cm.sidrreq.ip_cm.reserved", "Reserved", 140, 4).part(2).when(is_ip_cm),
      field::hex("infiniband.cm.sidrreq.ip_cm.sport", "Source port", 144, 16).part(2).when(is_ip_cm),
      field::ipv6("infiniband.cm.sidrreq.ip_cm.sip6", "Source IP", 160).part(2).when(is_ip_cm_v6),
      field::bytes("infiniband.cm.sidrreq.ip_cm.sip", "Source IP", 160, 128).part(2).when(is_ip_cm_v4),
      field::bytes("infiniband.cm.sidrreq.ip_cm.sip.prefix", "Not used", 160, 96).part(3).when(is_ip_cm_v4),
      field::ipv4("infiniband.cm.sidrreq.ip_cm.sip4", "Source IP", 256).part(3).when(is_ip_cm_v4),
      field::ipv6("infiniband.cm.sidrreq.ip_cm.dip6", "Destination IP", 288).part(2).when(is_ip_cm_v6),
      field::bytes("infiniband.cm.sidrreq.ip_cm.dip", "Destination IP", 288, 128).part(2).when(is_ip_cm_v4),
      field::bytes("infiniband.cm.sidrreq.ip_cm.dip.prefix", "Not used", 288, 96).part(3).when(is_ip_cm_v4),
      field::ipv4("infiniband.cm.sidrreq.ip_cm.dip4", "Destination IP", 384).part(3).when(is_ip_cm_v4),
      field::bytes("infiniband.cm.sidrreq.ip_cm.private", "Consumer private data", 416, 1440).part(2).when(is_ip_cm),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t request_id() const noexcept { return get<"infiniband.cm.sidrreq.requestid">(); }
  [[nodiscard]] constexpr std::uint16_t p_key() const noexcept { return get<"infiniband.cm.sidrreq.pkey">(); }
  [[nodiscard]] constexpr std::uint64_t service_id() const noexcept { return get<"infiniband.cm.sidrreq.serviceid">(); }
  /// All 216 bytes.
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.sidrreq.private">(); }
  /// The header that the RDMA IP CM service puts before the application's private data, where it is that service.
  [[nodiscard]] constexpr std::optional<IpCm> ip_cm() const noexcept {
    if (!is_ip_cm(bytes().data())) return std::nullopt;
    return IpCm(private_data());
  }
};

struct CmSidrRep : HeaderView<CmSidrRep> {
  static constexpr HeaderKind kKind = HeaderKind::kCmSidrRep;
  static constexpr std::string_view kName = "infiniband.cm.sidrrep";
  static constexpr std::string_view kTitle = "CM SIDR_REP: Service ID Resolution Reply";
  static constexpr std::string_view kReference = "IBTA 12.11.2.2";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.sidrrep.requestid", "Request ID", 0, 32).part(),
      field::hex("infiniband.cm.sidrrep.status", "Status", 32, 8).part().named(kSidrStatusNames),
      field::number("infiniband.cm.sidrrep.infolen", "Additional information length", 40, 8).part(),
      field::number("infiniband.cm.sidrrep.reserved16", "Reserved", 48, 16).part(),
      field::hex("infiniband.cm.sidrrep.qpn", "QPN", 64, 24).part(),
      field::number("infiniband.cm.sidrrep.reserved8", "Reserved", 88, 8).part(),
      field::hex("infiniband.cm.sidrrep.serviceid", "Service ID", 96, 64).part(),
      field::hex("infiniband.cm.sidrrep.qkey", "Q_Key", 160, 32).part(),
      field::bytes("infiniband.cm.sidrrep.info", "Additional information", 192, 576).part(),
      field::bytes("infiniband.cm.sidrrep.private", "Private data", 768, 1088).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t request_id() const noexcept { return get<"infiniband.cm.sidrrep.requestid">(); }
  [[nodiscard]] constexpr std::uint8_t status() const noexcept { return get<"infiniband.cm.sidrrep.status">(); }
  [[nodiscard]] constexpr Qpn qpn() const noexcept { return Qpn(get<"infiniband.cm.sidrrep.qpn">()); }
  [[nodiscard]] constexpr std::uint64_t service_id() const noexcept { return get<"infiniband.cm.sidrrep.serviceid">(); }
  [[nodiscard]] constexpr std::uint32_t q_key() const noexcept { return get<"infiniband.cm.sidrrep.qkey">(); }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.sidrrep.private">(); }
};

}  // namespace rocescope
