#include "setup_watcher.hpp"

#include "rocescope/headers/cm_rep.hpp"
#include "rocescope/headers/cm_req.hpp"
#include "rocescope/headers/exchange_connection.hpp"
#include "rocescope/headers/exchange_create.hpp"

namespace rocescope {
namespace {

std::optional<Transport> transport_of(const CmReq& req) {
  if (req.xrc()) return Transport::kXrc;
  switch (req.transport()) {
    case CmTransport::kRc:
      return Transport::kRc;
    case CmTransport::kUc:
      return Transport::kUc;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ConnectionSetup> SetupWatcher::add(const Packet& packet) {
  const auto setup = add_cm(packet);
  return setup ? setup : add_exchange(packet);
}

std::optional<ConnectionSetup> SetupWatcher::add_cm(const Packet& packet) {
  if (const auto req = packet.header<CmReq>()) {
    const auto transport = transport_of(*req);
    if (!transport || requested_.size() >= kMostPending) return std::nullopt;
    ConnectionSetup setup{.method = PairedBy::kCm, .transport = *transport, .overlay_id = packet.overlay_id};
    setup.addresses = {packet.source, packet.destination};
    setup.qpns[0] = req->local_qpn();
    setup.first_psns[1] = req->starting_psn();
    setup.path_mtu = req->path_mtu();
    setup.ack_timeouts = {req->local_ack_timeout_ns(), req->local_ack_timeout_ns()};
    requested_.try_emplace({packet.source, packet.destination, req->local_comm_id()}, setup);
    return std::nullopt;
  }
  const auto rep = packet.header<CmRep>();
  if (!rep) return std::nullopt;
  const auto found = requested_.find({packet.destination, packet.source, rep->remote_comm_id()});
  if (found == requested_.end()) return std::nullopt;
  ConnectionSetup setup = found->second;
  setup.qpns[1] = rep->local_qpn();
  setup.first_psns[0] = rep->starting_psn();
  setup.cm_ids = (std::uint64_t{rep->remote_comm_id()} << 32) | rep->local_comm_id();
  setup.time = packet.frame.timestamp;
  return setup;
}

std::optional<ConnectionSetup> SetupWatcher::add_exchange(const Packet& packet) {
  const auto create = [&](std::uint32_t qpn, std::uint32_t psn, std::uint32_t path_mtu) {
    if (created_.size() < kMostPending) created_[{packet.source, packet.destination, qpn}] = {Psn(psn), path_mtu};
  };
  if (const auto req = packet.header<ExchangeQpCreateReq>()) {
    create(req->get<"rocescope.exchange.qp_create_req.qpn">(), req->get<"rocescope.exchange.qp_create_req.startpsn">(),
           req->get<"rocescope.exchange.qp_create_req.mtu">());
  } else if (const auto resp = packet.header<ExchangeQpCreateResp>()) {
    create(resp->get<"rocescope.exchange.qp_create_resp.qpn">(),
           resp->get<"rocescope.exchange.qp_create_resp.startpsn">(),
           resp->get<"rocescope.exchange.qp_create_resp.mtu">());
  }
  const auto accept = packet.header<ExchangeConnectionAccept>();
  if (!accept || accept->get<"rocescope.exchange.connection_accept.status">() != 0) return std::nullopt;

  ConnectionSetup setup{.method = PairedBy::kExchange, .overlay_id = packet.overlay_id, .time = packet.frame.timestamp};
  setup.addresses = {packet.destination, packet.source};  // the client first; the server accepts
  setup.qpns = {Qpn(accept->get<"rocescope.exchange.connection_accept.clientqpn">()),
                Qpn(accept->get<"rocescope.exchange.connection_accept.serverqpn">())};
  const auto timeout = local_ack_timeout_ns(accept->get<"rocescope.exchange.connection_accept.timeout">());
  setup.ack_timeouts = {timeout, timeout};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto qp = created_.find({setup.addresses[i], setup.addresses[1 - i], setup.qpns[i].value()});
    if (qp == created_.end()) continue;
    setup.first_psns[i] = qp->second.first_psn;
    setup.path_mtu = qp->second.path_mtu;
  }
  return setup;
}

}  // namespace rocescope
