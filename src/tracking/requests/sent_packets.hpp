// The last request packets of a stream: what a packet that comes again is a copy of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "rocescope/psn.hpp"
#include "tracking/prefetch.hpp"

namespace rocescope {

/// Of the R_Key of a READ and the address that it begins with.
[[nodiscard]] constexpr std::uint16_t fingerprint_of_read(std::uint64_t address, std::uint32_t r_key) noexcept {
  constexpr std::uint64_t kMixer = 0x9E3779B97F4A7C15U;
  return static_cast<std::uint16_t>(((address * kMixer) ^ (r_key * (kMixer >> 7))) >> 48);
}

/// A request packet and its copies.
struct SentPacket {
  Psn psn;
  std::uint32_t span = 1;         ///< PSNs that it takes: a READ Request those of its responses
  std::uint32_t icrc = 0;         ///< of the last copy
  std::uint32_t hole_us = 0;      ///< how long the first copy had been missing, microseconds
  std::uint64_t first_frame = 0;  ///< of the first copy
  std::int64_t last_time = 0;     ///< of the last copy, nanoseconds since 1970
  std::uint64_t message = 0;
  std::uint16_t lost = 0;            ///< copies that must have been sent and were not seen; one of them may come yet
  std::uint16_t content = 0;         ///< bytes of payload; of a READ a fingerprint of its R_Key and address
  std::uint16_t identification = 0;  ///< of the copy that was sent first, of those seen lately
  std::uint8_t opcode = 0;
  bool missed : 1 = false;  ///< the last copy is one of those that were not seen
  bool late : 1 = false;    ///< seen after packets that follow it: overtaken, not lost
  bool read : 1 = false;
  bool depth : 1 = false;          ///< a READ or ATOMIC, which the initiator depth limits
  bool seen_long_ago : 1 = false;  ///< a copy was, before the one that identification is of
  std::uint8_t unused : 3 = 0;     ///< with it the byte can be written without reading it

  [[nodiscard]] std::uint32_t payload() const noexcept { return read ? 0 : content; }
  [[nodiscard]] bool contains(Psn other) const noexcept {
    const std::int32_t distance = psn.distance_to(other);
    return distance >= 0 && static_cast<std::uint32_t>(distance) < span;
  }
};
static_assert(sizeof(SentPacket) == 48, "there are as many as packets in flight");

/// Packets in PSN order. Those that are not acknowledged stay, up to a cap; of the others the last few. They stand in a
/// ring: with many connections they are in no cache, and moving them would fetch all of them.
class SentPackets {
 public:
  static constexpr std::size_t kMost = 65'536;

  SentPackets() = default;
  /// Leaves `other` empty.
  SentPackets(SentPackets&& other) noexcept { *this = std::move(other); }
  SentPackets& operator=(SentPackets&& other) noexcept {
    ring_ = std::move(other.ring_);
    capacity_ = std::exchange(other.capacity_, 0);
    first_ = std::exchange(other.first_, 0);
    size_ = std::exchange(other.size_, 0);
    last_ = std::exchange(other.last_, 0);
    return *this;
  }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The first and the last one, where there is any.
  [[nodiscard]] const SentPacket& front() const noexcept { return ring_[place_of(0)]; }
  [[nodiscard]] const SentPacket& back() const noexcept { return ring_[place_of(size_ - 1)]; }
  /// The packet that spans `psn`, or null. Lasts until the next change.
  [[nodiscard]] SentPacket* find(Psn psn) noexcept;
  /// Calls `visit` with each packet that starts in the `count` PSNs from `psn` on, in their order, at most `most` of
  /// them.
  template <class Visit>
  void visit(Psn psn, std::uint32_t count, std::size_t most, Visit visit) {
    const Psn end = psn + count;
    for (std::uint32_t i = after(psn - 1); i < size_ && at(i).psn.before(end) && most > 0; ++i, --most) visit(at(i));
  }
  /// A packet that was not seen before, at its place.
  void add(const SentPacket& packet);
  /// The place for a packet after all others; it may still hold an older one. Fill it in member by member: a copy would
  /// wait for what was just written.
  [[nodiscard]] SentPacket& append() {
    if (size_ == capacity_) grow();
    return ring_[place_of(size_++)];
  }
  [[nodiscard]] bool is_full() const noexcept { return size_ == capacity_; }
  /// `count` packets will be appended: makes room at once, unless it is for more than most streams remember.
  void prepare(std::size_t count);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// For add() of a packet that follows.
  void prefetch_next() const noexcept {
    if (size_ < capacity_) rocescope::prefetch(&ring_[place_of(size_)]);
    prefetch_last();
  }
  /// For `count` packets that are appended.
  void prefetch_next(std::uint32_t count) const noexcept {
    if (capacity_ == 0) return;
    const std::uint32_t place = place_of(size_);
    rocescope::prefetch(&ring_[place], std::min(count, capacity_ - place) * sizeof(SentPacket));
  }
  /// Prefetches what is most probably asked for next.
  void prefetch_last() const noexcept {
    if (last_ < size_) rocescope::prefetch(&ring_[place_of(last_)]);
  }
  /// The packet at this place from the last one, which is at 1.
  [[nodiscard]] const SentPacket& from_last(std::uint32_t place) const noexcept {
    return ring_[place_of(size_ - place)];
  }
  /// Forgets packets before `unacknowledged`, but for the last `keep` of them, and whatever is above the cap.
  void trim(Psn unacknowledged, std::size_t keep);

 private:
  [[nodiscard]] std::uint32_t place_of(std::uint32_t i) const noexcept {
    const std::uint32_t place = first_ + i;
    return place < capacity_ ? place : place - capacity_;
  }
  [[nodiscard]] SentPacket& at(std::uint32_t i) noexcept { return ring_[place_of(i)]; }
  /// Which is the first packet that starts after `psn`.
  [[nodiscard]] std::uint32_t after(Psn psn) noexcept;
  void grow();
  void make_room(std::uint32_t capacity);

  std::unique_ptr<SentPacket[]> ring_;
  std::uint32_t capacity_ = 0;
  std::uint32_t first_ = 0;  // where it stands in the ring
  std::uint32_t size_ = 0;
  std::uint32_t last_ = 0;  // the last result of after(), at most size_: the next result is most often near it
};

}  // namespace rocescope
