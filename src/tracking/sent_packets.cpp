#include "sent_packets.hpp"

#include <algorithm>

namespace rocescope {

SentPackets::Iterator SentPackets::after(Psn psn) noexcept {
  return std::upper_bound(first(), packets_.end(), psn,
                          [](Psn value, const SentPacket& packet) { return value.before(packet.psn); });
}

SentPacket* SentPackets::find(Psn psn) noexcept {
  const Iterator next = after(psn);
  if (next == first()) return nullptr;
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
  const auto covered = static_cast<std::size_t>(std::distance(first(), after(unacknowledged - 1)));
  std::size_t drop = covered > keep ? covered - keep : 0;
  const std::size_t count = packets_.size() - begin_;
  if (count - drop > kMost) drop = count - kMost;
  begin_ += drop;
  // The forgotten part is given back when it is at least as long as the rest: each packet is moved once on average.
  if (begin_ > 0 && begin_ >= packets_.size() - begin_) {
    packets_.erase(packets_.begin(), first());
    begin_ = 0;
  }
}

}  // namespace rocescope
