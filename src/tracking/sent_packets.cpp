#include "sent_packets.hpp"

#include <algorithm>

namespace rocescope {

SentPackets::Iterator SentPackets::after(Psn psn) noexcept {
  return std::upper_bound(packets_.begin(), packets_.end(), psn,
                          [](Psn value, const SentPacket& packet) { return value.before(packet.psn); });
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
}

}  // namespace rocescope
