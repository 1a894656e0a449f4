#include "connection_table.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {

ConnectionState* ConnectionTable::add(Transport transport, std::uint32_t overlay_id, std::int64_t time) {
  if (connections_.size() >= max_connections_) return nullptr;
  ConnectionState& connection = connections_.emplace_back();
  connection.facts.number = static_cast<std::uint32_t>(connections_.size());
  connection.facts.transport = transport;
  connection.facts.overlay_id = overlay_id;
  connection.facts.first_time = connection.facts.last_time = time;
  return &connection;
}

ConnectionTable::Place ConnectionTable::find_existing(const FlowKey& key) noexcept {
  const auto found = flows_.find(key);
  if (found == flows_.end()) return {};
  return {&connections_[found->second.connection], found->second.sender};
}

ConnectionTable::Place ConnectionTable::find(const FlowKey& key, Transport transport, std::optional<Psn> answers,
                                             std::int64_t time) {
  const Place known = find_existing(key);
  const bool alone = known.connection == nullptr || known.connection->facts.paired_by == PairedBy::kNothing;
  if (answers && alone) {
    if (const auto with = partner(key, *answers)) {
      pair(*with, key);
      return find_existing(key);
    }
  }
  if (known.connection != nullptr) return known;

  ConnectionState* connection = add(transport, key.overlay_id, time);
  if (connection == nullptr) return {};
  connection->facts.sides[0].address = key.source;
  connection->facts.sides[1].address = key.destination;
  connection->facts.sides[1].qpn = key.dest_qp;
  const std::uint32_t index = connection->facts.number - 1;
  flows_[key] = {index, 0};
  unpaired_[{key.source, key.destination, key.overlay_id}].push_back(index);
  return {connection, 0};
}

std::optional<std::uint32_t> ConnectionTable::partner(const FlowKey& key, Psn psn) {
  const auto candidates = unpaired_.find({key.destination, key.source, key.overlay_id});
  if (candidates == unpaired_.end()) return std::nullopt;
  std::optional<std::uint32_t> only;
  std::size_t tried = 0;
  for (const std::uint32_t index : candidates->second) {
    if (++tried > kMostCandidates) break;
    if (!connections_[index].requesters[0].is_outstanding(psn)) continue;
    if (only) return std::nullopt;
    only = index;
  }
  return only;
}

void ConnectionTable::forget_unpaired(const ConnectionState& connection) {
  const auto& sides = connection.facts.sides;
  const auto found = unpaired_.find({sides[0].address, sides[1].address, connection.facts.overlay_id});
  if (found == unpaired_.end()) return;
  std::erase(found->second, connection.facts.number - 1);
  if (found->second.empty()) unpaired_.erase(found);
}

/// The packets of `key` are the other direction of the connection `with`.
void ConnectionTable::pair(std::uint32_t with, const FlowKey& key) {
  ConnectionState& connection = connections_[with];
  forget_unpaired(connection);
  if (const Place other = find_existing(key); other.connection != nullptr) {
    ConnectionState& joined = *other.connection;
    forget_unpaired(joined);
    connection.requesters[1] = std::move(joined.requesters[0]);
    connection.had_good_icrc[1] = joined.had_good_icrc[0];
    const std::optional<Qpn> qpn = connection.facts.sides[1].qpn;
    connection.facts.sides[1] = joined.facts.sides[0];
    connection.facts.sides[1].qpn = qpn;
    connection.facts.last_time = std::max(connection.facts.last_time, joined.facts.last_time);
    joined.merged = true;
  }
  connection.facts.sides[0].qpn = key.dest_qp;
  connection.facts.paired_by = PairedBy::kPsn;
  flows_[key] = {with, 1};
}

bool ConnectionTable::is_repeated(const ConnectionSetup& setup, const ConnectionState& connection) noexcept {
  if (setup.method != connection.facts.paired_by) return false;
  if (setup.cm_ids != 0) return connection.cm_ids == setup.cm_ids;
  const auto& sides = connection.facts.sides;
  return sides[0].qpn == setup.qpns[0] && sides[0].traffic.packets + sides[1].traffic.packets == 0;
}

void ConnectionTable::set_up(const ConnectionSetup& setup) {
  const auto key_of = [&](std::size_t sender) {
    return FlowKey{setup.addresses[sender], setup.addresses[1 - sender], setup.qpns[1 - sender], setup.overlay_id};
  };
  const Place known = find_existing(key_of(0));
  if (known.connection != nullptr && is_repeated(setup, *known.connection)) return;
  ConnectionState* connection = add(setup.transport, setup.overlay_id, setup.time);
  if (connection == nullptr) return;
  connection->cm_ids = setup.cm_ids;
  connection->facts.paired_by = setup.method;
  connection->facts.path_mtu = setup.path_mtu;
  for (std::size_t i = 0; i < 2; ++i) {
    if (const Place old = find_existing(key_of(i)); old.connection != nullptr) forget_unpaired(*old.connection);
    flows_[key_of(i)] = {connection->facts.number - 1, static_cast<std::uint32_t>(i)};
    connection->facts.sides[i].address = setup.addresses[i];
    connection->facts.sides[i].qpn = setup.qpns[i];
    Requester& requester = connection->requesters[i];
    requester.set_mtu(setup.path_mtu);
    requester.set_ack_timeout(setup.ack_timeouts[i]);
    if (setup.first_psns[i]) requester.start_at(*setup.first_psns[i]);
  }
}

}  // namespace rocescope
