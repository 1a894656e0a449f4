// Things by their keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "tracking/connections/index_table.hpp"

namespace rocescope {

/// A T for each key that was added; fewer than 2^32 of them. Where there are many, they are in no cache: to find one takes two lines of
/// the cache, and to find that there is none takes one, while std::unordered_map takes three or more.
template <class Key, class T, class Hash>
class KeyTable {
 public:
  using Entry = std::pair<Key, T>;

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  /// In the order in which they were added.
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }

  /// Null: it was not added. Lasts until erase_if() erases something.
  [[nodiscard]] T* find(const Key& key) {
    const auto place = place_of(key);
    return place ? &entries_[*place].second : nullptr;
  }
  [[nodiscard]] const T* find(const Key& key) const {
    const auto place = place_of(key);
    return place ? &entries_[*place].second : nullptr;
  }
  /// What the key has, an empty T where it had none. Lasts as that of find().
  [[nodiscard]] T& operator[](const Key& key) {
    if (T* const known = find(key)) return *known;
    add_to_index(key, static_cast<std::uint32_t>(entries_.size()));
    return entries_.emplace_back(key, T()).second;
  }
  /// Erases those of which `is_gone(entry)` is true; it is asked once about each, and may take what the entry has.
  template <class IsGone>
  void erase_if(IsGone is_gone) {
    if (std::erase_if(entries_, is_gone) == 0) return;
    index_ = {};
    for (std::uint32_t place = 0; place < entries_.size(); ++place) add_to_index(entries_[place].first, place);
  }

 private:
  friend struct StateMembers;

  [[nodiscard]] std::optional<std::uint32_t> place_of(const Key& key) const {
    return index_.find(Hash()(key), [&](std::uint32_t place) { return entries_[place].first == key; });
  }
  void add_to_index(const Key& key, std::uint32_t place) {
    index_.set(Hash()(key), place, [](std::uint32_t) { return false; });  // it is in no other place
  }

  std::deque<Entry> entries_;
  IndexTable index_;  // of them
};

}  // namespace rocescope
