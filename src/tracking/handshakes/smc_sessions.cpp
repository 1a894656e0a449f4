#include "tracking/handshakes/smc_sessions.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/smc_clc.hpp"
#include "rocescope/headers/transport.hpp"
#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

HandshakeStep clc_step(HandshakeMessage message, std::size_t sender, const Packet& packet) {
  const std::uint64_t number = packet.frame.number;
  const std::int64_t time = packet.frame.timestamp;
  return {.message = message,
          .sender = static_cast<std::uint8_t>(sender),
          .count = 1,
          .packet = number,
          .time = time,
          .last_packet = number,
          .last_time = time};
}

/// That of a CLC message, whose sender is the client (0) or the server (1).
TcpConnection connection_of(const Packet& packet, std::size_t sender) {
  return TcpConnection::of(packet, *packet.header<Tcp>(), sender == 1);
}

}  // namespace

std::optional<HandshakeNews> SmcSessions::observe(const Packet& packet) {
  if (packet.find(HeaderKind::kSmcProposal) != nullptr) {
    Stream& begun = streams_.at(connection_of(packet, 0));
    const std::uint32_t sequence = packet.header<Tcp>()->get<"tcp.seq_raw">();
    if (begun.proposal == sequence) return std::nullopt;  // it comes again
    begun = Stream{.proposal = sequence};
    begun.steps.push_back(clc_step(HandshakeMessage::kClcProposal, 0, packet));
  } else if (const auto accept = packet.header<SmcAccept>()) {
    Stream& known = streams_.at(connection_of(packet, 1));
    if (known.server || known.handshake != 0) return std::nullopt;  // it comes again
    known.server = End{.gid = IpAddress::v6(accept->get<"smc.accept.server.preferred.gid">()),
                       .qpn = Qpn(accept->get<"smc.accept.server.qp.number">()),
                       .first_psn = Psn(accept->get<"smc.accept.initial.psn">()),
                       .path_mtu = mtu_bytes(accept->get<"smc.accept.qp.mtu.value">()),
                       .r_key = accept->get<"smc.accept.server.rmb.rkey">(),
                       .address = accept->get<"smc.accept.server.rmb.virtual.address">(),
                       .is_first_contact = accept->get<"rocescope.smc.clc.first">()};
    known.steps.push_back(clc_step(HandshakeMessage::kClcAccept, 1, packet));
  } else if (const auto said = packet.header<SmcConfirm>()) {
    Stream* const known = streams_.find(connection_of(packet, 0));
    if (known == nullptr) return std::nullopt;
    return confirm(*known,
                   {.gid = IpAddress::v6(said->get<"smc.client.gid">()),
                    .qpn = Qpn(said->get<"smc.confirm.client.qp.number">()),
                    .first_psn = Psn(said->get<"smc.initial.psn">()),
                    .path_mtu = mtu_bytes(said->get<"smc.confirm.qp.mtu.value">()),
                    .r_key = said->get<"smc.confirm.client.rmb.rkey">(),
                    .address = said->get<"smc.client.rmb.virtual.address">()},
                   packet);
  } else if (const auto refusal = packet.header<SmcDecline>()) {
    return decline(refusal->get<"smc.peer.diag.info">(), packet);
  }
  return std::nullopt;
}

std::optional<HandshakeNews> SmcSessions::confirm(Stream& stream, const End& client, const Packet& packet) {
  const bool is_usable = stream.server && stream.server->is_first_contact && stream.handshake == 0;
  if (!is_usable || client.qpn.value() == 0 || stream.server->qpn.value() == 0) return std::nullopt;
  Handshake* const handshake = table_.add(HandshakeKind::kOob, packet);
  if (handshake == nullptr) return std::nullopt;
  stream.handshake = handshake->number;
  handshake->line_form = KeyLineForm::kSmcR;
  if (client.path_mtu != 0 && stream.server->path_mtu != 0)
    handshake->path_mtu = std::min(client.path_mtu, stream.server->path_mtu);
  handshake->steps = std::move(stream.steps);
  handshake->steps.push_back(clc_step(HandshakeMessage::kClcConfirm, 0, packet));
  ConnectionSetup setup{.method = PairedBy::kOob,
                        .overlay_id = packet.overlay_id,
                        .capture_point = packet.frame.capture_point,
                        .handshake = handshake->number,
                        .path_mtu = announced_mtu(handshake->path_mtu),
                        .time = packet.frame.timestamp,
                        .since = handshake->steps.front().time};
  const std::array<const End*, 2> ends{&client, &*stream.server};
  for (std::size_t i = 0; i < 2; ++i) {
    const End& end = *ends[i];
    HandshakeSide& side = handshake->sides[i];
    side.address = setup.addresses[i] = end.gid;
    side.qpn = setup.qpns[i] = end.qpn;
    side.first_psn = setup.first_psns[i] = end.first_psn;
    const HandshakeStep& from = handshake->steps[handshake->steps.size() - 1 - i];
    side.region = {.address = end.address, .r_key = end.r_key, .length = 0, .packet = from.packet, .proof = {}};
    table_.sightings().add(FindingId::kRkeyInClear, from.packet, from.time);
  }
  return HandshakeNews{
      .handshake = handshake, .message = HandshakeMessage::kClcConfirm, .sender = 0, .first = true, .setup = setup};
}

/// Where nothing else was seen of the connection, takes the server for the side that declines: mostly it is.
std::optional<HandshakeNews> SmcSessions::decline(std::uint32_t diagnosis, const Packet& packet) {
  const std::size_t sender = streams_.find(connection_of(packet, 0)) != nullptr ? 0 : 1;
  Stream& known = streams_.at(connection_of(packet, sender));
  // A side answers a Decline with one of its own.
  if (std::exchange(known.is_declined, true)) return std::nullopt;
  Handshake* handshake = table_.has(known.handshake) ? &table_.at(known.handshake) : nullptr;
  if (handshake == nullptr) handshake = table_.add(HandshakeKind::kOob, packet);
  if (handshake == nullptr) return std::nullopt;
  if (known.handshake != handshake->number) {
    known.handshake = handshake->number;
    handshake->line_form = KeyLineForm::kSmcR;
    handshake->sides[sender].address = packet.source;
    handshake->sides[1 - sender].address = packet.destination;
    handshake->steps = std::move(known.steps);
  }
  handshake->steps.push_back(clc_step(HandshakeMessage::kClcDecline, sender, packet));
  handshake->reject = {.sender = static_cast<std::uint8_t>(sender),
                       .reason = diagnosis,
                       .packet = packet.frame.number,
                       .time = packet.frame.timestamp};
  return HandshakeNews{
      .handshake = handshake, .message = HandshakeMessage::kClcDecline, .sender = sender, .first = true, .setup = {}};
}

}  // namespace rocescope
