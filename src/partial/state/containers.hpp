// Containers of our own, and what many classes have.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "partial/private_members.hpp"
#include "partial/state_members.hpp"
#include "rocescope/rate_series.hpp"

namespace rocescope {

namespace partial {

struct IndexEntry {
  std::uint32_t hash = 0;
  std::uint32_t number = 0;
};

template <class Entry>
struct RecentParts {
  std::uint32_t most = 0;
  std::uint32_t next = 0;
  std::vector<Entry> ring;
};

struct RateSeriesState {
  RateSeriesParts parts;
  bool expects_other_limit = false;
};

}  // namespace partial

template <>
struct StateMembers::Of<IndexTable> {
  static std::vector<partial::IndexEntry> parts_of(const IndexTable& value) {
    std::vector<partial::IndexEntry> parts;
    for (const auto& entry : value.entries_) {
      if (entry.number != IndexTable::kNone) parts.push_back({entry.hash, entry.number});
    }
    return parts;
  }

  static bool assemble(std::vector<partial::IndexEntry>&& parts, IndexTable& value) {
    value = {};
    for (const partial::IndexEntry& entry : parts) {
      if (entry.number == IndexTable::kNone) return false;
      if ((value.taken_ + 1) * 4 > value.entries_.size() * 3) value.grow();
      value.put({entry.hash, entry.number});
      ++value.taken_;
    }
    return true;
  }
};

template <class Key, class T, class Hash>
struct StateMembers::Of<KeyTable<Key, T, Hash>> {
  static void visit(KeyTable<Key, T, Hash>& value, const Visit& f) {
    auto& [entries, index] = value;
    f("entries", entries);
    f("index", index);
  }

  static bool is_sound(const KeyTable<Key, T, Hash>& value) {
    return has_all(value.index_, [&](std::uint32_t place) { return place < value.entries_.size(); });
  }
};

template <class Entry>
struct StateMembers::Of<Recent<Entry>> {
  static partial::RecentParts<Entry> parts_of(const Recent<Entry>& value) {
    return {value.most_, value.next_, value.ring_};
  }

  static bool assemble(partial::RecentParts<Entry>&& parts, Recent<Entry>& value) {
    constexpr std::uint32_t kMost = 262'144;  // of all that there are
    if (parts.most == 0 || parts.most > kMost || parts.ring.size() > parts.most) return false;
    if (parts.next != 0 && (parts.ring.size() < parts.most || parts.next >= parts.most)) return false;
    value.most_ = parts.most;
    value.next_ = parts.next;
    value.ring_ = std::move(parts.ring);
    value.index_ = {};
    const auto size = static_cast<std::uint32_t>(value.ring_.size());
    for (std::uint32_t i = 0; i < size; ++i) {  // of those with the same hash the last counts
      const std::uint32_t slot = (value.next_ + i) % size;
      const std::uint64_t hash = value.ring_[slot].hash;
      value.index_.set(hash, slot, [&](std::uint32_t other) { return value.ring_[other].hash == hash; });
    }
    return true;
  }
};

template <>
struct StateMembers::Of<RateSeries> {
  static partial::RateSeriesState parts_of(const RateSeries& value) {
    return {PrivateMembers::parts_of(value), value.last_width_ == 0};
  }

  static bool assemble(partial::RateSeriesState&& parts, RateSeries& value) {
    value = {};
    if (!PrivateMembers::assemble(std::move(parts.parts), value)) return false;
    if (parts.expects_other_limit) value.last_width_ = 0;
    return true;
  }
};

template <class T>
struct StateMembers::Of<Window<T>> {
  static std::vector<T> parts_of(const Window<T>& value) { return {value.begin(), value.end()}; }

  static bool assemble(std::vector<T>&& parts, Window<T>& value) {
    value = {};
    value.adopt(std::move(parts));
    return true;
  }
};

template <std::size_t bits>
struct StateMembers::Of<std::bitset<bits>> {
  static std::uint64_t parts_of(const std::bitset<bits>& value) { return value.to_ullong(); }

  static bool assemble(std::uint64_t parts, std::bitset<bits>& value) {
    value = parts;
    return true;
  }
};

}  // namespace rocescope
