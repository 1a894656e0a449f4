#include "tracking/requests/sent_packets.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace rocescope {
namespace {

constexpr int kMostSteps = 4;
constexpr std::uint32_t kMany = 64;

}  // namespace

std::uint32_t SentPackets::after(Psn psn) noexcept {
  if (empty()) return 0;
  // Most packets take one PSN: then the distance of the PSNs gives the place, or nearly.
  const std::uint32_t from = std::min(last_, size_ - 1);
  const std::int64_t distance = at(from).psn.distance_to(psn);
  auto place = static_cast<std::uint32_t>(std::clamp<std::int64_t>(from + distance + 1, 0, size_));
  for (int steps = 0; steps < kMostSteps; ++steps) {
    if (place > 0 && psn.before(at(place - 1).psn)) {
      --place;
    } else if (place < size_ && !psn.before(at(place).psn)) {
      ++place;
    } else {
      return last_ = place;
    }
  }
  std::uint32_t low = 0;
  for (std::uint32_t count = size_; count > 0;) {
    const std::uint32_t half = count / 2;
    if (psn.before(at(low + half).psn)) {
      count = half;
    } else {
      low += half + 1;
      count -= half + 1;
    }
  }
  return last_ = low;
}

SentPacket* SentPackets::find(Psn psn) noexcept {
  const std::uint32_t next = after(psn);
  if (next == 0) return nullptr;
  SentPacket& packet = at(next - 1);
  return packet.contains(psn) ? &packet : nullptr;
}

void SentPackets::add(const SentPacket& packet) {
  if (size_ == capacity_) grow();
  const bool follows = empty() || at(size_ - 1).psn.before(packet.psn);
  const std::uint32_t place = follows ? size_ : after(packet.psn);
  ++size_;
  if (place < size_ / 2) {  // fewer packets stand before it than after it
    first_ = first_ == 0 ? capacity_ - 1 : first_ - 1;
    for (std::uint32_t i = 0; i < place; ++i) at(i) = at(i + 1);
  } else {
    for (std::uint32_t i = size_ - 1; i > place; --i) at(i) = at(i - 1);
  }
  at(place) = packet;
}

/// Room for twice as many, and from where most streams stay, at the packets that are remembered and a few in flight, for a quarter
/// more.
void SentPackets::grow() {
  constexpr std::uint32_t kFirst = 4;
  make_room(capacity_ < kMany ? capacity_ + std::max(capacity_, kFirst) : capacity_ + capacity_ / 4);
}

void SentPackets::prepare(std::size_t count) {
  const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(size_ + count, kMany));
  if (wanted > capacity_) make_room(std::bit_ceil(wanted));
}

void SentPackets::make_room(std::uint32_t capacity) {
  auto larger = std::make_unique<SentPacket[]>(capacity);
  for (std::uint32_t i = 0; i < size_; ++i) larger[i] = at(i);
  ring_ = std::move(larger);
  first_ = 0;
  capacity_ = capacity;
}

void SentPackets::trim(Psn unacknowledged, std::size_t keep) {
  const std::size_t covered = after(unacknowledged - 1);
  std::size_t drop = covered > keep ? covered - keep : 0;
  if (size_ - drop > kMost) drop = size_ - kMost;
  first_ = place_of(static_cast<std::uint32_t>(drop));
  size_ -= static_cast<std::uint32_t>(drop);
  last_ -= std::min(last_, static_cast<std::uint32_t>(drop));
}

}  // namespace rocescope
