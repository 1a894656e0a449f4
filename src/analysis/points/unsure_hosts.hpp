// Pairs of hosts of which it is not known at which points their packets were seen.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

class UnsureHosts {
 public:
  static constexpr std::size_t kMostPoints = 64;
  using Points = std::bitset<kMostPoints>;  ///< capture points, the first one lowest

  /// Nothing distinguishes copies of their packets from packets that were sent again.
  void add(const IpAddress& lower, const IpAddress& higher) { hosts_[{lower, higher}].always = true; }
  /// At these points copies were not known until a time, ns since 1970: they count as retransmissions. `many`: too many
  /// of them to count what else happened.
  void add_late(const IpAddress& lower, const IpAddress& higher, const Points& points, std::int64_t until, bool many) {
    hosts_[{lower, higher}].late.push_back({points, until, many});
  }
  [[nodiscard]] bool empty() const noexcept { return hosts_.empty(); }

  void mark(Connection& connection) const {
    connection.unsure = connection.noticed_late = false;
    const auto found = hosts_.find(std::minmax(connection.sides[0].address, connection.sides[1].address));
    if (found == hosts_.end()) return;
    connection.unsure = found->second.always;
    const std::size_t point = connection.capture_point - 1U;
    for (const Late& late : found->second.late) {
      if (point >= kMostPoints || !late.points[point] || connection.first_time > late.until) continue;
      connection.noticed_late = !found->second.always;
      connection.unsure = connection.unsure || late.many;
    }
  }

 private:
  struct Late {
    Points points;
    std::int64_t until = 0;
    bool many = false;
  };
  struct Doubt {
    bool always = false;
    std::vector<Late> late;  ///< of places
  };
  std::map<std::pair<IpAddress, IpAddress>, Doubt> hosts_;
};

}  // namespace rocescope
