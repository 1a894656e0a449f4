#include "tracking/handshakes/cm_sessions.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/cm/connection.hpp"
#include "rocescope/headers/cm/path.hpp"
#include "rocescope/headers/cm/req.hpp"
#include "rocescope/headers/cm/sidr.hpp"
#include "rocescope/headers/mad.hpp"
#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

using enum HandshakeMessage;

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

/// Without the zeros at its end: no message says how many bytes of it the application wrote.
std::vector<std::uint8_t> trimmed(Bytes data) {
  std::size_t size = data.size();
  while (size > 0 && data[size - 1] == 0) --size;
  return {data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size)};
}

/// Service ID, addresses and private data of a REQ or SIDR_REQ.
template <class Message>
void read_service(const Message& message, Handshake& to) {
  to.service_id = message.service_id();
  to.p_key = message.p_key();
  if (const auto ip = message.ip_cm()) {
    to.ip = {ip->source(), ip->source_port(), ip->destination(), static_cast<std::uint16_t>(message.service_id())};
    to.sides[0].private_data = trimmed(ip->consumer_data());
  } else {
    to.sides[0].private_data = trimmed(message.private_data());
  }
}

void read(const CmReq& req, Handshake& to) {
  read_service(req, to);
  to.transport = transport_of(req);
  to.path_mtu = req.path_mtu();
  to.retry_count = req.retry_count();
  to.ack_timeout = req.local_ack_timeout_ns();
  to.max_cm_retries = req.max_cm_retries();
  HandshakeSide& side = to.sides[0];
  side.comm_id = req.local_comm_id();
  side.qpn = req.local_qpn();
  side.responder_resources = req.responder_resources();
  side.initiator_depth = req.initiator_depth();
  side.rnr_retry_count = req.rnr_retry_count();
  side.flow_control = req.end_to_end_flow_control();
  to.sides[1].first_psn = req.starting_psn();  // the first that the sender will receive
}

void read(const CmRep& rep, Handshake& to) {
  HandshakeSide& side = to.sides[1];
  side.comm_id = rep.local_comm_id();
  side.qpn = rep.local_qpn();
  side.responder_resources = rep.responder_resources();
  side.initiator_depth = rep.initiator_depth();
  side.rnr_retry_count = rep.rnr_retry_count();
  side.flow_control = rep.end_to_end_flow_control();
  side.private_data = trimmed(rep.private_data());
  to.sides[0].first_psn = rep.starting_psn();
}

ConnectionSetup setup_of(const Handshake& handshake, std::int64_t time) {
  ConnectionSetup setup{.method = PairedBy::kCm,
                        .transport = *handshake.transport,
                        .overlay_id = handshake.overlay_id,
                        .capture_point = handshake.capture_point,
                        .handshake = handshake.number,
                        .path_mtu = announced_mtu(handshake.path_mtu),
                        .time = time};
  const std::int64_t timeout = handshake.ack_timeout.value_or(0);
  setup.ack_timeouts = {timeout, timeout};
  for (std::size_t i = 0; i < 2; ++i) {
    setup.addresses[i] = handshake.sides[i].address;
    setup.qpns[i] = *handshake.sides[i].qpn;
    setup.first_psns[i] = handshake.sides[i].first_psn;
  }
  return setup;
}

/// Whether a request that has the IDs of `handshake` begins another one: nobody repeats a request that was answered, or after so
/// long. IDs come again when a host starts anew.
bool is_over(const Handshake& handshake, std::int64_t time) {
  constexpr std::int64_t kSettled = 50'000'000;            // ns
  constexpr std::int64_t kLongestRepeat = 18'000'000'000;  // four times the 4.3 s that are the longest in practice
  const auto is_end = [](const HandshakeStep& step) {
    return step.message == kRtu || step.message == kRej || step.message == kDrep || step.message == kSidrRep;
  };
  const bool ended = std::ranges::any_of(handshake.steps, is_end);
  return elapsed(HandshakeTable::last_time(handshake), time) > (ended ? kSettled : kLongestRepeat);
}

}  // namespace

std::optional<HandshakeNews> CmSessions::observe(const Packet& packet) {
  const auto mad = packet.header<Mad>();
  if (!mad || mad->management_class() != mad_class::kCommunication) return std::nullopt;
  switch (static_cast<CmMessage>(mad->attribute_id())) {
    case CmMessage::kReq:
      return on_req(packet);
    case CmMessage::kRep:
      return on_rep(packet);
    case CmMessage::kRej:
      return on_rej(packet);
    case CmMessage::kMra:
      return on_other<CmMra>(packet, kMra);
    case CmMessage::kRtu:
      return on_other<CmRtu>(packet, kRtu);
    case CmMessage::kDreq:
      return on_other<CmDreq>(packet, kDreq);
    case CmMessage::kDrep:
      return on_other<CmDrep>(packet, kDrep);
    case CmMessage::kLap:
      return on_other<CmLap>(packet, kLap);
    case CmMessage::kApr:
      return on_other<CmApr>(packet, kApr);
    case CmMessage::kSap:
      return on_other<CmSap>(packet, kSap);
    case CmMessage::kSpr:
      return on_other<CmSpr>(packet, kSpr);
    case CmMessage::kSidrReq:
      return on_sidr_req(packet);
    case CmMessage::kSidrRep:
      return on_sidr_rep(packet);
  }
  return std::nullopt;
}

HandshakeNews CmSessions::news(Handshake& handshake, HandshakeMessage message, std::size_t sender,
                               const Packet& packet) {
  return {.handshake = &handshake,
          .message = message,
          .sender = sender,
          .first = table_.note(handshake, message, sender, packet),
          .setup = {}};
}

std::optional<HandshakeNews> CmSessions::on_req(const Packet& packet) {
  const auto req = packet.header<CmReq>();
  if (!req) return std::nullopt;
  const std::uint64_t transaction = packet.header<Mad>()->transaction_id();
  const Key key{packet.source, packet.destination, packet.frame.capture_point, req->local_comm_id()};
  if (const Place* const known = sessions_.find(key)) {
    Handshake& handshake = table_.at(known->handshake);
    const bool same = handshake.transaction_id == transaction && handshake.sides[0].qpn == req->local_qpn();
    if (same && !is_over(handshake, packet.frame.timestamp)) {
      return news(handshake, kReq, 0, packet);
    }
  }
  Handshake* handshake = table_.add(HandshakeKind::kCm, packet);
  if (handshake == nullptr) return std::nullopt;
  sessions_[key] = {handshake->number, 0};
  handshake->transaction_id = transaction;
  read(*req, *handshake);
  return news(*handshake, kReq, 0, packet);
}

std::optional<HandshakeNews> CmSessions::on_rep(const Packet& packet) {
  const auto rep = packet.header<CmRep>();
  if (!rep) return std::nullopt;
  const Place* const asked =
      sessions_.find({packet.destination, packet.source, packet.frame.capture_point, rep->remote_comm_id()});
  Handshake* handshake = nullptr;
  if (asked != nullptr && asked->side == 0) {
    handshake = &table_.at(asked->handshake);
  } else {
    handshake = table_.add(HandshakeKind::kCm, packet);  // its REQ was not seen
    if (handshake == nullptr) return std::nullopt;
    std::swap(handshake->sides[0], handshake->sides[1]);
    handshake->sides[0].comm_id = rep->remote_comm_id();
    sessions_[{packet.destination, packet.source, packet.frame.capture_point, rep->remote_comm_id()}] = {
        handshake->number, 0};
  }
  const bool known = handshake->sides[1].comm_id.has_value();
  if (!known) {
    read(*rep, *handshake);
    sessions_[{packet.source, packet.destination, packet.frame.capture_point, rep->local_comm_id()}] = {
        handshake->number, 1};
  }
  HandshakeNews result = news(*handshake, kRep, 1, packet);
  const bool complete = handshake->transport && handshake->sides[0].qpn && handshake->sides[1].qpn;
  if (result.first && complete) result.setup = setup_of(*handshake, packet.frame.timestamp);
  return result;
}

std::pair<Handshake*, std::size_t> CmSessions::place(const Packet& packet, std::uint32_t local_id,
                                                     std::uint32_t remote_id) {
  // A REJ of a REQ may lack an ID of its sender, or have one that no earlier message had.
  const Place* const own = sessions_.find({packet.source, packet.destination, packet.frame.capture_point, local_id});
  if (own != nullptr) {
    Handshake& handshake = table_.at(own->handshake);
    const auto& other = handshake.sides[1 - own->side].comm_id;
    if (!other || *other == remote_id) return {&handshake, own->side};
  }
  const Place* const theirs =
      sessions_.find({packet.destination, packet.source, packet.frame.capture_point, remote_id});
  if (theirs != nullptr) {
    Handshake& handshake = table_.at(theirs->handshake);
    const std::size_t sender = 1 - theirs->side;
    const auto& id = handshake.sides[sender].comm_id;
    if (!id || local_id == 0 || *id == local_id) return {&handshake, sender};
  }
  Handshake* handshake = table_.add(HandshakeKind::kCm, packet);
  if (handshake == nullptr) return {nullptr, 0};
  handshake->sides[0].comm_id = local_id;
  handshake->sides[1].comm_id = remote_id;
  sessions_[{packet.source, packet.destination, packet.frame.capture_point, local_id}] = {handshake->number, 0};
  sessions_[{packet.destination, packet.source, packet.frame.capture_point, remote_id}] = {handshake->number, 1};
  return {handshake, 0};
}

template <class Message>
std::optional<HandshakeNews> CmSessions::on_other(const Packet& packet, HandshakeMessage message) {
  const auto header = packet.header<Message>();
  if (!header) return std::nullopt;
  const auto [handshake, sender] = place(packet, header->local_comm_id(), header->remote_comm_id());
  if (handshake == nullptr) return std::nullopt;
  if constexpr (requires { header->remote_qpn(); }) {
    auto& qpn = handshake->sides[1 - sender].qpn;
    if (!qpn) qpn = header->remote_qpn();
  }
  return news(*handshake, message, sender, packet);
}

std::optional<HandshakeNews> CmSessions::on_rej(const Packet& packet) {
  const auto rej = packet.header<CmRej>();
  if (!rej) return std::nullopt;
  auto result = on_other<CmRej>(packet, kRej);
  if (!result || !result->first) return result;
  const std::uint64_t number = packet.frame.number;
  const std::int64_t time = packet.frame.timestamp;
  result->handshake->reject = {static_cast<std::uint8_t>(result->sender), rej->message_rejected(), rej->reason(),
                               number, time};
  HandshakeSide& side = result->handshake->sides[result->sender];
  if (side.private_data.empty()) side.private_data = trimmed(rej->private_data());
  constexpr std::uint16_t kStale = 10;  // IBTA 12.6.7.2
  table_.sightings().add(rej->reason() == kStale ? FindingId::kStaleConnection : FindingId::kCmReject, number, time);
  return result;
}

std::optional<HandshakeNews> CmSessions::on_sidr_req(const Packet& packet) {
  const auto req = packet.header<CmSidrReq>();
  if (!req) return std::nullopt;
  const std::uint64_t transaction = packet.header<Mad>()->transaction_id();
  const Key key{packet.source, packet.destination, packet.frame.capture_point, req->request_id(), true};
  if (const Place* const known = sessions_.find(key)) {
    Handshake& handshake = table_.at(known->handshake);
    const bool same = handshake.transaction_id == transaction;
    if (same && !is_over(handshake, packet.frame.timestamp)) return news(handshake, kSidrReq, 0, packet);
  }
  Handshake* handshake = table_.add(HandshakeKind::kSidr, packet);
  if (handshake == nullptr) return std::nullopt;
  sessions_[key] = {handshake->number, 0};
  handshake->transaction_id = transaction;
  handshake->transport = Transport::kUd;
  handshake->sides[0].comm_id = req->request_id();
  read_service(*req, *handshake);
  return news(*handshake, kSidrReq, 0, packet);
}

std::optional<HandshakeNews> CmSessions::on_sidr_rep(const Packet& packet) {
  const auto rep = packet.header<CmSidrRep>();
  if (!rep) return std::nullopt;
  const Key key{packet.destination, packet.source, packet.frame.capture_point, rep->request_id(), true};
  const Place* const known = sessions_.find(key);
  Handshake* handshake = nullptr;
  if (known != nullptr) {
    handshake = &table_.at(known->handshake);
  } else {
    handshake = table_.add(HandshakeKind::kSidr, packet);
    if (handshake == nullptr) return std::nullopt;
    std::swap(handshake->sides[0], handshake->sides[1]);
    sessions_[key] = {handshake->number, 0};
  }
  HandshakeNews result = news(*handshake, kSidrRep, 1, packet);
  if (!result.first) return result;
  HandshakeSide& side = handshake->sides[1];
  side.comm_id = rep->request_id();
  if (rep->status() == 0) {
    side.qpn = rep->qpn();
  } else {
    handshake->reject = {1, 0, rep->status(), packet.frame.number, packet.frame.timestamp};
    table_.sightings().add(FindingId::kCmReject, packet.frame.number, packet.frame.timestamp);
  }
  side.private_data = trimmed(rep->private_data());
  return result;
}

}  // namespace rocescope
