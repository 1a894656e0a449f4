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

/// A network that loses some packets seldom loses many in a row, and a capture whose buffer is full drops all that come meanwhile. The packets
/// that such a hole hides may be of several flows, and of no use to their receiver, so that no answer tells that they came.
class LossRows {
 public:
  /// The number of a packet at its point, from 1, among those of all flows from the same host.
  [[nodiscard]] std::uint64_t next(std::uint32_t flow, const FlowKey& key, std::uint16_t point);
  /// Only this side of the pair saw the packet with that number, and its copies. False: there were too many to remember it.
  [[nodiscard]] bool add(std::uint32_t flow, std::uint32_t pair, std::uint32_t side, std::uint64_t number,
                         std::uint64_t packets) {
    if (alone_.size() == kMost) return false;
    alone_.push_back({flow, pair, side, number, packets});
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
    std::uint64_t number = 0;
    std::uint64_t packets = 0;
  };
  /// Who sent them, where they were seen, and where they were not.
  using Way = std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>;
  using Row = std::vector<const Alone*>;
  [[nodiscard]] static std::vector<Row> rows_of(std::vector<const Alone*>& alone);

  std::map<IpAddress, std::uint32_t> senders_;
  std::vector<std::uint32_t> sender_of_;  // by flow: 1 and the number of its sender; 0: none yet
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint64_t> seen_;  // packets of a sender at a point
  std::vector<Alone> alone_;
};

}  // namespace rocescope
