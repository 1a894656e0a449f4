#include "ladder/exchange_event.hpp"

#include "rocescope/headers/exchange.hpp"

namespace rocescope {

std::optional<ExchangeEvent> exchange_event(const Packet& packet) {
  const auto header = packet.header<Exchange>();
  if (!header) return std::nullopt;
  ExchangeEvent event{.type = header->type(), .sequence = header->sequence()};
  if (const auto req = packet.header<ExchangeQpCreateReq>()) {
    event.qpn = Qpn(req->get<"rocescope.exchange.qp_create_req.qpn">());
    event.starting_psn = Psn(req->get<"rocescope.exchange.qp_create_req.startpsn">());
    event.path_mtu = req->get<"rocescope.exchange.qp_create_req.mtu">();
  } else if (const auto resp = packet.header<ExchangeQpCreateResp>()) {
    event.qpn = Qpn(resp->get<"rocescope.exchange.qp_create_resp.qpn">());
    event.starting_psn = Psn(resp->get<"rocescope.exchange.qp_create_resp.startpsn">());
    event.path_mtu = resp->get<"rocescope.exchange.qp_create_resp.mtu">();
    event.status = resp->get<"rocescope.exchange.qp_create_resp.status">();
  } else if (const auto registering = packet.header<ExchangeMrRegisterReq>()) {
    event.address = registering->get<"rocescope.exchange.mr_register_req.va">();
    event.length = registering->get<"rocescope.exchange.mr_register_req.length">();
  } else if (const auto registered = packet.header<ExchangeMrRegisterResp>()) {
    event.address = registered->get<"rocescope.exchange.mr_register_resp.va">();
    event.length = registered->get<"rocescope.exchange.mr_register_resp.length">();
    event.r_key = registered->get<"rocescope.exchange.mr_register_resp.rkey">();
    event.status = registered->get<"rocescope.exchange.mr_register_resp.status">();
  } else if (const auto request = packet.header<ExchangeConnectionReq>()) {
    event.client_qpn = Qpn(request->get<"rocescope.exchange.connection_req.clientqpn">());
    event.server_qpn = Qpn(request->get<"rocescope.exchange.connection_req.serverqpn">());
  } else if (const auto accept = packet.header<ExchangeConnectionAccept>()) {
    event.client_qpn = Qpn(accept->get<"rocescope.exchange.connection_accept.clientqpn">());
    event.server_qpn = Qpn(accept->get<"rocescope.exchange.connection_accept.serverqpn">());
    event.status = accept->get<"rocescope.exchange.connection_accept.status">();
  } else if (const auto confirm = packet.header<ExchangeConnectionConfirm>()) {
    event.client_qpn = Qpn(confirm->get<"rocescope.exchange.connection_confirm.clientqpn">());
    event.server_qpn = Qpn(confirm->get<"rocescope.exchange.connection_confirm.serverqpn">());
    event.status = confirm->get<"rocescope.exchange.connection_confirm.status">();
  } else if (const auto ready = packet.header<ExchangeConnectionReady>()) {
    event.client_qpn = Qpn(ready->get<"rocescope.exchange.connection_ready.clientqpn">());
    event.server_qpn = Qpn(ready->get<"rocescope.exchange.connection_ready.serverqpn">());
  }
  return event;
}

}  // namespace rocescope
