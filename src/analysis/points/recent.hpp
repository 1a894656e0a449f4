// What was seen lately, found by its hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tracking/connections/index_table.hpp"

namespace rocescope {

/// The last few entries that were added. An Entry has a member `hash`; of several with the same hash, find() returns
/// the last.
template <class Entry>
class Recent {
 public:
  explicit Recent(std::uint32_t most) : most_(most) {}

  /// Keeps so many from now on, unless some had to go already.
  void keep(std::uint32_t most) noexcept {
    if (ring_.size() < most_) most_ = most;
  }
  /// Null: it is not here. Lasts until the next add().
  [[nodiscard]] Entry* find(std::uint64_t hash) {
    const auto found = index_.find(hash, [&](std::uint32_t slot) { return ring_[slot].hash == hash; });
    return found ? &ring_[*found] : nullptr;
  }
  /// Calls `drop` with the oldest entry if it must be removed. Lasts until the next add().
  template <class Drop>
  Entry& add(const Entry& entry, Drop drop) {
    std::uint32_t slot = next_;
    if (ring_.size() < most_) {
      slot = static_cast<std::uint32_t>(ring_.size());
      ring_.push_back(entry);
    } else {
      next_ = next_ + 1 == most_ ? 0 : next_ + 1;
      drop(ring_[slot]);
      index_.erase(ring_[slot].hash, [=](std::uint32_t other) { return other == slot; });
      ring_[slot] = entry;
    }
    index_.set(entry.hash, slot, [&](std::uint32_t other) { return ring_[other].hash == entry.hash; });
    return ring_[slot];
  }
  Entry& add(const Entry& entry) {
    return add(entry, [](const Entry&) {});
  }
  /// All, the oldest first.
  template <class Visitor>
  void visit(Visitor visitor) const {
    for (std::size_t i = 0; i < ring_.size(); ++i) visitor(ring_[(next_ + i) % ring_.size()]);
  }

 private:
  friend struct StateMembers;
  std::uint32_t most_;
  std::uint32_t next_ = 0;  // the oldest, once there are most_
  std::vector<Entry> ring_;
  IndexTable index_;  // of slots
};

}  // namespace rocescope
