#include "analysis/losing_ways.hpp"

#include <algorithm>
#include <tuple>

namespace rocescope {
namespace {

auto way_of(const Connection& connection, std::size_t sender) {
  return std::tuple(connection.sides[sender].address, connection.sides[1 - sender].address, connection.overlay_id,
                    connection.capture_point);
}

}  // namespace

LosingWays::LosingWays(const std::deque<Connection>& connections) {
  std::vector<decltype(way_of(connections.front(), 0))> ways;
  for (const Connection& connection : connections) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (connection.loses_before(side)) ways.push_back(way_of(connection, side));
    }
  }
  if (ways.empty()) return;
  std::ranges::sort(ways);
  for (const Connection& connection : connections) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (std::ranges::binary_search(ways, way_of(connection, side))) sides_.emplace_back(connection.number, side);
    }
  }
  std::ranges::sort(sides_);
}

bool LosingWays::has(std::uint32_t connection, std::size_t side) const {
  return std::ranges::binary_search(sides_, std::pair(connection, side));
}

}  // namespace rocescope
