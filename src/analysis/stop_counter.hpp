// Why and where dissection ended early, counted.
#pragma once

#include <vector>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

class StopCounter {
 public:
  void add(const PacketRecord& record);
  /// Adds packets to a count that exists already.
  void add(StopReason reason, HeaderKind layer, std::uint64_t packets);
  /// The most frequent first.
  [[nodiscard]] std::vector<StopCount> counts() const;

 private:
  friend struct StateMembers;
  std::vector<StopCount> counts_;  // at most one per reason and kind of header
};

}  // namespace rocescope
