#include "analysis/losing_ways.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {
namespace {

LosingWays::Way way_of(const Connection& connection, std::size_t sender) {
  return {connection.sides[sender].address, connection.sides[1 - sender].address, connection.overlay_id,
          connection.capture_point};
}

}  // namespace

void LosingWays::add(const Connection& connection, bool is_asked_for) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (losing.size() == kMostLosing || !connection.loses_before(side)) continue;
    const Way way = way_of(connection, side);
    const auto place = std::ranges::lower_bound(losing, way);
    if (place == losing.end() || *place != way) losing.insert(place, way);
  }
  if (is_asked_for && ways.size() < kMostAskedFor) ways.emplace(connection.number, way_of(connection, 0));
}

bool LosingWays::has(std::uint32_t connection, std::size_t side) const {
  const auto found = ways.find(connection);
  if (found == ways.end()) return false;
  Way way = found->second;
  if (side == 1) std::swap(way.from, way.to);
  return std::ranges::binary_search(losing, way);
}

}  // namespace rocescope
