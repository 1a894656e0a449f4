// What was found in all packets, or by now.
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tracking/connections/path_mtu.hpp"
#include "tracking/tracker_implementation.hpp"

namespace rocescope {
namespace {

/// From the first to the last packet that counts.
void narrow_times(Connection& connection) {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  for (const ConnectionSide& side : connection.sides) {
    if (side.rates.empty()) continue;
    first = std::min(first.value_or(side.rates.first_time()), side.rates.first_time());
    last = std::max(last.value_or(side.rates.last_time()), side.rates.last_time());
  }
  connection.first_time = first.value_or(connection.first_time);
  connection.last_time = last.value_or(connection.last_time);
}

/// Each leads to its connection by the number that this has at last.
void renumber(std::vector<Handshake>& handshakes, const FinalNumbers& numbers) {
  for (Handshake& handshake : handshakes) handshake.connection = numbers.of(handshake.connection);
}

}  // namespace

std::optional<Progress> Tracker::Implementation::progress(std::uint32_t connection, const IpAddress& requester,
                                                          std::optional<Qpn> responder) const {
  const ConnectionState* const state = table_.at(connection);
  if (state == nullptr || is_express_) return std::nullopt;
  const auto& sides = state->facts.sides;
  const auto requests = [&](std::size_t side) {
    return sides[side].address == requester && sides[1 - side].qpn == responder;
  };
  const std::size_t side = requests(0) ? 0 : 1;
  const Requester* const stream = requests(side) ? state->requesters[side].get() : nullptr;
  if (stream == nullptr || !stream->started()) return std::nullopt;
  Progress progress{.in_flight = stream->in_flight(), .acknowledged = {}};
  if (stream->has_acknowledgement()) progress.acknowledged = stream->unacknowledged() - 1;
  return progress;
}

std::vector<std::uint32_t> Tracker::Implementation::numbers() const {
  std::vector<std::uint32_t> numbers;
  for (const ConnectionState* state : table_.all()) numbers.push_back(state->facts.number);
  return numbers;
}

FinalNumbers Tracker::Implementation::final_numbers() const {
  FinalNumbers numbers;
  table_.visit_facts([&](const Connection& connection) { numbers.add(connection); });
  return numbers;
}

std::vector<std::uint32_t> Tracker::Implementation::counted_numbers() const {
  std::vector<std::uint32_t> numbers;
  for (const ConnectionState* state : table_.all()) {
    if (has_packets(state->facts)) numbers.push_back(state->facts.number);
  }
  return numbers;
}

/// Where some packets do not count, neither do some of the pieces.
void Tracker::Implementation::join_pieces(ConnectionState& state) {
  if (state.facts.partial) return;
  for (Box<Requester>& requester : state.requesters) {
    if (Requester* const its = requester.get()) its->join_pieces();
  }
}

void Tracker::Implementation::visit_open_messages(const MessageVisitor& visitor, const ConnectionChoice& is_wanted) {
  const auto those = is_wanted ? table_.those(is_wanted) : table_.all();
  for (ConnectionState* const state : those) {
    join_pieces(*state);
    for (std::size_t i = 0; i < 2; ++i) {
      for (const Message& open : state->requesters[i]->open_messages()) visitor(state->facts, i, open);
    }
  }
}

Tracking Tracker::Implementation::snapshot(std::span<const std::uint32_t> numbers) const {
  settle();
  Tracking result = totals();
  result.handshakes = setups_.table().handshakes();
  renumber(result.handshakes, final_numbers());
  for (const std::uint32_t number : numbers) {
    const ConnectionState* const state = table_.own(number);
    if (state != nullptr) complete(result.connections.emplace_back(state->facts), *state, last_time());
  }
  observers_.report_totals(result, last_time());
  return result;
}

Tracking Tracker::Implementation::finish() {
  const FinalNumbers numbers = final_numbers();
  Tracking result = totals();
  // Each is destroyed before the next is settled, which takes its memory.
  table_.give_away([&](std::unique_ptr<ConnectionState> state) {
    join_pieces(*state);
    Connection& connection = result.connections.emplace_back(std::move(state->facts));
    complete(connection, *state, last_time());
    forget(connection, *state);
  });
  result.handshakes = setups_.table().take_all();
  renumber(result.handshakes, numbers);
  observers_.report(result, last_time());
  return result;
}

Tracking Tracker::Implementation::totals() const {
  Tracking result;
  result.untracked_connection_packets = unplaced_.connection_packets;
  result.sightings = unplaced_.sightings;
  result.breaches = unplaced_.breaches;
  // Where shards are merged, they are drawn from all handshakes.
  if (!options_.shard) setups_.table().add_last_sightings(result.sightings);
  result.unlisted_handshakes = unplaced_.handshake_messages;
  return result;
}

/// Each side is heard where its packets are seen.
std::int64_t Tracker::Implementation::end_of(const Connection& connection, const ConnectionState& state) const {
  std::int64_t end = CaptureEnds::kNever;
  for (std::size_t i = 0; i < 2; ++i) {
    if (connection.sides[i].first_packet != 0) end = std::min(end, ends_.end_of(state.captures[i]));
  }
  return end;
}

void Tracker::Implementation::complete(Connection& connection, const ConnectionState& state, std::int64_t end) const {
  connection.seen_until = end_of(connection, state);
  observers_.settle(connection, state, std::min(end, connection.seen_until));
  if (connection.partial) narrow_times(connection);
  for (std::size_t i = 0; i < 2; ++i) {
    if (state.requesters[i].get() == nullptr) continue;
    const Requester& requester = *state.requesters[i];
    connection.sides[i].requests.make() =
        connection.partial ? counted_of(requester.totals(), state.uncounted->requests[i]) : requester.totals();
    if (requester.counts_packets()) connection.counting = (connection.counting | 1U << i) & 3U;
    if (connection.path_mtu == 0) connection.path_mtu = announced_mtu(requester.mtu());
  }
}

}  // namespace rocescope
