// Pairs of hosts of which it is not known at which points their packets were seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "rocescope/address.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

class UnsureHosts {
 public:
  /// Nothing tells copies of their packets from packets that were sent again.
  void add(const IpAddress& lower, const IpAddress& higher) { hosts_[{lower, higher}].always = true; }
  /// Until a time, ns since 1970, nobody knew that there are copies: those were taken for packets that were sent again; `many`: too many to
  /// count what else happened.
  void add_late(const IpAddress& lower, const IpAddress& higher, std::int64_t until, bool many) {
    Doubt& doubt = hosts_[{lower, higher}];
    doubt.until = std::max(doubt.until, until);
    doubt.many = doubt.many || many;
  }
  [[nodiscard]] bool empty() const noexcept { return hosts_.empty(); }

  void mark(Connection& connection) const {
    const auto found = hosts_.find(std::minmax(connection.sides[0].address, connection.sides[1].address));
    const Doubt doubt = found == hosts_.end() ? Doubt() : found->second;
    connection.noticed_late = !doubt.always && connection.first_time <= doubt.until;
    connection.unsure = doubt.always || (connection.noticed_late && doubt.many);
  }

 private:
  struct Doubt {
    bool always = false;
    bool many = false;
    std::int64_t until = std::numeric_limits<std::int64_t>::min();
  };
  std::map<std::pair<IpAddress, IpAddress>, Doubt> hosts_;
};

}  // namespace rocescope
