// Which memory the express lane will need for a packet.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "tracking/connections/lookout.hpp"
#include "tracking/express/express_lane.hpp"
#include "tracking/prefetch.hpp"

namespace rocescope {
namespace {

/// All lines from one member to another.
void prefetch_from(const void* first, const void* behind) noexcept {
  const auto* const begin = static_cast<const char*>(first);
  rocescope::prefetch(begin, static_cast<std::size_t>(static_cast<const char*>(behind) - begin));
}

}  // namespace

void ExpressLane::prefetch(std::uint32_t place, ExpressKind kind) const noexcept {
  if (place == ConnectionTable::kNowhere) return;
  const ExpressConnection* const connection = at(place >> 1);
  if (connection == nullptr) return table_.prefetch_pointer(place);
  const bool is_request = kind == ExpressKind::kSendOrWrite || kind == ExpressKind::kReadRequest;
  const std::size_t requester = is_request ? place & 1U : 1 - (place & 1U);
  prefetch_line(connection);
  prefetch_line(&connection->previews[requester]);
  if (kind == ExpressKind::kReadRequest || kind == ExpressKind::kReadResponse) {
    rocescope::prefetch(&connection->reads[requester]);
  }
}

bool ExpressLane::prefetch_counts(std::uint32_t place, const ExpressPacket& packet, std::uint32_t before) {
  if (place == ConnectionTable::kNowhere) return false;
  const ExpressConnection* const connection = at(place >> 1);
  if (connection == nullptr || !connection->armed) {
    const ConnectionState* const state = before == 0 ? table_.at_place(place) : nullptr;
    if (state != nullptr) Lookout::fetch_state(*state, place & 1U, packet.opcode());
    return state != nullptr;
  }
  if (packet.kind == ExpressKind::kSendOrWrite && packet.icrc_status() == IcrcStatus::kGood) {
    observers_.get<PayloadWatch>().prefetch(packet.psn, connection->identity, place & 1U);
  }
  const ExpressPreview& acknowledged = connection->previews[1 - (place & 1U)];
  // The packet is counted at once, with all that wait. Its request may still come before it: then there is no silence.
  const bool ends_silence =
      packet.kind == ExpressKind::kAck && packet.psn.before(acknowledged.next) && acknowledged.may_stall(packet);
  if (!connection->is_outdated && !ends_silence && connection->waits + before + 1 < room_of(*connection)) {
    // Where it will wait, behind those of its connection that come before it.
    if (connection->waits > 0) prefetch_line(all_waiting(*connection).data() + connection->waits + before);
    return false;
  }
  const std::span<const ExpressFacts> waiting = all_waiting(*connection);
  if (!waiting.empty()) prefetch_from(waiting.data(), waiting.data() + waiting.size());
  for (const ExpressSide& side : connection->sides) {
    rocescope::prefetch(&side);
  }
  prefetch_line(&connection->state);
  return true;
}

void ExpressLane::prefetch_parts(std::uint32_t place, const ExpressPacket& packet) {
  const ExpressConnection* const connection = at(place >> 1);
  if (connection == nullptr || !connection->armed) {
    if (const ConnectionState* const state = table_.at_place(place))
      Lookout::fetch_parts(*state, place & 1U, packet.opcode());
    return;
  }
  std::array<std::uint32_t, 2> requests{1, 1};
  for (const ExpressFacts& facts : all_waiting(*connection))
    requests[facts.sender()] += (facts.role() & ExpressRole::kRequest) != 0 ? 1U : 0U;
  for (std::size_t i = 0; i < connection->sides.size(); ++i) {
    const ExpressSide& side = connection->sides[i];
    if (side.bad_icrcs != nullptr) rocescope::prefetch(side.bad_icrcs);
    if (side.stream.messages.empty() && requests[i] == 1) continue;
    side.stream.sent.prefetch_next(requests[i]);
    side.stream.messages.prefetch_all();
    side.stream.answered.prefetch_next();
    observers_.get<RegionTable>().prefetch_last(connection->number, i);
    for (std::size_t kind = 0; kind < ExpressSide::kTimes && side.counted != nullptr; ++kind) {
      if (side.times[kind] == nullptr) continue;
      rocescope::prefetch(&(*side.counted)[ExpressSide::counted_of(static_cast<TimeKind>(kind))]);
    }
    for (const OperationTotals* const totals : side.operations) {
      if (totals != nullptr) rocescope::prefetch(totals);
    }
  }
}

void ExpressLane::prefetch_contents(std::uint32_t place, const ExpressPacket& packet) const noexcept {
  const ConnectionState* const state = table_.at_place(place);
  if (state != nullptr && !state->on_express_lane) Lookout::fetch_contents(*state, place & 1U, packet.opcode());
}

}  // namespace rocescope
