// Between which hosts packets were lost before they were captured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "rocescope/connection.hpp"

namespace rocescope {

/// From whom to whom: all connections between two hosts take the same way to a capture point.
class LosingWays {
 public:
  explicit LosingWays(const std::deque<Connection>& connections);
  /// Whether packets that `side` of the connection with this number sent, or others on the same way, were lost.
  [[nodiscard]] bool has(std::uint32_t connection, std::size_t side) const;

 private:
  std::vector<std::pair<std::uint32_t, std::size_t>> sides_;  // connection and side; sorted
};

}  // namespace rocescope
