// Which memory the express lane will need for a packet.
#include <cstddef>

#include "tracking/express/express_lane.hpp"
#include "tracking/prefetch.hpp"

namespace rocescope {
namespace {

/// All lines from one member to another.
void prefetch_from(const void* first, const void* behind) noexcept {
  const auto* const begin = static_cast<const char*>(first);
  rocescope::prefetch(begin, static_cast<std::size_t>(static_cast<const char*>(behind) - begin));
}

void prefetch_line(const void* at) noexcept { __builtin_prefetch(at, 1); }

}  // namespace

void ExpressLane::prefetch(std::uint32_t place, ExpressKind kind) const noexcept {
  const ExpressConnection* const connection = place == ConnectionTable::kNowhere ? nullptr : at(place >> 1);
  if (connection == nullptr) return;
  const bool is_request = kind == ExpressKind::kSendOrWrite || kind == ExpressKind::kReadRequest;
  const std::size_t requester = is_request ? place & 1U : 1 - (place & 1U);
  prefetch_line(connection);
  prefetch_line(&connection->previews[requester]);
  if (kind == ExpressKind::kReadRequest || kind == ExpressKind::kReadResponse) {
    rocescope::prefetch(&connection->reads[requester]);
  }
}

bool ExpressLane::prefetch_counts(std::uint32_t place) const noexcept {
  const ExpressConnection* const connection = place == ConnectionTable::kNowhere ? nullptr : at(place >> 1);
  if (connection == nullptr || !connection->armed) return false;
  if (!connection->is_outdated && connection->waits + 2U < connection->waiting.size()) {
    prefetch_line(&connection->waiting[connection->waits]);
    return false;
  }
  prefetch_from(&connection->waiting, connection + 1);
  return true;
}

void ExpressLane::prefetch_parts(std::uint32_t place, const ExpressPacket& packet) const noexcept {
  const ExpressConnection* const connection = at(place >> 1);
  if (connection == nullptr) return;  // it was given up since
  const std::size_t sender = place & 1U;
  const ExpressSide& side = connection->sides[sender];
  const ExpressSide& other = connection->sides[1 - sender];
  const auto prefetch_times = [&](TimeKind kind) {
    if (const Histogram* const times = other.times[static_cast<std::size_t>(kind)]) rocescope::prefetch(times);
  };
  if (packet.is_data() && side.meter != nullptr) rocescope::prefetch(side.meter);
  switch (packet.kind) {
    case ExpressKind::kSendOrWrite:
    case ExpressKind::kReadRequest:
      side.stream.sent.prefetch_next();
      return side.stream.messages.prefetch_next();
    case ExpressKind::kAck:
      prefetch_times(TimeKind::kMessageTime);
      prefetch_times(TimeKind::kAckLatency);
      break;
    case ExpressKind::kReadResponse:
      if (packet.begins()) prefetch_times(TimeKind::kReadFirst);
      if (!packet.ends()) break;
      prefetch_times(TimeKind::kReadLast);
      other.stream.answered.prefetch_next();
      break;
  }
  other.stream.messages.prefetch_front();
  other.stream.sent.prefetch_from_last(other.stream.now.packets);
  if (!packet.ends()) return;
  for (const OperationTotals* const totals : other.operations) {
    if (totals != nullptr) rocescope::prefetch(totals);
  }
}

}  // namespace rocescope
