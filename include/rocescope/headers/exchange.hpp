// The set-up exchange of rdmagen.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/cm/names.hpp"

namespace rocescope {

// The set-up exchange of rdmagen, the project's traffic generator: how its two sides exchange their queue pairs
// and memory regions when they do without the communication manager. SENDs on a UD queue pair with Q_Key 0x524C4142,
// 32 or 64 bytes each: this header, then the message, padded with zeros.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Magic: 0x524C4142, "RLAB"                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Version    |      Type     |            Sequence           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

/// The Q_Key of the exchange, and the magic number of its messages: "RLAB".
inline constexpr std::uint32_t kExchangeKey = 0x524C4142;

enum class ExchangeType : std::uint8_t {
  kDeviceDiscoveryReq = 1,
  kDeviceDiscoveryResp = 2,
  kQpCreateReq = 3,
  kQpCreateResp = 4,
  kMrRegisterReq = 5,
  kMrRegisterResp = 6,
  kConnectionReq = 7,
  kConnectionAccept = 8,
  kConnectionConfirm = 9,
  kConnectionReady = 10,
};

inline constexpr ValueName kExchangeTypeNames[] = {{1, 1, "DEVICE_DISCOVERY_REQ"}, {2, 2, "DEVICE_DISCOVERY_RESP"},
                                                   {3, 3, "QP_CREATE_REQ"},        {4, 4, "QP_CREATE_RESP"},
                                                   {5, 5, "MR_REGISTER_REQ"},      {6, 6, "MR_REGISTER_RESP"},
                                                   {7, 7, "CONNECTION_REQ"},       {8, 8, "CONNECTION_ACCEPT"},
                                                   {9, 9, "CONNECTION_CONFIRM"},   {10, 10, "CONNECTION_READY"}};

struct Exchange : HeaderView<Exchange> {
  static constexpr HeaderKind kKind = HeaderKind::kExchange;
  static constexpr std::string_view kName = "rocescope.exchange";
  static constexpr std::string_view kTitle = "Set-up Exchange";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.magic", "Magic", 0, 32),
      field::number("rocescope.exchange.version", "Version", 32, 8),
      field::number("rocescope.exchange.type", "Type", 40, 8).named(kExchangeTypeNames),
      field::number("rocescope.exchange.sequence", "Sequence", 48, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t magic() const noexcept { return get<"rocescope.exchange.magic">(); }
  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"rocescope.exchange.version">(); }
  [[nodiscard]] constexpr ExchangeType type() const noexcept {
    return static_cast<ExchangeType>(get<"rocescope.exchange.type">());
  }
  [[nodiscard]] constexpr std::uint16_t sequence() const noexcept { return get<"rocescope.exchange.sequence">(); }
};

// Messages of the set-up exchange by which a client learns what the server's device can do, and both create queue pairs.
//
// DEVICE_DISCOVERY_REQ:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Client ID                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Capabilities                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                       Padding (16 bytes)                      /
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
//   /                       Padding (24 bytes)                      /
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
//   /                       Padding (20 bytes)                      /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

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

// Messages of the set-up exchange about memory regions. A request has padding for what the response
// adds: remote key, local key and status.
//
// MR_REGISTER_REQ, MR_REGISTER_RESP:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Region ID                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Virtual address                        |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Length                            |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Access flags                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Protection domain                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Remote key                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Local key                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Status                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                       Padding (16 bytes)                      /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct ExchangeMrRegisterReq : HeaderView<ExchangeMrRegisterReq> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeMrRegisterReq;
  static constexpr std::string_view kName = "rocescope.exchange.mr_register_req";
  static constexpr std::string_view kTitle = "MR_REGISTER_REQ";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::number("rocescope.exchange.mr_register_req.regionid", "Region ID", 0, 32),
      field::hex("rocescope.exchange.mr_register_req.va", "Virtual address", 32, 64),
      field::number("rocescope.exchange.mr_register_req.length", "Length", 96, 64),
      field::hex("rocescope.exchange.mr_register_req.access", "Access flags", 160, 32),
      field::number("rocescope.exchange.mr_register_req.pd", "Protection domain", 192, 32),
      field::bytes("rocescope.exchange.mr_register_req.padding", "Padding", 224, 224),
  };
  using HeaderView::HeaderView;
};

struct ExchangeMrRegisterResp : HeaderView<ExchangeMrRegisterResp> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeMrRegisterResp;
  static constexpr std::string_view kName = "rocescope.exchange.mr_register_resp";
  static constexpr std::string_view kTitle = "MR_REGISTER_RESP";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::number("rocescope.exchange.mr_register_resp.regionid", "Region ID", 0, 32),
      field::hex("rocescope.exchange.mr_register_resp.va", "Virtual address", 32, 64),
      field::number("rocescope.exchange.mr_register_resp.length", "Length", 96, 64),
      field::hex("rocescope.exchange.mr_register_resp.access", "Access flags", 160, 32),
      field::number("rocescope.exchange.mr_register_resp.pd", "Protection domain", 192, 32),
      field::hex("rocescope.exchange.mr_register_resp.rkey", "Remote key", 224, 32),
      field::hex("rocescope.exchange.mr_register_resp.lkey", "Local key", 256, 32),
      field::number("rocescope.exchange.mr_register_resp.status", "Status", 288, 32),
      field::bytes("rocescope.exchange.mr_register_resp.padding", "Padding", 320, 128),
  };
  using HeaderView::HeaderView;
};

// Messages of the set-up exchange that connect two queue pairs. A request has padding for the status that CONNECTION_ACCEPT
// adds; CONNECTION_CONFIRM has a status, CONNECTION_READY a state.
//
// CONNECTION_REQ, CONNECTION_ACCEPT:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Client QPN                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Server QPN                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Client GUID                          |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Server GUID                          |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Client remote key                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Server remote key                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Max message size                       |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Timeout    |  Retry count  |   RNR retry   |    Reserved   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Status                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Padding                            |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// CONNECTION_CONFIRM, CONNECTION_READY:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Client QPN                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Server QPN                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Status or state                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                       Padding (12 bytes)                      /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

/// Queue pair states (IBTA 10.3.1), numbered as ibverbs does.
inline constexpr ValueName kQpStateNames[] = {{0, 0, "RESET"}, {1, 1, "INIT"}, {2, 2, "RTR"}, {3, 3, "RTS"},
                                              {4, 4, "SQD"},   {5, 5, "SQE"},  {6, 6, "ERR"}};

struct ExchangeConnectionReq : HeaderView<ExchangeConnectionReq> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeConnectionReq;
  static constexpr std::string_view kName = "rocescope.exchange.connection_req";
  static constexpr std::string_view kTitle = "CONNECTION_REQ";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.connection_req.clientqpn", "Client QPN", 0, 32),
      field::hex("rocescope.exchange.connection_req.serverqpn", "Server QPN", 32, 32),
      field::hex("rocescope.exchange.connection_req.clientguid", "Client GUID", 64, 64),
      field::hex("rocescope.exchange.connection_req.serverguid", "Server GUID", 128, 64),
      field::hex("rocescope.exchange.connection_req.clientrkey", "Client remote key", 192, 32),
      field::hex("rocescope.exchange.connection_req.serverrkey", "Server remote key", 224, 32),
      field::number("rocescope.exchange.connection_req.maxmsgsize", "Max message size", 256, 64),
      field::number("rocescope.exchange.connection_req.timeout", "Timeout", 320, 8).named(kLocalAckTimeoutNames),
      field::number("rocescope.exchange.connection_req.retrycount", "Retry count", 328, 8),
      field::number("rocescope.exchange.connection_req.rnrretry", "RNR retry", 336, 8).named(kRnrRetryNames),
      field::number("rocescope.exchange.connection_req.reserved8", "Reserved", 344, 8),
      field::bytes("rocescope.exchange.connection_req.padding", "Padding", 352, 96),
  };
  using HeaderView::HeaderView;
};

struct ExchangeConnectionAccept : HeaderView<ExchangeConnectionAccept> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeConnectionAccept;
  static constexpr std::string_view kName = "rocescope.exchange.connection_accept";
  static constexpr std::string_view kTitle = "CONNECTION_ACCEPT";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.connection_accept.clientqpn", "Client QPN", 0, 32),
      field::hex("rocescope.exchange.connection_accept.serverqpn", "Server QPN", 32, 32),
      field::hex("rocescope.exchange.connection_accept.clientguid", "Client GUID", 64, 64),
      field::hex("rocescope.exchange.connection_accept.serverguid", "Server GUID", 128, 64),
      field::hex("rocescope.exchange.connection_accept.clientrkey", "Client remote key", 192, 32),
      field::hex("rocescope.exchange.connection_accept.serverrkey", "Server remote key", 224, 32),
      field::number("rocescope.exchange.connection_accept.maxmsgsize", "Max message size", 256, 64),
      field::number("rocescope.exchange.connection_accept.timeout", "Timeout", 320, 8).named(kLocalAckTimeoutNames),
      field::number("rocescope.exchange.connection_accept.retrycount", "Retry count", 328, 8),
      field::number("rocescope.exchange.connection_accept.rnrretry", "RNR retry", 336, 8).named(kRnrRetryNames),
      field::number("rocescope.exchange.connection_accept.reserved8", "Reserved", 344, 8),
      field::number("rocescope.exchange.connection_accept.status", "Status", 352, 32),
      field::bytes("rocescope.exchange.connection_accept.padding", "Padding", 384, 64),
  };
  using HeaderView::HeaderView;
};

struct ExchangeConnectionConfirm : HeaderView<ExchangeConnectionConfirm> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeConnectionConfirm;
  static constexpr std::string_view kName = "rocescope.exchange.connection_confirm";
  static constexpr std::string_view kTitle = "CONNECTION_CONFIRM";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 24;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.connection_confirm.clientqpn", "Client QPN", 0, 32),
      field::hex("rocescope.exchange.connection_confirm.serverqpn", "Server QPN", 32, 32),
      field::number("rocescope.exchange.connection_confirm.status", "Status", 64, 32),
      field::bytes("rocescope.exchange.connection_confirm.padding", "Padding", 96, 96),
  };
  using HeaderView::HeaderView;
};

struct ExchangeConnectionReady : HeaderView<ExchangeConnectionReady> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeConnectionReady;
  static constexpr std::string_view kName = "rocescope.exchange.connection_ready";
  static constexpr std::string_view kTitle = "CONNECTION_READY";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 24;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.connection_ready.clientqpn", "Client QPN", 0, 32),
      field::hex("rocescope.exchange.connection_ready.serverqpn", "Server QPN", 32, 32),
      field::number("rocescope.exchange.connection_ready.state", "State", 64, 32).named(kQpStateNames),
      field::bytes("rocescope.exchange.connection_ready.padding", "Padding", 96, 96),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
