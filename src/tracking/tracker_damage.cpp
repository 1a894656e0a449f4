// Packets with a wrong ICRC: which of them were damaged on their way, and what is taken back when that shows later.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tracking/connections/doubt.hpp"
#include "tracking/tracker_implementation.hpp"

namespace rocescope {
namespace {

/// What was taken for packets of `side` was none, and is no evidence of another connection either.
void forget_packets(ConnectionState& connection, std::size_t side) {
  if (connection.life.get() != nullptr) connection.life.make().doubt.reset();
  connection.forget_packets(side);
}

}  // namespace

/// A damaged packet makes nothing, since none of its fields can be relied on. A host that sent no right packet yet
/// sends without ICRCs, as far as is known. So does a queue pair that sent many wrong packets in a row, and no right
/// one. Where the packets of a host show that the host sends without ICRCs, its queue pairs need not show it one by
/// one.
bool Tracker::Implementation::is_damaged(const Packet& packet, std::uint32_t hint) {
  const bool good_host = senders_.is_good(packet);
  const ConnectionTable::Place known = table_.find_existing(FlowKey::of(packet), hint);
  if (known.connection != nullptr) {
    std::uint8_t& wrong = known.connection->wrong_icrcs[known.sender];
    if (wrong == ConnectionState::kHadGoodIcrc) return true;
    if (wrong > 0 && senders_.sends_without(packet)) wrong = ConnectionState::kSendsWithoutIcrc;
    if (wrong < ConnectionState::kSendsWithoutIcrc) ++wrong;
    if (good_host) return wrong < ConnectionState::kSendsWithoutIcrc;
    if (wrong == ConnectionState::kSendsWithoutIcrc) senders_.note_without(packet);
  } else if (good_host || is_of_other_sender(packet)) {
    return true;
  } else {
    strays_.add(packet);  // it may turn out to be damaged
  }
  senders_.believe(packet);
  return false;
}

/// Whether the queue pair that a packet of an unknown host goes to has its peer: then the source address is what is damaged.
bool Tracker::Implementation::is_of_other_sender(const Packet& packet) {
  FlowKey key = FlowKey::of(packet);
  return senders_.any_good(packet, [&](const IpAddress& address) {
    key.source = address;
    const ConnectionTable::Place known = table_.find_existing(key);
    return known.connection != nullptr && known.connection->wrong_icrcs[known.sender] == ConnectionState::kHadGoodIcrc;
  });
}

/// Counts a damaged packet where its flow is known.
void Tracker::Implementation::place_damaged(TrackedPacket& tracked, std::uint32_t hint) {
  const Packet& packet = tracked.packet();
  tracked.verdict.damaged = true;
  const ConnectionTable::Place place = table_.find_existing(FlowKey::of(packet), hint);
  if (place.connection == nullptr) return strays_.add(packet);
  tracked.connection = &place.connection->facts;
  tracked.state = place.connection;
  tracked.sender = place.sender;
  tracked.verdict.connection = place.connection->facts.number;
  const OpcodeInfo& opcode = *packet.roce.opcode;
  const bool plausible = opcode.transport == place.connection->facts.transport &&
                         opcode.operation != Operation::kReserved && opcode.operation != Operation::kCnp;
  const bool request = plausible ? opcode.request : place.connection->requesters[place.sender]->started();
  tracked.requester = request ? place.sender : 1 - place.sender;
  follow(tracked, news_);
  if (tracked.is_astray) strays_.add(packet);
}

void Tracker::Implementation::adopt_strays(const TrackedPacket& tracked) {
  const RocePacket& roce = tracked.packet().roce;
  const bool request = roce.opcode->request;
  const std::size_t side = request ? tracked.sender : 1 - tracked.sender;
  Requester* const requester = tracked.state->requesters[side].get();
  if (requester == nullptr || (request && roce.psn == requester->next())) return;
  // A request shows that those before it were sent, an answer that what it answers was.
  const Psn end = request || (tracked.aeth && tracked.aeth->kind() != AethKind::kAck) ? roce.psn : roce.psn + 1;
  const bool response = roce.opcode->operation == Operation::kReadResponse;
  const bool shows_requests = request || requester->next().before(end);
  const Connection& connection = *tracked.connection;
  strays_.adopt([&](const Strays::Stray& stray) {
    if (shows_requests && stray.may_be_of(connection, side) &&
        requester->adopt_corrupt(stray.request, end, stray.is_of(connection, side))) {
      return true;
    }
    return response && stray.may_be_of(connection, 1 - side) &&
           requester->adopt_corrupt_response(stray.request.psn, roce.psn);
  });
}

/// The first packet of its side with a right ICRC. Those before it that were followed all the same had been damaged.
void Tracker::Implementation::note_good_icrc(const Packet& packet, ConnectionState* current, std::size_t sender) {
  if (senders_.add_good(packet)) {
    retract_handshakes(packet, current);
    retract(packet, current);
  }
  if (current != nullptr) current->wrong_icrcs[sender] = ConnectionState::kHadGoodIcrc;
}

void Tracker::Implementation::retract(const Packet& packet, const ConnectionState* current) {
  for (ConnectionState* const connection : table_.all()) {
    Connection& facts = connection->facts;
    if (facts.overlay_id != packet.overlay_id) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint8_t wrong = connection->wrong_icrcs[side];
      const bool its = facts.sides[side].address == packet.source;
      if (!its || wrong == 0 || wrong >= ConnectionState::kSendsWithoutIcrc) continue;
      Sighting damaged{.id = FindingId::kIcrcBad};
      Sightings& sightings = facts.sides[side].sightings;
      if (const Sighting* const bad = sightings.find(FindingId::kIcrcBadAllTx)) damaged.seen = bad->seen;
      sightings = {};  // they rest on what these packets show
      sightings.merge(damaged);
      connection->wrong_icrcs[side] = 0;
      forget_packets(*connection, side);
      const bool alone = facts.paired_by == PairedBy::kNothing && facts.handshake == 0;
      if (connection == current || !alone || connection->packets(1 - side) > 0) continue;
      unplaced_.sightings.merge(damaged);
      drop(*connection);
      break;
    }
  }
}

/// Of a handshake in which the host said something, that was wrong.
void Tracker::Implementation::retract_handshakes(const Packet& packet, const ConnectionState* current) {
  const auto is_sure = [](std::uint8_t wrong) { return wrong >= ConnectionState::kSendsWithoutIcrc; };
  for (const Handshake& handshake : setups_.table().handshakes()) {
    const bool believed = std::ranges::any_of(handshake.steps, [&](const HandshakeStep& step) {
      return handshake.sides[step.sender].address == packet.source;
    });
    if (handshake.kind == HandshakeKind::kOob || handshake.overlay_id != packet.overlay_id || !believed) continue;
    const ConnectionState* const made = table_.at(handshake.connection);
    if (made != nullptr && std::ranges::any_of(made->wrong_icrcs, is_sure)) continue;
    for (ConnectionState* const connection : table_.all()) {
      if (connection->facts.handshake != handshake.number) continue;
      connection->facts.handshake = 0;
      connection->facts.path_mtu = 0;
      for (std::size_t side = 0; side < 2; ++side) forget_packets(*connection, side);
      if (connection != current && !has_packets(connection->facts)) drop(*connection);
    }
    (void)setups_.table().take(handshake.number);
  }
  setups_.forget_taken();
}

/// The connection never was: what it has is no evidence.
void Tracker::Implementation::drop(ConnectionState& connection) {
  for (std::size_t side = 0; side < 2; ++side) forget_packets(connection, side);
  forget(connection.facts, connection);
  (void)table_.take(connection.facts.number);
}

}  // namespace rocescope
