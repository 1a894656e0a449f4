#include "tracking/watchers/host_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/counters.hpp"
#include "sorting/sort.hpp"
#include "tracking/connections/connection_state.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope {
namespace {

bool is_read_response(const Packet& packet) { return packet.roce.opcode->operation == Operation::kReadResponse; }

/// Whether the payload of the packet had been seen before.
bool is_copy(const TrackedPacket& tracked) {
  const VerdictKind kind = tracked.verdict.kind;
  if (is_read_response(tracked.packet())) {
    return kind == VerdictKind::kReadResponseRetransmission || kind == VerdictKind::kStale;
  }
  return tracked.seen_before;
}

/// Messages that it ended. A READ that its requester asked for again had been counted.
std::uint64_t count_ended(const TrackedPacket& tracked) {
  const auto again = std::ranges::count_if(tracked.ended, &Message::reopened);
  return tracked.ended.size() - static_cast<std::size_t>(again);
}

Sent sent_of(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  Sent sent{.packets = 1, .wire_bytes = packet.wire_length, .payload_bytes = packet.roce.payload_length};
  // Where a connection judges its packets, the receiver drops those without a verdict.
  const bool judged = tracked.connection != nullptr && packet.roce.opcode->operation != Operation::kCnp;
  const bool dropped =
      judged ? tracked.verdict.kind == VerdictKind::kNone : tracked.record.icrc.status == IcrcStatus::kBad;
  if (is_copy(tracked)) {
    sent.resent_bytes = sent.payload_bytes;
  } else if (!dropped) {
    sent.goodput_bytes = sent.payload_bytes;
  }
  return sent;
}

void count_request(const TrackedPacket& tracked, WireCounts& counts) {
  const OpcodeInfo& opcode = *tracked.packet().roce.opcode;
  if (tracked.answered_before) ++counts.duplicate_requests;
  if (opcode.position != Position::kFirst && opcode.position != Position::kOnly) return;
  switch (opcode.operation) {
    case Operation::kWrite:
      ++counts.write_requests;
      return;
    case Operation::kReadRequest:
      ++counts.read_requests;
      return;
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      ++counts.atomic_requests;
      return;
    default:
      return;
  }
}

void count_response(const TrackedPacket& tracked, WireCounts& counts) {
  const auto& aeth = tracked.aeth;
  if (!aeth) return;
  if (aeth->kind() == AethKind::kRnrNak) ++counts.rnr_naks;
  if (aeth->kind() != AethKind::kNak) return;
  switch (static_cast<NakCode>(aeth->value())) {
    case NakCode::kPsnSequenceError:
      ++counts.sequence_naks;
      if (tracked.acknowledged_before) ++counts.repeated_naks;
      return;
    case NakCode::kInvalidRequest:
      ++counts.invalid_naks;
      return;
    case NakCode::kRemoteAccessError:
      ++counts.access_naks;
      return;
    case NakCode::kRemoteOperationalError:
      ++counts.operational_naks;
      return;
    default:
      return;
  }
}

void count(const TrackedPacket& tracked, WireCounts& counts) {
  const Packet& packet = tracked.packet();
  ++counts.packets;
  if (is_ce_marked(packet)) ++counts.marked;
  if (tracked.record.icrc.status == IcrcStatus::kBad) {
    ++counts.bad_icrc;
    if (tracked.connection == nullptr || tracked.verdict.kind == VerdictKind::kNone) return;  // dropped
  }
  if (packet.roce.opcode->operation == Operation::kCnp) {
    ++counts.cnps;
  } else if (packet.roce.opcode->request) {
    count_request(tracked, counts);
  } else {
    count_response(tracked, counts);
  }
  // The first packet of a recovery shows what made it.
  if (tracked.began_recovery && tracked.verdict.cause == ResendCause::kTimeout) ++counts.timeouts;
  if (tracked.began_recovery && tracked.verdict.cause == ResendCause::kImpliedNak) ++counts.implied_naks;
}

}  // namespace

WireCounts& WireCounts::operator+=(const WireCounts& other) noexcept {
  for_each_counter(
      *this, [](std::uint64_t& sum, std::uint64_t more) { sum += more; }, other);
  return *this;
}

std::size_t HostTable::most_buckets(std::uint32_t number) noexcept {
  return std::min<std::size_t>(kBuckets / std::max<std::uint32_t>(number, 1), RateSeries::kMostBuckets);
}

HostPair* HostTable::find(const TrackedPacket& tracked, bool reversed) {
  auto* const sides = by_connection_.sides(tracked.connection == nullptr ? 0 : tracked.connection->number);
  HostPair** const known = sides == nullptr ? nullptr : &(*sides)[reversed ? 1 - tracked.sender : tracked.sender];
  if (known != nullptr && *known != nullptr) return *known;
  const Packet& packet = tracked.packet();
  Key key{packet.source, packet.destination, packet.overlay_id};
  if (reversed) std::swap(key.source, key.destination);
  HostPair* const pair = find(key);
  if (known != nullptr && pair != nullptr) *known = pair;
  return pair;
}

HostPair* HostTable::find(const ConnectionState& state, std::size_t sender) {
  HostPair*& known = (*by_connection_.sides(state.facts.number))[sender];
  const auto& sides = state.facts.sides;
  if (known == nullptr) known = find({sides[sender].address, sides[1 - sender].address, state.facts.overlay_id});
  return known;
}

HostPair* HostTable::find(const Key& key) {
  HostPair* found = pairs_.find(key);
  if (found == nullptr) {
    if (pairs_.size() >= kMostPairs) return nullptr;
    found = &pairs_[key];
    found->most_buckets = most_buckets(static_cast<std::uint32_t>(pairs_.size()));
    constexpr unsigned kPlaces = 8;  // bits
    last_order_ = std::max(frame_ << kPlaces, last_order_ + 1);
    found->order = last_order_;
  }
  return found;
}

void HostTable::observe(const TrackedPacket& tracked) {
  if (!tracked.counts || tracked.verdict.kind == VerdictKind::kCaptureDuplicate) return;
  frame_ = tracked.packet().frame.number;
  const std::int64_t now = tracked.packet().frame.timestamp;
  // The messages that it ended are those of the requester, which may be its receiver.
  const bool reversed = tracked.requester != tracked.sender;
  const Sent messages{.messages = count_ended(tracked)};
  const bool others = messages.messages > 0 && reversed;
  Sent sent = sent_of(tracked);
  sent.messages = messages.messages;
  if (!tracked.record.repeated) add_to_hosts(tracked, now, sent);
  if (others) sent.messages = 0;
  if (tracked.connection == nullptr) return;
  add(tracked, tracked.sender, now, sent);
  if (others) add(tracked, tracked.requester, now, messages);
}

void HostTable::add(ConnectionState& state, std::size_t sender, std::int64_t time, const Sent& sent) {
  if (!all_.add_to_last(time, sent)) all_.add(time, sent, interval_);
  if (HostPair* pair = find(state, sender)) {
    add(*pair, time, sent);
  } else {
    untracked_ += sent.packets;
  }
  add(state, state.facts.sides[sender], time, sent);
}

void HostTable::add_counts(const ConnectionState& state, std::size_t sender, const WireCounts& counts) {
  HostPair* const pair = counts.packets == 0 ? nullptr : find(state, sender);
  if (pair != nullptr) pair->counts += counts;
}

void HostTable::add_to_hosts(const TrackedPacket& tracked, std::int64_t now, Sent sent) {
  if (!all_.add_to_last(now, sent)) all_.add(now, sent, interval_);
  if (tracked.verdict.damaged && tracked.connection == nullptr) return observe_stray(tracked.packet());
  const Sent messages{.messages = sent.messages};
  const bool others = messages.messages > 0 && tracked.requester != tracked.sender;
  if (others) sent.messages = 0;
  if (HostPair* pair = find(tracked, false)) {
    count(tracked, pair->counts);
    add(*pair, now, sent);
  } else {
    ++untracked_;
  }
  if (!others) return;
  if (HostPair* pair = find(tracked, true)) add(*pair, now, messages);
}

void HostTable::observe_apart(const TrackedPacket& tracked) const {
  if (!tracked.counts || tracked.verdict.kind == VerdictKind::kCaptureDuplicate) return;
  const std::int64_t now = tracked.packet().frame.timestamp;
  const bool reversed = tracked.requester != tracked.sender;
  const Sent messages{.messages = count_ended(tracked)};
  Sent sent = sent_of(tracked);
  sent.messages = reversed ? 0 : messages.messages;
  add(tracked, tracked.sender, now, sent);
  if (messages.messages > 0 && reversed) add(tracked, tracked.requester, now, messages);
}

void HostTable::add(HostPair& pair, std::int64_t now, const Sent& sent) const {
  if (!pair.rates.add_to_last(now, sent)) pair.rates.add(now, sent, interval_, pair.most_buckets);
}

void HostTable::observe_stray(const Packet& packet) {
  if (HostPair* const known = pairs_.find({packet.source, packet.destination, packet.overlay_id})) {
    ++known->counts.packets;
    ++known->counts.bad_icrc;
    return;
  }
  const Key key{{}, packet.destination, packet.overlay_id};
  if (strays_.size() < kMostPairs || strays_.find(key) != nullptr) ++strays_[key];
}

/// To what `side` of its connection sent.
void HostTable::add(const TrackedPacket& tracked, std::size_t side, std::int64_t now, const Sent& sent) const {
  add(*tracked.state, tracked.connection->sides[side], now, sent);
}

void HostTable::add(const ConnectionState& state, ConnectionSide& side, std::int64_t now, const Sent& sent) const {
  if (!side.rates.add_to_last(now, sent)) side.rates.add(now, sent, interval_, most_buckets(state.series() + 1));
}

void HostTable::report(Tracking& tracking) const {
  tracking.rates = all_;
  tracking.host_rates = pairs();
  tracking.hosts = hosts();
  tracking.untracked_host_packets = untracked_;
}

std::vector<HostRates> HostTable::pairs() const {
  std::vector<HostRates> pairs;
  pairs.reserve(pairs_.size());
  for (const auto& [pair, state] : pairs_) {
    pairs.push_back({pair.source, pair.destination, pair.overlay_id, state.rates, state.order});
  }
  sort(pairs);
  return pairs;
}

void HostTable::sort(std::vector<HostRates>& pairs) {
  sorting::sort(pairs, [](const HostRates& a, const HostRates& b) {
    const std::uint64_t more = a.rates.total().wire_bytes;
    const std::uint64_t less = b.rates.total().wire_bytes;
    if (more != less) return more > less;
    return std::tie(a.source, a.destination, a.overlay_id) < std::tie(b.source, b.destination, b.overlay_id);
  });
}

void HostTable::settle(Connection& connection, const ConnectionState& state, std::int64_t /*end*/) const {
  for (ConnectionSide& side : connection.sides) side.rates.limit(interval_, most_buckets(state.series() + 1));
}

std::vector<Host> HostTable::hosts() const {
  std::map<std::tuple<IpAddress, std::uint32_t>, Host> hosts;
  const auto at = [&](const IpAddress& address, std::uint32_t overlay_id) -> Host& {
    Host& host = hosts[{address, overlay_id}];
    host.address = address;
    host.overlay_id = overlay_id;
    return host;
  };
  for (const auto& [pair, state] : pairs_) {
    at(pair.source, pair.overlay_id).sent += state.counts;
    at(pair.destination, pair.overlay_id).received += state.counts;
  }
  for (const auto& [key, packets] : strays_) {
    const auto receiver = hosts.find({key.destination, key.overlay_id});
    if (receiver == hosts.end()) continue;
    receiver->second.received.packets += packets;
    receiver->second.received.bad_icrc += packets;
  }
  std::vector<Host> result;
  result.reserve(hosts.size());
  for (const auto& [key, host] : hosts) result.push_back(host);
  return result;
}

}  // namespace rocescope
