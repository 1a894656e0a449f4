#include "sent_packets.hpp"

#include <algorithm>

namespace rocescope {
namespace {

constexpr int kMostSteps = 4;

}  // namespace

SentPackets::Iterator SentPackets::after(Psn psn) noexcept {
  if (empty()) return packets_.end();
  // Most packets take one PSN: then their distance tells the place, or nearly.
  const auto size = static_cast<std::int64_t>(packets_.size());
  const std::int64_t from = std::min(static_cast<std::int64_t>(last_), size - 1);
  const std::int64_t distance = packets_[static_cast<std::size_t>(from)].psn.distance_to(psn);
  auto place = static_cast<std::size_t>(std::clamp<std::int64_t>(from + distance + 1, 0, size));
  for (int steps = 0; steps < kMostSteps; ++steps) {
    if (place > 0 && psn.before(packets_[place - 1].psn)) {
      --place;
    } else if (place < packets_.size() && !psn.before(packets_[place].psn)) {
      ++place;
    } else {
      last_ = static_cast<std::uint32_t>(place);
      return packets_.begin() + static_cast<std::ptrdiff_t>(place);
    }
  }
  const Iterator found = std::upper_bound(packets_.begin(), packets_.end(), psn,
                                          [](Psn value, const SentPacket& packet) { return value.before(packet.psn); });
  last_ = static_cast<std::uint32_t>(found - packets_.begin());
  return found;
}

SentPacket* SentPackets::find(Psn psn) noexcept {
  const Iterator next = after(psn);
  if (next == packets_.begin()) return nullptr;
  SentPacket& packet = *(next - 1);
  return packet.contains(psn) ? &packet : nullptr;
}

void SentPackets::add(const SentPacket& packet) {
  if (empty() || packets_.back().psn.before(packet.psn)) {
    packets_.push_back(packet);
  } else {
    packets_.insert(after(packet.psn), packet);
  }
}

void SentPackets::trim(Psn unacknowledged, std::size_t keep) {
  const auto covered = static_cast<std::size_t>(std::distance(packets_.begin(), after(unacknowledged - 1)));
  std::size_t drop = covered > keep ? covered - keep : 0;
  if (packets_.size() - drop > kMost) drop = packets_.size() - kMost;
  packets_.pop_front(drop);
  last_ -= std::min(last_, static_cast<std::uint32_t>(drop));
}

}  // namespace rocescope
