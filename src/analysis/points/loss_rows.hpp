// Packets in a row that one capture point saw and another one did not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/points/compared_flows.hpp"

namespace rocescope {

/// A network that loses some packets seldom loses many in a row, and a capture whose buffer is full drops all that come
/// meanwhile. The packets in such a gap may belong to several flows and be useless to their receiver, so that no answer
/// shows that they arrived.
class LossRows {
 public:
  /// The position of a packet. A group has the flows of a host that the same points see so far: packets that the host
  /// sends elsewhere do not interrupt a row.
  struct Place {
    std::uint32_t group = 0;
    std::uint64_t number = 0;  ///< among the packets of the group at one point, from 1
  };
  /// Of the next packet of the flow with this number; further copies of one are not counted.
  [[nodiscard]] Place next(std::uint32_t number, const ComparedFlows::Flow& flow, std::uint16_t point);
  /// Only this side of the pair saw the packet at that place, and its copies. False: there were too many to remember it.
  [[nodiscard]] bool add(std::uint32_t flow, std::uint32_t pair, std::uint32_t side, const Place& place,
                         std::uint64_t packets) {
    if (alone_.size() == kMost) return false;
    alone_.push_back({flow, pair, side, place, packets});
    return true;
  }
  /// Fills in Pair::in_rows: those in rows that are longer than chance makes them of the others.
  void settle(std::vector<ComparedFlows::Flow>& flows) const;

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMost = 262'144;

  struct Alone {
    std::uint32_t flow = 0;
    std::uint32_t pair = 0;
    std::uint32_t side = 0;
    Place place;
    std::uint64_t packets = 0;
  };
  struct GroupOfFlow {
    std::uint32_t group = 0;   // 0: none yet
    std::uint32_t points = 0;  // that saw the flow when it came into the group
  };
  /// Who sent them, and the points that see them, rising.
  using Group = std::pair<IpAddress, std::vector<std::uint16_t>>;
  /// The group, where its packets were seen, and where they were not.
  using Way = std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>;
  using Row = std::vector<const Alone*>;
  [[nodiscard]] static std::vector<Row> rows_of(std::vector<const Alone*>& alone);

  std::map<Group, std::uint32_t> groups_;                                  // their numbers, from 1
  std::vector<GroupOfFlow> group_of_;                                      // by flow
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint64_t> seen_;  // packets of a group at a point
  std::vector<Alone> alone_;
};

}  // namespace rocescope
