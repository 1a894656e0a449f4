// Finds the numbers of things by their keys, which only the things themselves hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tracking/prefetch.hpp"

namespace rocescope {

/// Open addressing with linear probing, 8 bytes an entry and at most three quarters of them taken; of up to kSmall entries a quarter, so
/// that the first place mostly has what is looked for. Callers say by `is(number)` whether a number's key is the one that they look for; it
/// is asked about few others.
class IndexTable {
 public:
  template <class Is>
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, Is is) const {
    const Entry* entry = look(hash, is);
    return entry == nullptr ? std::nullopt : std::optional(entry->number);
  }
  /// find() will be asked for this hash soon.
  void prefetch(std::uint64_t hash) const noexcept {
    if (!entries_.empty()) rocescope::prefetch(&entries_[static_cast<std::uint32_t>(hash) & mask()]);
  }
  /// The key has `number` from now on, which is not 2^32 - 1.
  template <class Is>
  void set(std::uint64_t hash, std::uint32_t number, Is is) {
    if (const Entry* known = look(hash, is)) {
      entries_[static_cast<std::size_t>(known - entries_.data())].number = number;
      return;
    }
    if ((taken_ + 1) * 4 > entries_.size() * (entries_.size() <= kSmall ? 1 : 3)) grow();
    put({static_cast<std::uint32_t>(hash), number});
    ++taken_;
  }
  template <class Is>
  void erase(std::uint64_t hash, Is is) {
    const Entry* known = look(hash, is);
    if (known == nullptr) return;
    --taken_;
    auto hole = static_cast<std::size_t>(known - entries_.data());
    // What came behind it because its own place was taken moves up.
    for (std::size_t i = next(hole); entries_[i].number != kNone; i = next(i)) {
      const std::size_t home = entries_[i].hash & mask();
      if (((i - home) & mask()) < ((i - hole) & mask())) continue;
      entries_[hole] = entries_[i];
      hole = i;
    }
    entries_[hole].number = kNone;
  }

 private:
  friend struct StateMembers;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::size_t kFirstSize = 16;
  static constexpr std::size_t kSmall = 32'768;

  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t number = kNone;
  };

  [[nodiscard]] std::size_t mask() const noexcept { return entries_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t i) const noexcept { return (i + 1) & mask(); }

  template <class Is>
  [[nodiscard]] const Entry* look(std::uint64_t hash, Is is) const {
    if (entries_.empty()) return nullptr;
    const auto low = static_cast<std::uint32_t>(hash);
    for (std::size_t i = low & mask(); entries_[i].number != kNone; i = next(i)) {
      if (entries_[i].hash == low && is(entries_[i].number)) return &entries_[i];
    }
    return nullptr;
  }
  void put(const Entry& entry) {
    std::size_t i = entry.hash & mask();
    while (entries_[i].number != kNone) i = next(i);
    entries_[i] = entry;
  }
  void grow() {
    const std::vector<Entry> old =
        std::exchange(entries_, std::vector<Entry>(entries_.empty() ? kFirstSize : entries_.size() * 2));
    for (const Entry& entry : old) {
      if (entry.number != kNone) put(entry);
    }
  }

  std::vector<Entry> entries_;  // a power of 2 of them
  std::size_t taken_ = 0;
};

}  // namespace rocescope
