// Messages of the set-up exchange that connect two queue pairs (exchange.hpp has the header before them). A request has
// padding for the status that CONNECTION_ACCEPT adds; CONNECTION_CONFIRM has a status, CONNECTION_READY a state.
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
//   |                                                               |
//   /                       Padding (12 bytes)                      /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/headers/cm_names.hpp"

namespace rocescope {

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
