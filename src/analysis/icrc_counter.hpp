// The verdicts on the ICRCs, counted.
#pragma once

#include <cstdint>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

class IcrcCounter {
 public:
  void add(const PacketRecord& record);
  /// So many packets, none of them bad, nor with another source port than it shows; the first of them, where others may not have come before.
  void add(IcrcStatus status, StopReason obstacle, std::uint64_t packets, std::uint64_t first_packet = 0);
  /// All but `verified`.
  [[nodiscard]] const IcrcTotals& totals() const noexcept { return totals_; }

 private:
  friend struct StateMembers;
  IcrcTotals totals_;
};

}  // namespace rocescope
