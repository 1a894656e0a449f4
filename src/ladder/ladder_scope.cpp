#include "ladder/ladder_scope.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {
namespace {

bool share_a_queue_pair(const Connection& a, const Connection& b) {
  for (const ConnectionSide& one : a.sides) {
    for (const ConnectionSide& other : b.sides) {
      if (one.qpn && one.qpn == other.qpn && one.address == other.address) return true;
    }
  }
  return false;
}

}  // namespace

LadderScope::LadderScope(const std::deque<Connection>& connections, std::uint32_t number) {
  for (const Connection& each : connections) {
    if (each.number >= listed_.size()) listed_.resize(each.number + 1U);
    listed_[each.number] = true;
    if (each.number == number) connection_ = each;
  }
  for (const Connection& each : connections) {
    if (each.number == number || !share_a_queue_pair(each, connection_)) continue;
    if (each.number < number) not_before_ = std::max(not_before_, each.last_time);
    if (each.number > number) not_after_ = std::min(not_after_, each.first_time);
  }
}

std::optional<std::uint8_t> LadderScope::side_of(const Packet& packet) const noexcept {
  if (packet.overlay_id != connection_.overlay_id || packet.frame.capture_point != connection_.capture_point) {
    return std::nullopt;
  }
  return side_of(packet.source, packet.destination);
}

std::optional<std::uint8_t> LadderScope::side_of(const IpAddress& source, const IpAddress& destination) const noexcept {
  for (const std::uint8_t side : kConnectionSides) {
    if (source == connection_.sides[side].address && destination == connection_.sides[1 - side].address) return side;
  }
  return std::nullopt;
}

std::optional<std::uint8_t> LadderScope::sender_of(const PacketRecord& record) const noexcept {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return std::nullopt;
  const std::uint32_t number = record.verdict.connection;
  // Before the two directions were paired, each was a connection of its own.
  const bool other = number != connection_.number && number < listed_.size() && listed_[number];
  if (other) return std::nullopt;
  for (const std::uint8_t side : kConnectionSides) {
    const ConnectionSide& receiver = connection_.sides[1 - side];
    if (receiver.qpn == packet.roce.dest_qp && packet.source == connection_.sides[side].address &&
        packet.destination == receiver.address && packet.overlay_id == connection_.overlay_id &&
        packet.frame.capture_point == connection_.capture_point) {
      const bool in_time = packet.frame.timestamp > not_before_ && packet.frame.timestamp < not_after_;
      if (number == connection_.number || in_time) return side;
    }
  }
  return std::nullopt;
}

bool LadderScope::is_queue_pair(std::uint8_t side, Qpn qpn, std::int64_t time) const noexcept {
  return connection_.sides[side].qpn == qpn && time > not_before_ && time < not_after_;
}

std::vector<LadderEvent> LadderSetup::add(const PacketRecord& record) {
  std::vector<LadderEvent> found;
  const Packet& packet = *record.packet;
  const std::optional<std::uint8_t> side = scope_.side_of(packet);
  if (!packet.is_roce() || !side) return found;
  const auto rung = [&](auto&& what) {
    const Frame& frame = packet.frame;
    return LadderEvent{.time = frame.timestamp,
                       .last_time = frame.timestamp,
                       .frame = frame.number,
                       .last_frame = frame.number,
                       .sender = *side,
                       .silence = {},
                       .what = std::move(what)};
  };
  if (std::optional<CmEvent> message = CmLog::event_of(packet)) {
    if (!is_ours(*message, *side)) return found;
    const std::size_t before = cm_.events().size();
    cm_.add(std::move(*message));
    if (cm_.events().size() > before) found.push_back(rung(CmEvent(cm_.events().back())));
  } else if (std::optional<ExchangeEvent> event = exchange_event(packet)) {
    const Mention mention = mention_in(*event, *side, packet.frame.timestamp);
    add_exchange(rung(std::move(*event)), mention, found);
  }
  return found;
}

std::optional<LadderEvent> LadderSetup::add(const CmEvent& event) {
  const std::optional<std::uint8_t> side = scope_.side_of(event.source, event.destination);
  if (!side || !is_ours(event, *side)) return std::nullopt;
  return LadderEvent{.time = event.time,
                     .last_time = event.time,
                     .frame = event.packet,
                     .last_frame = event.packet,
                     .sender = *side,
                     .silence = {},
                     .what = event};
}

bool LadderSetup::is_ours(const CmEvent& event, std::uint8_t side) {
  const auto knows = [&](std::uint8_t of, std::optional<std::uint32_t> id) {
    return id && std::ranges::find(ids_[of], *id) != ids_[of].end();
  };
  const std::uint8_t other = side == 0 ? 1 : 0;
  const bool known = knows(side, event.local_comm_id) || knows(other, event.remote_comm_id);
  const bool names_local = event.local_qpn && scope_.is_queue_pair(side, *event.local_qpn, event.time);
  const bool names_remote = event.remote_qpn && scope_.is_queue_pair(other, *event.remote_qpn, event.time);
  if (!known && !names_local && !names_remote) return false;
  const auto learn = [&](std::uint8_t of, std::optional<std::uint32_t> id) {
    if (id && *id != 0 && !knows(of, id) && ids_[of].size() < kMostIds) ids_[of].push_back(*id);
  };
  learn(side, event.local_comm_id);
  learn(other, event.remote_comm_id);
  return true;
}

LadderSetup::Mention LadderSetup::mention_in(const ExchangeEvent& event, std::uint8_t side, std::int64_t time) const {
  if (event.qpn) return scope_.is_queue_pair(side, *event.qpn, time) ? Mention::kOurs : Mention::kOther;
  if (!event.client_qpn || !event.server_qpn) return Mention::kNone;
  for (const std::uint8_t client : kConnectionSides) {
    const std::uint8_t server = client == 0 ? 1 : 0;
    if (scope_.is_queue_pair(client, *event.client_qpn, time) &&
        scope_.is_queue_pair(server, *event.server_qpn, time)) {
      return Mention::kOurs;
    }
  }
  return Mention::kOther;
}

/// A discovery message belongs to the queue pair that the next message names, a memory message to the one that an earlier message named.
void LadderSetup::add_exchange(LadderEvent rung, Mention mention, std::vector<LadderEvent>& found) {
  if (std::get<ExchangeEvent>(rung.what).type == ExchangeType::kDeviceDiscoveryReq) {
    exchange_is_ours_ = false;
    pending_.clear();
  }
  if (mention != Mention::kNone) exchange_is_ours_ = mention == Mention::kOurs;
  if (mention == Mention::kOther) return;
  if (pending_.size() < kMostPending) pending_.push_back(std::move(rung));
  if (exchange_is_ours_) found = std::exchange(pending_, {});
}

}  // namespace rocescope
