#include "tracking/handshakes/exchange_sessions.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "tracking/connections/path_mtu.hpp"

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

void ExchangeSessions::observe(const SendPayload& payload) {
  constexpr std::uint8_t kVersion = 1;
  const auto exchange = Exchange::parse(payload.bytes);
  if (!exchange || exchange->magic() != kExchangeKey || exchange->version() != kVersion) return;
  news_ = read(exchange->type(), payload.bytes.subspan(Exchange::kSize), *payload.record->packet);
}

std::optional<HandshakeNews> ExchangeSessions::read(ExchangeType type, Bytes message, const Packet& packet) {
  switch (type) {
    case ExchangeType::kQpCreateReq:
      on_create(packet, kQpCreateReq, ExchangeQpCreateReq::parse(message));
      return std::nullopt;
    case ExchangeType::kQpCreateResp:
      on_create(packet, kQpCreateResp, ExchangeQpCreateResp::parse(message));
      return std::nullopt;
    case ExchangeType::kMrRegisterReq:
      if (const auto m = ExchangeMrRegisterReq::parse(message)) {
        on_register(packet, m->get<"rocescope.exchange.mr_register_req.va">(),
                    m->get<"rocescope.exchange.mr_register_req.length">());
      }
      return std::nullopt;
    case ExchangeType::kMrRegisterResp:
      if (const auto m = ExchangeMrRegisterResp::parse(message)) {
        on_register(packet, m->get<"rocescope.exchange.mr_register_resp.va">(),
                    m->get<"rocescope.exchange.mr_register_resp.length">());
      }
      return std::nullopt;
    case ExchangeType::kConnectionReq:
      if (const auto m = ExchangeConnectionReq::parse(message)) return on_connect(packet, *m, kConnectionReq, 0);
      return std::nullopt;
    case ExchangeType::kConnectionAccept:
      if (const auto m = ExchangeConnectionAccept::parse(message)) return on_connect(packet, *m, kConnectionAccept, 1);
      return std::nullopt;
    case ExchangeType::kConnectionConfirm:
      if (const auto m = ExchangeConnectionConfirm::parse(message))
        return on_connect(packet, *m, kConnectionConfirm, 0);
      return std::nullopt;
    case ExchangeType::kConnectionReady:
      if (const auto m = ExchangeConnectionReady::parse(message)) return on_connect(packet, *m, kConnectionReady, 1);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

template <class Create>
void ExchangeSessions::on_create(const Packet& packet, HandshakeMessage message, const std::optional<Create>& create) {
  if (!create) return;
  CreatedQp created{.step = {.message = message,
                             .sender = static_cast<std::uint8_t>(message == kQpCreateReq ? 0 : 1),
                             .count = 1,
                             .packet = packet.frame.number,
                             .time = packet.frame.timestamp,
                             .last_packet = packet.frame.number,
                             .last_time = packet.frame.timestamp}};
  std::uint32_t qpn = 0;
  if constexpr (std::is_same_v<Create, ExchangeQpCreateReq>) {
    qpn = create->template get<"rocescope.exchange.qp_create_req.qpn">();
    created.type = create->template get<"rocescope.exchange.qp_create_req.type">();
    created.first_psn = Psn(create->template get<"rocescope.exchange.qp_create_req.startpsn">());
    created.path_mtu = create->template get<"rocescope.exchange.qp_create_req.mtu">();
  } else {
    qpn = create->template get<"rocescope.exchange.qp_create_resp.qpn">();
    created.type = create->template get<"rocescope.exchange.qp_create_resp.type">();
    created.first_psn = Psn(create->template get<"rocescope.exchange.qp_create_resp.startpsn">());
    created.path_mtu = create->template get<"rocescope.exchange.qp_create_resp.mtu">();
  }
  if (created_.size() >= kMostRemembered) created_.clear();
  created_[{packet.source, packet.destination, packet.frame.capture_point, qpn}] = created;
}

void ExchangeSessions::on_register(const Packet& packet, std::uint64_t address, std::uint64_t length) {
  if (regions_.size() >= kMostRemembered) regions_.clear();
  AnnouncedRegion region{.packet = packet.frame.number};
  region.address = address;
  region.length = length;
  regions_[{packet.source, packet.destination, packet.frame.capture_point, sending_qp(packet)}] = region;
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
  const auto qp =
      created_.find({to.address, handshake.sides[1 - side].address, handshake.capture_point, to.qpn->value()});
  if (qp == created_.end()) return;
  to.first_psn = qp->second.first_psn;
  handshake.path_mtu = qp->second.path_mtu;  // both say the same
  handshake.transport = transport_of(qp->second.type);
  handshake.steps.push_back(qp->second.step);
  created_.erase(qp);
}

void ExchangeSessions::set_region(Handshake& handshake, std::size_t side, std::uint32_t r_key, std::uint32_t ud_qpn) {
  const auto region = regions_.find(
      {handshake.sides[side].address, handshake.sides[1 - side].address, handshake.capture_point, ud_qpn});
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
  const Key key{client_address, server_address, packet.frame.capture_point, client.value()};
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
                        .capture_point = handshake.capture_point,
                        .handshake = handshake.number,
                        .path_mtu = announced_mtu(handshake.path_mtu),
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
