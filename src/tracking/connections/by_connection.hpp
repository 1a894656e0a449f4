// Where tables found what they have of a connection, so that they find it at once the next time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rocescope {

/// A T for each side of a connection, `none` at first. Remembers up to kMost connections: one whose number is kMost higher takes
/// the place of another, for there may be a million, most of them idle.
template <class T, T none>
class ByConnection {
 public:
  static constexpr std::uint32_t kMost = 65'536;  // a power of 2

  /// Null where `connection` is 0, which stands for none. Lasts until the next call.
  [[nodiscard]] std::array<T, 2>* sides(std::uint32_t connection) {
    if (connection == 0) return nullptr;
    const std::size_t place = connection % kMost;
    if (place >= entries_.size()) entries_.resize(place + 1);
    Entry& entry = entries_[place];
    if (entry.connection != connection) entry = {connection, {none, none}};
    return &entry.sides;
  }
  /// As at first.
  void clear() noexcept { entries_.clear(); }

 private:
  struct Entry {
    std::uint32_t connection = 0;
    std::array<T, 2> sides{};
  };
  std::vector<Entry> entries_;
};

}  // namespace rocescope
