#include "tracking/handshakes/exchange_sessions.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/headers/cm_names.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/headers/extended_transport.hpp"

namespace rocescope {
namespace {

using enum HandshakeMessage;

std::optional<Transport> transport_of(std::uint8_t qp_type) {
  switch (qp_type) {
    case 1:
      return Transport::kRc;
    case 2:
      return Transport::kUc;
    case 3:
      return Transport::kUd;
    default:
      return std::nullopt;
  }
}

std::uint32_t sending_qp(const Packet& packet) {
  const auto deth = packet.header<Deth>();
  return deth ? deth->src_qp().value() : 0;
}

}  // namespace

std::optional<HandshakeNews> ExchangeSessions::observe(const Packet& packet) {
  const auto exchange = packet.header<Exchange>();
  if (!exchange) return std::nullopt;
  switch (exchange->type()) {
    case ExchangeType::kQpCreateReq:
    case ExchangeType::kQpCreateResp:
      on_create(packet);
      return std::nullopt;
    case ExchangeType::kMrRegisterReq:
    case ExchangeType::kMrRegisterResp:
      on_register(packet);
      return std::nullopt;
    case ExchangeType::kConnectionReq:
      if (const auto m = packet.header<ExchangeConnectionReq>()) return on_connect(packet, *m, kConnectionReq, 0);
      return std::nullopt;
    case ExchangeType::kConnectionAccept:
      if (const auto m = packet.header<ExchangeConnectionAccept>()) return on_connect(packet, *m, kConnectionAccept, 1);
      return std::nullopt;
    case ExchangeType::kConnectionConfirm:
      if (const auto m = packet.header<ExchangeConnectionConfirm>()) {
        return on_connect(packet, *m, kConnectionConfirm, 0);
      }
      return std::nullopt;
    case ExchangeType::kConnectionReady:
      if (const auto m = packet.header<ExchangeConnectionReady>()) return on_connect(packet, *m, kConnectionReady, 1);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

void ExchangeSessions::on_create(const Packet& packet) {
  const auto remember = [&](HandshakeMessage message, std::uint32_t qpn, std::uint8_t type, std::uint32_t psn,
                            std::uint32_t path_mtu) {
    if (created_.size() >= kMostRemembered) created_.clear();
    const HandshakeStep step{.message = message,
                             .sender = static_cast<std::uint8_t>(message == kQpCreateReq ? 0 : 1),
                             .count = 1,
                             .packet = packet.frame.number,
                             .time = packet.frame.timestamp,
                             .last_packet = packet.frame.number,
                             .last_time = packet.frame.timestamp};
    created_[{packet.source, packet.destination, qpn}] = {type, Psn(psn), path_mtu, step};
  };
  if (const auto req = packet.header<ExchangeQpCreateReq>()) {
    remember(kQpCreateReq, req->get<"rocescope.exchange.qp_create_req.qpn">(),
             req->get<"rocescope.exchange.qp_create_req.type">(),
             req->get<"rocescope.exchange.qp_create_req.startpsn">(),
             req->get<"rocescope.exchange.qp_create_req.mtu">());
  } else if (const auto resp = packet.header<ExchangeQpCreateResp>()) {
    remember(kQpCreateResp, resp->get<"rocescope.exchange.qp_create_resp.qpn">(),
             resp->get<"rocescope.exchange.qp_create_resp.type">(),
             resp->get<"rocescope.exchange.qp_create_resp.startpsn">(),
             resp->get<"rocescope.exchange.qp_create_resp.mtu">());
  }
}

void ExchangeSessions::on_register(const Packet& packet) {
  AnnouncedRegion region{.packet = packet.frame.number};
  if (const auto req = packet.header<ExchangeMrRegisterReq>()) {
    region.address = req->get<"rocescope.exchange.mr_register_req.va">();
    region.length = req->get<"rocescope.exchange.mr_register_req.length">();
  } else if (const auto resp = packet.header<ExchangeMrRegisterResp>()) {
    region.address = resp->get<"rocescope.exchange.mr_register_resp.va">();
    region.length = resp->get<"rocescope.exchange.mr_register_resp.length">();
  } else {
    return;
  }
  if (regions_.size() >= kMostRemembered) regions_.clear();
  regions_[{packet.source, packet.destination, sending_qp(packet)}] = region;
}

Handshake* ExchangeSessions::begin(const Packet& packet, std::size_t sender, Qpn client, Qpn server) {
  Handshake* handshake = table_.add(HandshakeKind::kExchange, packet);
  if (handshake == nullptr) return nullptr;
  if (sender == 1) std::swap(handshake->sides[0], handshake->sides[1]);
  handshake->sides[0].qpn = client;
  handshake->sides[1].qpn = server;
  set_side(*handshake, 0);
  set_side(*handshake, 1);
  return handshake;
}

/// What its QP_CREATE message said.
void ExchangeSessions::set_side(Handshake& handshake, std::size_t side) {
  HandshakeSide& to = handshake.sides[side];
  const auto qp = created_.find({to.address, handshake.sides[1 - side].address, to.qpn->value()});
  if (qp == created_.end()) return;
  to.first_psn = qp->second.first_psn;
  handshake.path_mtu = qp->second.path_mtu;  // both say the same
  handshake.transport = transport_of(qp->second.type);
  handshake.steps.push_back(qp->second.step);
  created_.erase(qp);
}

void ExchangeSessions::set_region(Handshake& handshake, std::size_t side, std::uint32_t r_key, std::uint32_t ud_qpn) {
  const auto region = regions_.find({handshake.sides[side].address, handshake.sides[1 - side].address, ud_qpn});
  if (region == regions_.end() || r_key == 0) return;
  handshake.sides[side].region = region->second;
  handshake.sides[side].region->r_key = r_key;
}

template <class Connect>
std::optional<HandshakeNews> ExchangeSessions::on_connect(const Packet& packet, const Connect& connect,
                                                          HandshakeMessage message, std::size_t sender) {
  // Number by number, in the order of the fields: the tables name them after their message.
  const std::uint8_t* const data = connect.bytes().data();
  const Qpn client(static_cast<std::uint32_t>(load_bits(data, 0, 32)));
  const Qpn server(static_cast<std::uint32_t>(load_bits(data, 32, 32)));
  const IpAddress& client_address = sender == 0 ? packet.source : packet.destination;
  const IpAddress& server_address = sender == 0 ? packet.destination : packet.source;
  const Key key{client_address, server_address, client.value()};
  const auto known = sessions_.find(key);
  Handshake* handshake = known == sessions_.end() ? nullptr : &table_.at(known->second);
  // A queue pair that is created once more is connected once more.
  const bool again = handshake != nullptr && created_.contains(key);
  if (handshake == nullptr || again || handshake->sides[1].qpn != server) {
    handshake = begin(packet, sender, client, server);
    if (handshake == nullptr) return std::nullopt;
    sessions_[key] = handshake->number;
  }
  HandshakeNews news{.handshake = handshake,
                     .message = message,
                     .sender = sender,
                     .first = table_.note(*handshake, message, sender, packet),
                     .setup = {}};
  if (!news.first) return news;
  if constexpr (std::is_same_v<Connect, ExchangeConnectionReq>) {
    handshake->retry_count = connect.template get<"rocescope.exchange.connection_req.retrycount">();
    handshake->ack_timeout = local_ack_timeout_ns(connect.template get<"rocescope.exchange.connection_req.timeout">());
    handshake->sides[0].rnr_retry_count = handshake->sides[1].rnr_retry_count =
        connect.template get<"rocescope.exchange.connection_req.rnrretry">();
    set_region(*handshake, 0, connect.template get<"rocescope.exchange.connection_req.clientrkey">(),
               sending_qp(packet));
    set_region(*handshake, 1, connect.template get<"rocescope.exchange.connection_req.serverrkey">(),
               packet.roce.dest_qp.value());
  }
  if constexpr (std::is_same_v<Connect, ExchangeConnectionAccept>) {
    const std::uint32_t status = connect.template get<"rocescope.exchange.connection_accept.status">();
    if (status != 0) {
      handshake->reject = {1, 0, status, packet.frame.number, packet.frame.timestamp};
      table_.sightings().add(FindingId::kCmReject, packet.frame.number, packet.frame.timestamp);
      return news;
    }
    if (!handshake->ack_timeout) {
      handshake->ack_timeout =
          local_ack_timeout_ns(connect.template get<"rocescope.exchange.connection_accept.timeout">());
    }
    if (handshake->transport != Transport::kUd) news.setup = setup_of(*handshake, packet.frame.timestamp);
  }
  return news;
}

ConnectionSetup ExchangeSessions::setup_of(const Handshake& handshake, std::int64_t time) {
  const std::int64_t timeout = handshake.ack_timeout.value_or(0);
  ConnectionSetup setup{.method = PairedBy::kExchange,
                        .transport = handshake.transport.value_or(Transport::kRc),
                        .overlay_id = handshake.overlay_id,
                        .handshake = handshake.number,
                        .path_mtu = handshake.path_mtu,
                        .ack_timeouts = {timeout, timeout},
                        .time = time};
  for (std::size_t i = 0; i < 2; ++i) {
    setup.addresses[i] = handshake.sides[i].address;
    setup.qpns[i] = *handshake.sides[i].qpn;
    setup.first_psns[i] = handshake.sides[i].first_psn;
  }
  return setup;
}

}  // namespace rocescope
