#include "tracking/connections/connection_table.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {
namespace {

/// Whether fit_of() need not be asked: nearly all packets go on from what was just seen. A damaged one shows nothing.
bool is_usual(const FlowPacket& packet, const ConnectionState& connection, std::size_t sender) {
  const Requester* const stream = connection.requesters[packet.request ? sender : 1 - sender].get();
  const bool goes_on = stream != nullptr && stream->is_near(packet.psn, kNearPsns) &&
                       packet.transport == connection.facts.transport &&
                       elapsed(connection.facts.last_time, packet.time) < kShortestPause;
  return goes_on || (packet.damaged && connection.wrong_icrcs[sender] == ConnectionState::kHadGoodIcrc);
}

void add_sightings(const Sightings& from, Sightings& to) {
  for (const Sighting& sighting : from.all()) to.merge(sighting);
}

/// Responses came in the direction of `from` before it was known that they answer the requests of `to`.
void take_responses(const ConnectionState& from, ConnectionState& to) {
  if (const Requester* const answered = from.requesters[1].get()) {
    to.requester(0).add_responses(*answered);
    add_sightings(from.facts.sides[1].sightings, to.facts.sides[0].sightings);
  }
  if (const Uncounted* const uncounted = from.uncounted.get()) {
    add_change({}, uncounted->requests[1], to.uncounted.make().requests[0]);
    add_sightings(uncounted->sides[1].sightings, to.uncounted.make().sides[0].sightings);
  }
}

}  // namespace

ConnectionState* ConnectionTable::add(Transport transport, const FlowKey& key, std::int64_t time) {
  if (size_ >= max_connections_) return nullptr;
  if (vacant_.empty()) {
    vacant_.push_back(static_cast<std::uint32_t>(connections_.size()));
    connections_.emplace_back();
  }
  const std::uint32_t slot = vacant_.back();
  vacant_.pop_back();
  ++size_;
  connections_[slot] = std::make_unique<ConnectionState>();
  ConnectionState& connection = *connections_[slot];
  connection.slot = slot;
  if (notes_order_) note_made();
  connection.facts.number = ++made_;
  rename(made_, slot);
  connection.facts.transport = transport;
  connection.facts.overlay_id = key.overlay_id;
  connection.facts.capture_point = key.capture_point;
  connection.facts.first_time = connection.facts.last_time = time;
  return &connection;
}

void ConnectionTable::note_made() {
  constexpr unsigned kPlaces = 8;  // bits
  last_made_ = std::max(frame_ << kPlaces, last_made_ + 1);
  order_.push_back(last_made_);
}

ConnectionState* ConnectionTable::at(std::uint32_t number) const {
  const auto slot = numbers_.find(number, [](std::uint32_t) { return true; });
  return slot ? settled(connections_[*slot].get()) : nullptr;
}

ConnectionState* ConnectionTable::own(std::uint32_t number) const {
  ConnectionState* const connection = at(number);
  return connection != nullptr && connection->facts.number == number ? connection : nullptr;
}

/// From now on `number` leads to the connection at `slot`.
void ConnectionTable::rename(std::uint32_t number, std::uint32_t slot) {
  numbers_.set(number, slot, [](std::uint32_t) { return true; });
}

void ConnectionTable::forget_number(std::uint32_t number) {
  numbers_.erase(number, [](std::uint32_t) { return true; });
}

std::unique_ptr<ConnectionState> ConnectionTable::vacate(std::uint32_t slot) {
  --size_;
  if (reuses_) vacant_.push_back(slot);
  return std::move(connections_[slot]);
}

std::unique_ptr<ConnectionState> ConnectionTable::take(std::uint32_t number) {
  const ConnectionState& connection = *own(number);
  detach(connection);
  forget_number(number);
  if (connection.facts.joined != 0) forget_number(connection.facts.joined);
  return vacate(connection.slot);
}

std::vector<std::unique_ptr<ConnectionState>> ConnectionTable::take_all() {
  std::vector<std::unique_ptr<ConnectionState>> taken = std::move(connections_);
  std::erase(taken, nullptr);
  if (reuses_) std::ranges::sort(taken, {}, [](const auto& connection) { return connection->facts.number; });
  // There may be a million: the result needs the memory of the tables.
  numbers_ = {};
  flows_ = {};
  unpaired_ = {};
  size_ = 0;
  return taken;
}

ConnectionTable::Place ConnectionTable::find_existing(const FlowKey& key, std::uint32_t hint) {
  const auto found = hint != kNowhere && is_sent_by(key, hint) ? std::optional(hint) : look_up(key);
  if (!found) return {};
  return {settled(connections_[*found >> 1].get()), *found & 1U};
}

bool ConnectionTable::is_sent_by(const FlowKey& key, std::uint32_t packed) const noexcept {
  const Connection& facts = connections_[packed >> 1]->facts;
  const ConnectionSide& sender = facts.sides[packed & 1U];
  const ConnectionSide& receiver = facts.sides[1 - (packed & 1U)];
  return receiver.qpn.value_or(Qpn()) == key.dest_qp && sender.address == key.source &&
         receiver.address == key.destination && facts.overlay_id == key.overlay_id &&
         facts.capture_point == key.capture_point;
}

std::optional<std::uint32_t> ConnectionTable::look_up(const FlowKey& key) const {
  return flows_.find(FlowKeyHash{}(key), [&](std::uint32_t packed) { return is_sent_by(key, packed); });
}

void ConnectionTable::enter(const FlowKey& key, const ConnectionState& connection, std::size_t sender) {
  ++version_;
  flows_.set(FlowKeyHash{}(key), pack(connection.slot, sender),
             [&](std::uint32_t packed) { return is_sent_by(key, packed); });
}

ConnectionTable::Place ConnectionTable::find(const FlowPacket& packet, std::uint32_t hint) {
  const FlowKey& key = packet.key;
  Place known = find_existing(key, hint);
  if (known.connection != nullptr && !is_usual(packet, *known.connection, known.sender)) {
    const Place life = find_life(known, packet);
    if (life.connection != nullptr && life.connection != known.connection) return life;
    known = life.connection == nullptr ? find_existing(key) : life;
  }
  if (known.connection != nullptr && known.connection->facts.paired_by != PairedBy::kNothing) return known;
  if (known.connection == nullptr) {
    if (const auto announced = announced_.find(key); announced != announced_.end()) {
      const ConnectionSetup setup = announced->second;
      announced_.erase(key_of(setup, 0));
      announced_.erase(key_of(setup, 1));
      return make(setup) == 0 ? Place{} : find_existing(key);
    }
  }
  const UnpairedPacket lone{key, packet.source_port, packet.psn};
  if (!packet.request) {
    const auto with = unpaired_.by_psn(lone, [&](std::uint32_t number) {
      const ConnectionState* const connection = own(number);
      return connection != nullptr && connection->requesters[0]->is_outstanding(packet.psn);
    });
    if (with) {
      pair(*own(*with), key, PairedBy::kPsn);
      return find_existing(key);
    }
  }
  if (known.connection != nullptr) {
    // The weakest evidence is looked at now and then only, and when there was time for better.
    constexpr std::uint64_t kFewest = 8;
    const std::uint64_t packets = known.connection->packets(0);
    const auto with = packets >= kFewest && std::has_single_bit(packets) ? unpaired_.by_port(lone) : std::nullopt;
    ConnectionState* const other = with ? own(*with) : nullptr;
    if (other == nullptr) return known;
    pair(*other, key, PairedBy::kPort);
    return find_existing(key);
  }

  ConnectionState* const connection = begin(packet);
  if (connection == nullptr) return {};
  enter(key, *connection, 0);
  add_unpaired(*connection, packet.source_port);
  return {connection, 0};
}

void ConnectionTable::add_unpaired(const ConnectionState& connection, std::uint16_t source_port) {
  unpaired_.add(key_of(connection, 0), connection.facts.number, source_port);
  note_unpaired_requests(connection);
}

void ConnectionTable::note_unpaired_requests(const ConnectionState& connection) {
  const Requester* const stream = connection.requesters[0].get();
  if (stream == nullptr || !stream->started()) return;
  const PsnSpan requests{stream->unacknowledged(), stream->next()};
  if (unpaired_.knows_requests(connection.facts.number, requests)) return;
  unpaired_.note_requests(key_of(connection, 0), connection.facts.number, requests);
}

ConnectionState* ConnectionTable::begin(const FlowPacket& packet) {
  ConnectionState* const connection = add(packet.transport, packet.key, packet.time);
  if (connection == nullptr) return nullptr;
  connection->facts.sides[0].address = packet.key.source;
  connection->facts.sides[1].address = packet.key.destination;
  connection->facts.sides[1].qpn = packet.key.dest_qp;
  return connection;
}

void ConnectionTable::detach(const ConnectionState& connection) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (!connection.facts.sides[1 - i].qpn) continue;
    const FlowKey key = key_of(connection, i);
    const std::uint32_t packed = pack(connection.slot, i);
    if (look_up(key) != packed) continue;
    ++version_;
    flows_.erase(FlowKeyHash{}(key), [=](std::uint32_t other) { return other == packed; });
    unpaired_.forget(key, connection.facts.number);
  }
}

/// The packets of `key` are the other direction of `connection`.
void ConnectionTable::pair(ConnectionState& connection, const FlowKey& key, PairedBy method) {
  if (key == key_of(connection, 0)) return;  // a queue pair that sends to itself: both directions are one flow
  const std::uint32_t number = connection.facts.number;
  unpaired_.forget(key_of(connection, 0), number);
  const Place other = find_existing(key);
  if (other.connection == &connection) {  // both directions were entered when it was divided from another
    connection.facts.paired_by = std::max(connection.facts.paired_by, method);
    return;
  }
  if (other.connection != nullptr && other.connection->facts.paired_by != PairedBy::kNothing) {
    detach(*other.connection);
  }
  connection.facts.sides[0].qpn = key.dest_qp;
  enter(key, connection, 1);
  if (other.connection != nullptr && other.connection->facts.paired_by == PairedBy::kNothing) {
    ConnectionState& joined = *other.connection;
    unpaired_.forget(key, joined.facts.number);
    take_responses(joined, connection);
    take_responses(connection, joined);
    connection.requesters[1] = std::move(joined.requesters[0]);
    connection.wrong_icrcs[1] = joined.wrong_icrcs[0];
    connection.reached[1] = joined.reached[0];
    connection.captures[1] = joined.captures[0];
    connection.shares_mtu = false;
    if (Uncounted* const its = joined.uncounted.get()) {
      connection.facts.partial = true;
      Uncounted& uncounted = connection.uncounted.make();
      std::swap(uncounted.sides[1], its->sides[0]);
      std::swap(uncounted.requests[1], its->requests[0]);
    }
    const std::optional<Qpn> qpn = connection.facts.sides[1].qpn;
    connection.facts.sides[1] = std::move(joined.facts.sides[0]);
    connection.facts.sides[1].qpn = qpn;
    connection.facts.sides[1].rates.expect_other_limit();
    connection.facts.joined = joined.facts.number;
    connection.facts.first_time = std::min(connection.facts.first_time, joined.facts.first_time);
    connection.facts.last_time = std::max(connection.facts.last_time, joined.facts.last_time);
    if (connection.facts.handshake == 0) connection.facts.handshake = joined.facts.handshake;
    constexpr std::uint32_t kMostLater = std::numeric_limits<std::uint16_t>::max();
    if (joined.series() > connection.series())
      connection.slots_later = static_cast<std::uint16_t>(std::min(joined.series() - connection.slot, kMostLater));
    rename(joined.facts.number, connection.slot);
    vacate(joined.slot).reset();
  }
  unpaired_.forget(key, number);
  connection.facts.paired_by = method;
  for (ConnectionSide& side : connection.facts.sides) side.alone = {};
}

FlowKey ConnectionTable::key_of(const ConnectionSetup& setup, std::size_t sender) noexcept {
  return {setup.addresses[sender], setup.addresses[1 - sender], setup.qpns[1 - sender], setup.overlay_id,
          setup.capture_point};
}

FlowKey ConnectionTable::key_of(const ConnectionState& connection, std::size_t sender) noexcept {
  const auto& sides = connection.facts.sides;
  return {sides[sender].address, sides[1 - sender].address, sides[1 - sender].qpn.value_or(Qpn()),
          connection.facts.overlay_id, connection.facts.capture_point};
}

std::uint32_t ConnectionTable::set_up(const ConnectionSetup& setup) {
  return setup.method == PairedBy::kOob ? announce(setup) : make(setup);
}

/// Nothing says whether these queue pairs are connected or send datagrams: their first packet will.
std::uint32_t ConnectionTable::announce(const ConnectionSetup& setup) {
  const std::array<Place, 2> places = {find_existing(key_of(setup, 0)), find_existing(key_of(setup, 1))};
  const auto is_meant = [&](const Place& place) {
    return place.connection != nullptr && place.connection->facts.last_time >= setup.since;
  };
  for (std::size_t i = 0; i < 2; ++i) {
    if (!is_meant(places[i])) continue;
    // The message is about a connection whose packets came already.
    ConnectionState& connection = *places[i].connection;
    if (connection.facts.paired_by < PairedBy::kOob && connection.facts.handshake == 0) {
      if (connection.facts.paired_by == PairedBy::kNothing) {
        pair(connection, key_of(setup, 1 - i), PairedBy::kOob);
      }
      connection.facts.paired_by = PairedBy::kOob;
      connection.facts.handshake = setup.handshake;
    }
    return connection.facts.handshake == setup.handshake ? connection.facts.number : 0;
  }
  if (announced_.size() >= kMostAnnounced) announced_.clear();
  for (std::size_t i = 0; i < 2; ++i) {
    if (places[i].connection != nullptr) detach(*places[i].connection);
    announced_[key_of(setup, i)] = setup;
  }
  return 0;
}

std::uint32_t ConnectionTable::make(const ConnectionSetup& setup) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (const Place old = find_existing(key_of(setup, i)); old.connection != nullptr) detach(*old.connection);
  }
  ConnectionState* connection = add(setup.transport, key_of(setup, 0), setup.time);
  if (connection == nullptr) return 0;
  connection->facts.paired_by = setup.method;
  connection->facts.handshake = setup.handshake;
  connection->facts.path_mtu = setup.path_mtu;
  for (std::size_t i = 0; i < 2; ++i) {
    connection->facts.sides[i].address = setup.addresses[i];
    connection->facts.sides[i].qpn = setup.qpns[i];
    Requester& requester = connection->requester(i);
    requester.set_mtu(setup.path_mtu);
    requester.set_ack_timeout(setup.ack_timeouts[i]);
    if (setup.first_psns[i]) requester.start_at(*setup.first_psns[i]);
  }
  for (std::size_t i = 0; i < 2; ++i) enter(key_of(setup, i), *connection, i);
  return connection->facts.number;
}

}  // namespace rocescope
