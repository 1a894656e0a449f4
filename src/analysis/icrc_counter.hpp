// The verdicts on the ICRCs, counted.
#pragma once

#include <cstdint>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

class IcrcCounter {
 public:
  void add(const PacketRecord& record);
  /// So many packets, none of them bad, nor with another source port than it shows.
  void add(IcrcStatus status, StopReason obstacle, std::uint64_t packets);
  /// All but `verified`.
  [[nodiscard]] const IcrcTotals& totals() const noexcept { return totals_; }

 private:
  IcrcTotals totals_;
};

}  // namespace rocescope
