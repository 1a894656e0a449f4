#include "ladder/last_messages.hpp"

#include <algorithm>
#include <utility>

#include "ladder/packet_run.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"

namespace rocescope {

std::optional<std::uint8_t> LastMessages::Entry::index_of(const Direction& direction) {
  for (std::uint8_t i = 0; i < directions.size(); ++i) {
    if (!directions[i]) directions[i] = direction;
    if (directions[i] == direction) return i;
  }
  return std::nullopt;
}

void LastMessages::Entry::keep(const LadderEvent& event) {
  events.push_back(event);
  if (events.size() > kMostEvents) events.pop_front();
}

std::deque<LadderEvent> LastMessages::Entry::all() const {
  std::deque<LadderEvent> result = events;
  fold.visit([&](const LadderEvent& event) { result.push_back(event); });
  sorting::sort(result, {}, &LadderEvent::frame);
  if (result.size() > kMostEvents) {
    result.erase(result.begin(), result.end() - static_cast<std::ptrdiff_t>(kMostEvents));
  }
  return result;
}

void LastMessages::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  if (record.verdict.connection == 0 || !packet.is_roce()) return;
  Entry& entry = entry_of(record.verdict.connection);
  const std::optional<std::uint8_t> sender = entry.index_of({packet.source, packet.roce.dest_qp});
  if (!sender) return;
  LadderEvent event = packet_event(record, *sender);
  if (entry.last_time) event.silence = elapsed(*entry.last_time, event.time);
  entry.last_time = event.time;
  const bool troubled = std::get<PacketRun>(event.what).extent == PacketRun::Extent::kPackets;
  entry.fold.add(std::move(event), true, [&entry](const LadderEvent& given) { entry.keep(given); });
  Entries& from = list_of(entry);
  entry.troubled |= troubled;
  Entries& to = list_of(entry);
  to.splice(to.end(), from, places_[entry.number]);
}

LastMessages::Entry& LastMessages::entry_of(std::uint32_t number) {
  if (const auto place = places_.find(number); place != places_.end()) return *place->second;
  make_room();
  const auto entry = untroubled_.emplace(untroubled_.end(), number);
  places_.emplace(number, entry);
  return *entry;
}

void LastMessages::make_room() {
  if (places_.size() < most_connections_) return;
  forget((untroubled_.empty() ? troubled_ : untroubled_).front().number);
}

void LastMessages::forget(std::uint32_t number) {
  const auto place = places_.find(number);
  if (place == places_.end()) return;
  list_of(*place->second).erase(place->second);
  places_.erase(place);
}

void LastMessages::join(std::uint32_t number, std::uint32_t part_of) {
  const auto place = places_.find(number);
  if (place == places_.end()) return;
  Entry& old = *place->second;
  const std::deque<LadderEvent> events = old.all();
  const std::array<std::optional<Direction>, 2> directions = old.directions;
  const bool troubled = old.troubled;
  forget(number);
  Entry& entry = entry_of(part_of);
  for (LadderEvent event : events) {
    const std::optional<std::uint8_t> sender = entry.index_of(*directions[event.sender]);
    if (!sender) continue;
    event.sender = *sender;
    entry.events.push_back(std::move(event));
  }
  sorting::sort(entry.events, {}, &LadderEvent::frame);
  while (entry.events.size() > kMostEvents) entry.events.pop_front();
  Entries& from = list_of(entry);
  entry.troubled |= troubled;
  Entries& to = list_of(entry);
  to.splice(to.end(), from, places_[part_of]);
}

std::deque<LadderEvent> LastMessages::of(const Connection& connection) const {
  const auto place = places_.find(connection.number);
  if (place == places_.end()) return {};
  const Entry& entry = *place->second;
  std::array<std::uint8_t, 2> sides{0, 1};
  // The sides of a connection may have been turned since its first packet.
  if (const std::optional<Direction>& first = entry.directions[0]) {
    const auto sends = [&](std::size_t side) {
      return connection.sides[side].address == first->source &&
             (!connection.sides[1 - side].qpn || connection.sides[1 - side].qpn == first->dest_qp);
    };
    if (!sends(0) && sends(1)) sides = {1, 0};
  }
  std::deque<LadderEvent> events = entry.all();
  for (LadderEvent& event : events) event.sender = sides[event.sender];
  return events;
}

}  // namespace rocescope
