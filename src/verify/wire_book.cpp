#include "verify/wire_book.hpp"

#include <algorithm>

#include "sorting/sort.hpp"

namespace rocescope::verify {

std::vector<Message> MessageList::of(std::uint32_t connection, std::size_t side) const {
  const auto found = messages_.find({connection, side});
  if (found == messages_.end()) return {};
  std::vector<Message> messages = found->second;
  sorting::sort(messages, [](const Message& a, const Message& b) { return a.number < b.number; });
  // PSNs wrap: the distance of each from the one before gives its place.
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  std::int64_t position = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i > 0) position += messages[i - 1].first_psn.distance_to(messages[i].first_psn);
    order.emplace_back(position, i);
  }
  sorting::stable_sort(order, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Message> sorted;
  sorted.reserve(messages.size());
  for (const auto& [at, index] : order) sorted.push_back(messages[index]);
  return sorted;
}

QueuePairMatcher::QueuePairMatcher(const TruthBook& truth, const std::deque<Connection>& connections)
    : truth_(truth), connections_(connections) {
  std::vector<const Connection*> in_order;
  for (const Connection& connection : connections) in_order.push_back(&connection);
  sorting::sort(in_order, [](const Connection* a, const Connection* b) { return a->number < b->number; });
  for (const Connection* connection : in_order) {
    for (std::size_t side = 0; side < 2; ++side) {
      const WireSide wire{connection, side};
      if (wire.own().qpn) {
        by_qpn_.emplace(*wire.own().qpn, wire);
      } else if (wire.peer().qpn) {
        by_peer_qpn_.emplace(*wire.peer().qpn, wire);
      }
    }
  }
  for (const TruthQueuePair& queue_pair : truth.queue_pairs()) {
    MatchedQueuePair& matched = matched_.emplace_back(MatchedQueuePair{.truth = &queue_pair, .wire = {}});
    if (queue_pair.is_datagram()) continue;
    matched.wire = find(queue_pair);
    if (matched.wire) taken_[{matched.wire->connection->number, matched.wire->side}] = &queue_pair;
  }
}

/// The first that fits and is not taken by another: QP numbers are used again, in the truth as on the wire.
std::optional<WireSide> QueuePairMatcher::find(const TruthQueuePair& queue_pair) const {
  const auto& addresses = truth_.parties()[queue_pair.party].addresses;
  const auto fits = [&](const WireSide& wire) {
    if (!addresses.empty() && !addresses.contains(wire.own().address)) return false;
    if (queue_pair.dest_qpn && wire.peer().qpn && *queue_pair.dest_qpn != *wire.peer().qpn) return false;
    return !taken_.contains({wire.connection->number, wire.side});
  };
  const auto first = [&](const auto& range) -> std::optional<WireSide> {
    for (auto it = range.first; it != range.second; ++it) {
      if (fits(it->second)) return it->second;
    }
    return std::nullopt;
  };
  if (const auto found = first(by_qpn_.equal_range(queue_pair.qpn))) return found;
  if (!queue_pair.dest_qpn) return std::nullopt;
  return first(by_peer_qpn_.equal_range(*queue_pair.dest_qpn));
}

std::vector<WireSide> QueuePairMatcher::unknown() const {
  std::vector<WireSide> unknown;
  for (const Connection& connection : connections_) {
    for (std::size_t side = 0; side < 2; ++side) {
      const WireSide wire{&connection, side};
      if (taken_.contains({connection.number, side}) || !truth_.is_known(wire.own().address)) continue;
      unknown.push_back(wire);
    }
  }
  return unknown;
}

}  // namespace rocescope::verify
