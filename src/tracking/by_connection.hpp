// Where tables found what they have of a connection, so that they find it at once the next time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rocescope {

/// A T for each side of a connection, `none` at first. Of the connections up to kMost: there may be a million, most of them
/// idle.
template <class T, T none>
class ByConnection {
 public:
  static constexpr std::size_t kMost = 65'536;

  /// Null where `connection` is 0, which stands for none, or too high. Lasts until the next call.
  [[nodiscard]] std::array<T, 2>* sides(std::uint32_t connection) {
    if (connection == 0 || connection > kMost) return nullptr;
    if (connection > sides_.size()) sides_.resize(connection, {none, none});
    return &sides_[connection - 1];
  }

 private:
  std::vector<std::array<T, 2>> sides_;
};

}  // namespace rocescope
