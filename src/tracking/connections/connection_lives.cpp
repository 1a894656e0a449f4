// Connections of the same queue pairs, one after the other.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/connection_table.hpp"
#include "tracking/connections/doubt.hpp"

namespace rocescope {
namespace {

constexpr int kMostLives = 4;  // that are looked at
/// ns: both directions of a connection begin in less, and what one sends again comes in less.
constexpr std::int64_t kSameTime = 1'000'000'000;
constexpr std::int64_t kOvertaken = 50'000'000;  ///< ns: the same of a packet that is not sent again
/// ns: sooner, a packet that comes again is a copy that the capture made.
constexpr std::int64_t kCopyTime = 1'000'000;

/// A connection that both sides closed has no new requests: what does not go on with the old PSNs is of another one.
bool begins_after_close(const FlowPacket& packet, const ConnectionState& connection, std::size_t sender) noexcept {
  if (connection.life.get() == nullptr || !connection.life->closed || !packet.request) return false;
  const Requester& requester = *connection.requesters[sender];
  if (!requester.started()) return true;
  return std::abs(requester.next().distance_to(packet.psn)) > kNearPsns;
}

}  // namespace

void ConnectionTable::close(std::uint32_t number, std::int64_t time) {
  ConnectionState* const connection = at(number);
  if (connection == nullptr || connection->life->closed) return;
  Lifetime& life = connection->life.make();
  life.closed = true;
  life.closed_at = time;
}

/// Where a packet belongs that does not plainly go on from what was seen of its queue pairs; nothing: of a connection that
/// `known` made room for. One packet alone ends no connection, since anybody may have sent it: it is of a new one that
/// waits for a second packet.
ConnectionTable::Place ConnectionTable::find_life(const Place& known, const FlowPacket& packet) {
  ConnectionState& connection = *known.connection;
  if (begins_after_close(packet, connection, known.sender)) {
    detach(connection);
    return {};
  }
  const Fit fit = fit_of(packet, connection, known.sender);
  if (fit == Fit::kUsual) return known;
  const Place other = find_other(known, packet, fit);
  if (other.connection != nullptr && other.fit == Fit::kUsual) return other;
  if (other.connection != nullptr) {
    replace(connection, *other.connection);
    return {};
  }
  // With a doubt there are two packets that do not plainly go on from what was seen.
  const Doubt* const doubt = connection.life->doubt.get();
  if (fit == Fit::kDoubtful || (doubt != nullptr && !doubt->is_over(packet.time))) {
    return {&connection, known.sender, fit};
  }
  ConnectionState* const begun = begin(packet);
  if (begun == nullptr) return known;
  Lifetime& life = begun->life.make();
  life.other = connection.life->other;
  life.waits = true;
  life.source_port = packet.source_port;
  connection.life.make().other = begun->facts.number;
  return {begun, 0};
}

/// Another connection of the same queue pairs that a packet fits: one that they had before; or, with kNone, one that waits for
/// this packet. Null: none.
ConnectionTable::Place ConnectionTable::find_other(const Place& known, const FlowPacket& packet, Fit fit) {
  ConnectionState* other = at(known.connection->life->other);
  for (int i = 0; i < kMostLives && other != nullptr; ++i, other = at(other->life->other)) {
    const auto sender = sender_in(*other, known, packet.key);
    if (!sender) continue;
    const std::int64_t age = elapsed(other->facts.last_time, packet.time);
    const bool lately = age < kSameTime;
    if (!other->life->waits) {
      const bool overtaken = packet.transport == Transport::kUc ? age < kOvertaken : lately;
      if (fit == Fit::kNone && overtaken && is_near(packet, *other, *sender)) return {other, *sender};
      continue;
    }
    // A request and a response to other requests have nothing in common but the time.
    const bool agrees = is_near(packet, *other, *sender) || (lately && is_unknown(packet, *other, *sender));
    if (!agrees || (fit == Fit::kDoubtful && !lately)) continue;
    const bool is_copy =
        age < kCopyTime && *sender == 0 && packet.request && other->requesters[0]->has_seen(packet.psn);
    return {other, *sender, is_copy ? Fit::kUsual : Fit::kNone};
  }
  return {};
}

void ConnectionTable::divide(ConnectionState& old) {
  const std::unique_ptr<Doubt> doubt = std::move(old.life.make().doubt);
  ConnectionState* const begun = add(old.facts.transport, key_of(old, 0), doubt->since);
  if (begun == nullptr) return;
  detach(old);
  // The directions may have been paired since the doubt began.
  for (std::size_t i = 0; i < 2; ++i) {
    std::optional<Qpn>& qpn = doubt->fresh.facts.sides[doubt->side_of(i)].qpn;
    if (!qpn) qpn = old.facts.sides[i].qpn;
  }
  const bool paired = doubt->fresh.facts.sides[0].qpn && doubt->fresh.facts.sides[1].qpn;
  PairedBy& by = doubt->fresh.facts.paired_by;
  if (paired && by == PairedBy::kNothing) by = std::min(old.facts.paired_by, PairedBy::kPsn);
  const std::uint32_t slot = begun->slot;
  const std::uint32_t number = begun->facts.number;
  *begun = std::move(doubt->fresh);
  begun->slot = slot;
  begun->facts.number = number;
  old.facts = std::move(doubt->facts);
  old.uncounted = std::move(doubt->uncounted);
  for (std::size_t i = 0; i < 2; ++i) {
    if (doubt->marks[i]) {
      old.requesters[i].make().end_at(std::move(*doubt->marks[i]));
    } else {
      old.requesters[i] = {};
    }
    if (begun->facts.sides[1 - i].qpn) enter(key_of(*begun, i), *begun, i);
  }
  if (begun->facts.paired_by == PairedBy::kNothing) add_unpaired(*begun, 0);
  begun->life.make().other = old.facts.number;
}

/// The side of `other`, a connection of the queue pairs of `known`, that sends the packets of `key`, as `known.sender` does
/// there.
std::optional<std::size_t> ConnectionTable::sender_in(const ConnectionState& other, const Place& known,
                                                      const FlowKey& key) noexcept {
  const auto& sides = other.facts.sides;
  if (key_of(other, 0) == key) return 0;
  if (sides[0].qpn) return key_of(other, 1) == key ? std::optional<std::size_t>(1) : std::nullopt;
  const ConnectionState& connection = *known.connection;
  const std::size_t receiver = 1 - known.sender;
  const bool is_paired = connection.facts.sides[known.sender].qpn.has_value();
  return is_paired && key_of(other, 0) == key_of(connection, receiver) ? std::optional<std::size_t>(1) : std::nullopt;
}

/// The queue pairs of `old` are those of `begun` now, and of the connection that began in the other direction.
void ConnectionTable::replace(ConnectionState& old, ConnectionState& begun) {
  detach(old);
  const FlowKey key = key_of(begun, 0);
  admit(old, begun);
  ConnectionState* other = at(old.life->other);
  for (int i = 0; i < kMostLives && other != nullptr; ++i, other = at(other->life->other)) {
    if (!other->life->waits || key_of(*other, 0) == key) continue;
    if (elapsed(other->facts.last_time, begun.facts.first_time) > kSameTime) continue;
    return admit(old, *other);
  }
}

/// `begun`, which waited among those that came after `old`, has the queue pairs now.
void ConnectionTable::admit(ConnectionState& old, ConnectionState& begun) {
  ConnectionState* before = &old;
  while (at(before->life->other) != &begun) before = at(before->life->other);
  before->life.make().other = begun.life->other;
  Lifetime& life = begun.life.make();
  life.other = old.facts.number;
  life.waits = false;
  const FlowKey key = key_of(begun, 0);
  enter(key, begun, 0);
  add_unpaired(begun, life.source_port);
}

}  // namespace rocescope
