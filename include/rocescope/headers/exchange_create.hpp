// Messages of the set-up exchange by which a client learns what the server's device can do, and both create queue pairs
// (exchange.hpp has the header before them).
//
// DEVICE_DISCOVERY_REQ:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Client ID                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Capabilities                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                            Padding                            |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// DEVICE_DISCOVERY_RESP:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Server ID                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Device GUID                          |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Max QPs                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Max MRs                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Max message size                       |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Transports: bit 0 RC, 1 UC, 2 UD, 3 XRC            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                       Padding (24 bytes)                      /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// QP_CREATE_REQ, QP_CREATE_RESP:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                              QPN                              |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    QP type    |      XRC SRQ number, 0 but of XRC_RECV        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Starting PSN                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Max send WRs                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Max receive WRs                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Max send SGEs                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Max receive SGEs                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Path MTU                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Status (response) or padding (request)            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                       Padding (20 bytes)                      /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

inline constexpr ValueName kExchangeQpTypeNames[] = {
    {1, 1, "RC"}, {2, 2, "UC"}, {3, 3, "UD"}, {4, 4, "XRC_SEND"}, {5, 5, "XRC_RECV"}};

struct ExchangeDiscoveryReq : HeaderView<ExchangeDiscoveryReq> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeDiscoveryReq;
  static constexpr std::string_view kName = "rocescope.exchange.discovery_req";
  static constexpr std::string_view kTitle = "DEVICE_DISCOVERY_REQ";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 24;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.discovery_req.clientid", "Client ID", 0, 32),
      field::hex("rocescope.exchange.discovery_req.capabilities", "Capabilities", 32, 32),
      field::bytes("rocescope.exchange.discovery_req.padding", "Padding", 64, 128),
  };
  using HeaderView::HeaderView;
};

struct ExchangeDiscoveryResp : HeaderView<ExchangeDiscoveryResp> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeDiscoveryResp;
  static constexpr std::string_view kName = "rocescope.exchange.discovery_resp";
  static constexpr std::string_view kTitle = "DEVICE_DISCOVERY_RESP";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.discovery_resp.serverid", "Server ID", 0, 32),
      field::hex("rocescope.exchange.discovery_resp.guid", "Device GUID", 32, 64),
      field::number("rocescope.exchange.discovery_resp.maxqps", "Max QPs", 96, 32),
      field::number("rocescope.exchange.discovery_resp.maxmrs", "Max MRs", 128, 32),
      field::number("rocescope.exchange.discovery_resp.maxmsgsize", "Max message size", 160, 64),
      field::hex("rocescope.exchange.discovery_resp.transports", "Transports", 224, 32),
      field::number("rocescope.exchange.discovery_resp.transports.reserved28", "Reserved", 224, 28).part(),
      field::flag("rocescope.exchange.discovery_resp.transports.xrc", "XRC", 252).part(),
      field::flag("rocescope.exchange.discovery_resp.transports.ud", "UD", 253).part(),
      field::flag("rocescope.exchange.discovery_resp.transports.uc", "UC", 254).part(),
      field::flag("rocescope.exchange.discovery_resp.transports.rc", "RC", 255).part(),
      field::bytes("rocescope.exchange.discovery_resp.padding", "Padding", 256, 192),
  };
  using HeaderView::HeaderView;
};

struct ExchangeQpCreateReq : HeaderView<ExchangeQpCreateReq> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeQpCreateReq;
  static constexpr std::string_view kName = "rocescope.exchange.qp_create_req";
  static constexpr std::string_view kTitle = "QP_CREATE_REQ";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.qp_create_req.qpn", "QPN", 0, 32),
      field::number("rocescope.exchange.qp_create_req.type", "QP type", 32, 8).named(kExchangeQpTypeNames),
      field::hex("rocescope.exchange.qp_create_req.xrcsrqn", "XRC SRQ number", 40, 24),
      field::number("rocescope.exchange.qp_create_req.startpsn", "Starting PSN", 64, 32),
      field::number("rocescope.exchange.qp_create_req.maxsendwr", "Max send WRs", 96, 32),
      field::number("rocescope.exchange.qp_create_req.maxrecvwr", "Max receive WRs", 128, 32),
      field::number("rocescope.exchange.qp_create_req.maxsendsge", "Max send SGEs", 160, 32),
      field::number("rocescope.exchange.qp_create_req.maxrecvsge", "Max receive SGEs", 192, 32),
      field::number("rocescope.exchange.qp_create_req.mtu", "Path MTU", 224, 32),
      field::bytes("rocescope.exchange.qp_create_req.padding", "Padding", 256, 192),
  };
  using HeaderView::HeaderView;
};

struct ExchangeQpCreateResp : HeaderView<ExchangeQpCreateResp> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeQpCreateResp;
  static constexpr std::string_view kName = "rocescope.exchange.qp_create_resp";
  static constexpr std::string_view kTitle = "QP_CREATE_RESP";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.qp_create_resp.qpn", "QPN", 0, 32),
      field::number("rocescope.exchange.qp_create_resp.type", "QP type", 32, 8).named(kExchangeQpTypeNames),
      field::hex("rocescope.exchange.qp_create_resp.xrcsrqn", "XRC SRQ number", 40, 24),
      field::number("rocescope.exchange.qp_create_resp.startpsn", "Starting PSN", 64, 32),
      field::number("rocescope.exchange.qp_create_resp.maxsendwr", "Max send WRs", 96, 32),
      field::number("rocescope.exchange.qp_create_resp.maxrecvwr", "Max receive WRs", 128, 32),
      field::number("rocescope.exchange.qp_create_resp.maxsendsge", "Max send SGEs", 160, 32),
      field::number("rocescope.exchange.qp_create_resp.maxrecvsge", "Max receive SGEs", 192, 32),
      field::number("rocescope.exchange.qp_create_resp.mtu", "Path MTU", 224, 32),
      field::number("rocescope.exchange.qp_create_resp.status", "Status", 256, 32),
      field::bytes("rocescope.exchange.qp_create_resp.padding", "Padding", 288, 160),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
